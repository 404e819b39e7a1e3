// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives files names that every system can keep: small letters, digits and few signs, everything
// else written as an escape, a short suffix, and no name twice in a folder. The input is a script:
//   folder NAME                   the folder that the next files are in
//   file NAME                     a file there; the rest of the line is its name
//   keep C                        this sign needs no escape from now on
//   undo                          the last file of this folder gets its old name back
//   list                          old and new names of this folder
// As in polymorph, the new name is put together letter by letter in a buffer on the stack.
#include <cctype>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kLongest = 40;
constexpr std::size_t kSuffix = 8;

// A name while it is put together.
struct Draft {
  char text[kLongest];
  char suffix[kSuffix];
  std::size_t length;
  unsigned escapes;
  bool changed;
};

struct Renamed {
  std::string before;
  std::string after;
};

struct Folder {
  explicit Folder(std::string title) : name(std::move(title)) {}
  std::string name;
  std::vector<Renamed> files;
  std::set<std::string> names;
  unsigned clashes = 0;
};

class Renamer {
public:
  void folder(const std::string &name) {
    std::unique_ptr<Folder> &slot = folders_[name];
    if (!slot)
      slot = std::make_unique<Folder>(name);
    current_ = slot.get();
  }

  void keep(const std::string &signs) {
    for (unsigned char sign : signs)
      kept_[sign] = true;
  }

  void file(const std::string &name) {
    if (!current_ || name.empty()) {
      ++refused_;
      return;
    }
    std::string after;
    if (!portable(name, after)) {
      ++refused_;
      return;
    }
    while (!current_->names.insert(after).second) {
      ++current_->clashes;
      after.insert(after.begin(), static_cast<char>('a' + current_->clashes % 26));
    }
    current_->files.push_back({name, after});
  }

  void undo() {
    if (!current_ || current_->files.empty()) {
      ++refused_;
      return;
    }
    current_->names.erase(current_->files.back().after);
    current_->files.pop_back();
  }

  void list(std::ostream &out) const {
    if (!current_)
      return;
    for (const Renamed &file : current_->files)
      out << current_->name << ": " << file.before << " -> " << file.after << '\n';
  }

  void report(std::ostream &out) const {
    std::size_t files = 0;
    for (const auto &[name, folder] : folders_) {
      files += folder->files.size();
      out << name << ": " << folder->files.size() << " files, " << folder->clashes << " clashes\n";
    }
    out << files << " files, " << refused_ << " refused, " << changed_ << " changed\n";
  }

private:
  bool portable(const std::string &name, std::string &after);
  static void escape(Draft &draft, unsigned char sign);
  static std::size_t take_suffix(Draft &draft, const std::string &name);

  std::map<std::string, std::unique_ptr<Folder>> folders_;
  Folder *current_ = nullptr;
  bool kept_[256] = {};
  unsigned refused_ = 0;
  unsigned changed_ = 0;
};

void Renamer::escape(Draft &draft, unsigned char sign) {
  static const char digits[] = "0123456789abcdef";
  draft.text[draft.length++] = '=';
  draft.text[draft.length++] = digits[sign >> 4];
  draft.text[draft.length++] = digits[sign & 15];
  ++draft.escapes;
}

// A short suffix is kept apart; returns how much of the name is before it.
std::size_t Renamer::take_suffix(Draft &draft, const std::string &name) {
  std::size_t dot = name.rfind('.');
  draft.suffix[0] = '\0';
  if (dot == std::string::npos || dot == 0 || name.size() - dot >= kSuffix)
    return name.size();
  for (std::size_t i = dot; i < name.size(); ++i)
    draft.suffix[i - dot] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
  draft.suffix[name.size() - dot] = '\0';
  return dot;
}

bool Renamer::portable(const std::string &name, std::string &after) {
  Draft draft;
  draft.length = 0;
  draft.escapes = 0;
  draft.changed = false;
  std::size_t stem = take_suffix(draft, name);
  if (stem == 0 || name[0] == '-')
    return false;
#ifdef FIXED
  std::size_t needed = 1;
  for (std::size_t i = 0; i < stem; ++i)
    needed += std::isalnum(static_cast<unsigned char>(name[i])) ? 1 : 3; // at most
  if (needed > sizeof draft.text)
    return false;
#endif
  for (std::size_t i = 0; i < stem; ++i) {
    unsigned char letter = static_cast<unsigned char>(name[i]);
    if (std::isalnum(letter) || kept_[letter]) {
      draft.text[draft.length++] = // guilty: portable trusts that names are short
          static_cast<char>(std::tolower(letter));
      draft.changed |= std::isupper(letter) != 0;
    } else {
      escape(draft, letter);
      draft.changed = true;
    }
  }
  draft.text[draft.length] = '\0';
  changed_ += draft.changed;
  after = draft.text;
  after += draft.suffix;
  return true;
}

} // namespace

int main(int argc, char **argv) {
  std::ifstream script(argc > 1 ? argv[1] : "/dev/stdin");
  if (!script) {
    std::cerr << "cannot read the script\n";
    return 2;
  }
  Renamer renamer;
  for (std::string line; std::getline(script, line);) {
    std::size_t space = line.find(' ');
    std::string command = line.substr(0, space);
    std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
    if (command == "folder")
      renamer.folder(rest);
    else if (command == "file")
      renamer.file(rest);
    else if (command == "keep")
      renamer.keep(rest);
    else if (command == "undo")
      renamer.undo();
    else if (command == "list")
      renamer.list(std::cout);
  }
  renamer.report(std::cout);
  return 0;
}
