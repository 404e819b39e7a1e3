// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/link_line.h"

#include "llvm/ADT/Twine.h"
#include "llvm/BinaryFormat/Magic.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>

namespace culprit::build {

namespace fs = std::filesystem;

namespace {

// Options of ld, gold and lld whose value is the next argument. An option that is missing here does
// no harm unless its value happens to be the name of an existing object file.
const std::set<std::string_view> kTakesValue = {"-m",
                                                "-e",
                                                "-z",
                                                "-h",
                                                "-u",
                                                "-y",
                                                "-Y",
                                                "-A",
                                                "-b",
                                                "-c",
                                                "-f",
                                                "-F",
                                                "-G",
                                                "-I",
                                                "-R",
                                                "-a",
                                                "-entry",
                                                "-soname",
                                                "-rpath",
                                                "-rpath-link",
                                                "-dynamic-linker",
                                                "-plugin",
                                                "-plugin-opt",
                                                "-Map",
                                                "-assert",
                                                "-defsym",
                                                "-init",
                                                "-fini",
                                                "-wrap",
                                                "-section-start",
                                                "-Tbss",
                                                "-Tdata",
                                                "-Ttext",
                                                "-Ttext-segment",
                                                "-hash-style",
                                                "-sysroot",
                                                "-format",
                                                "-oformat",
                                                "-undefined",
                                                "-just-symbols",
                                                "-sort-section",
                                                "-export-dynamic-symbol",
                                                "-exclude-libs",
                                                "-out-implib",
                                                "-unresolved-symbols",
                                                "-auxiliary",
                                                "-filter",
                                                "-audit",
                                                "-depaudit",
                                                "-build-id-file",
                                                "-dependency-file",
                                                "-threads",
                                                "-thread-count",
                                                "-image-base",
                                                "-reproduce",
                                                "-trace-symbol",
                                                "-mllvm",
                                                "-library-path",
                                                "-chroot",
                                                "-compress-debug-sections",
                                                "-error-handling-script"};

// Options whose value is a file the linker reads; these files are carried.
const std::set<std::string_view> kReadsFile = {"-T",
                                               "-script",
                                               "-version-script",
                                               "-dynamic-list",
                                               "-retain-symbols-file",
                                               "-export-dynamic-symbol-list",
                                               "-symbol-ordering-file",
                                               "-section-ordering-file",
                                               "-call-graph-ordering-file",
                                               "-default-script",
                                               "-dT"};

// ld takes long options with one dash or two.
std::string_view one_dash(std::string_view argument) {
  return argument.starts_with("--") ? argument.substr(1) : argument;
}

std::string absolute(const std::string &path) {
  std::error_code ignored;
  const fs::path full = fs::absolute(path, ignored);
  return full.lexically_normal().string();
}

enum class FileKind { none, object, archive, shared, other };

FileKind kind_of_file(const std::string &path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    return FileKind::none;
  llvm::file_magic magic;
  if (llvm::identify_magic(path, magic))
    return FileKind::none;
  switch (magic) {
  case llvm::file_magic::elf:
  case llvm::file_magic::elf_relocatable:
  case llvm::file_magic::bitcode:
    return FileKind::object;
  case llvm::file_magic::archive:
    return FileKind::archive;
  case llvm::file_magic::elf_shared_object:
    return FileKind::shared;
  default:
    return FileKind::other; // most likely a linker script
  }
}

class Reader {
public:
  explicit Reader(const std::vector<std::string> &arguments) : arguments_(arguments) {
    collect_search_path();
  }

  LinkLine read() {
    while (next_ < arguments_.size())
      read_one(arguments_[next_++]);
    return std::move(line_);
  }

private:
  void add(LinkItem item) { line_.items.push_back(std::move(item)); }
  void add_argument(const std::string &text) { add({LinkItem::Kind::argument, text, {}, 0}); }

  std::optional<std::string> take_value() {
    if (next_ >= arguments_.size())
      return std::nullopt;
    return arguments_[next_++];
  }

  // All -L count for all -l, wherever they stand.
  void collect_search_path() {
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const std::string_view argument = arguments_[i];
      if (argument == "-L" || argument == "--library-path") {
        if (i + 1 < arguments_.size())
          search_path_.push_back(arguments_[++i]);
      } else if (argument.starts_with("-L")) {
        search_path_.emplace_back(argument.substr(2));
      } else if (argument.starts_with("--library-path=")) {
        search_path_.emplace_back(argument.substr(15));
      }
    }
  }

  void add_file(const std::string &prefix, const std::string &path) {
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) { // e.g. found by the linker along -L: leave it to it
      add_argument(prefix + path);
      return;
    }
    add({LinkItem::Kind::file, prefix, absolute(path), ++files_});
  }

  void add_library(const std::string &text, std::string_view name) {
    for (const std::string &directory : search_path_) {
      std::vector<std::string> candidates;
      if (name.starts_with(':')) {
        candidates = {directory + "/" + std::string(name.substr(1))};
      } else {
        if (!static_)
          candidates.push_back(directory + "/lib" + std::string(name) + ".so");
        candidates.push_back(directory + "/lib" + std::string(name) + ".a");
      }
      for (const std::string &candidate : candidates) {
        const FileKind kind = kind_of_file(candidate);
        if (kind == FileKind::none)
          continue;
        const std::string path = absolute(candidate);
        const bool ours = kind == FileKind::archive && !is_system_file(path);
        add({ours ? LinkItem::Kind::archive : LinkItem::Kind::library, text, path, 0});
        return;
      }
    }
    add({LinkItem::Kind::library, text, {}, 0}); // not found here; the linker will say so
  }

  void add_input(const std::string &argument) {
    const FileKind kind = kind_of_file(argument);
    const std::string path = absolute(argument);
    if (kind == FileKind::none || (is_system_file(path) && kind != FileKind::shared)) {
      add_argument(argument);
      return;
    }
    switch (kind) {
    case FileKind::object:
      add({LinkItem::Kind::object, argument, path, 0});
      break;
    case FileKind::archive:
      add({LinkItem::Kind::archive, argument, path, 0});
      break;
    case FileKind::shared:
      add({LinkItem::Kind::shared, argument, path, 0});
      break;
    default:
      add_file("", argument);
      break;
    }
  }

  void read_one(const std::string &argument) {
    const std::string_view option = one_dash(argument);
    if (!argument.starts_with('-') || argument == "-") {
      add_input(argument);
    } else if (option == "-o" || option == "-output") {
      line_.output = take_value().value_or(line_.output);
      add({LinkItem::Kind::output, "-o", {}, 0});
    } else if (option.starts_with("-output=")) {
      line_.output = option.substr(8);
      add({LinkItem::Kind::output, "-o", {}, 0});
    } else if (option == "-l" || option == "-library") {
      const std::string name = take_value().value_or("");
      add_library("-l" + name, name);
    } else if (argument.starts_with("-l")) {
      add_library(argument, std::string_view(argument).substr(2));
    } else if (option.starts_with("-library=")) {
      add_library("-l" + std::string(option.substr(9)), option.substr(9));
    } else if (option == "-L") {
      add_argument("-L" + absolute(take_value().value_or(".")));
    } else if (argument.starts_with("-L")) {
      add_argument("-L" + absolute(argument.substr(2)));
    } else if (kReadsFile.contains(option)) {
      add_argument(argument);
      if (auto path = take_value())
        add_file("", *path);
    } else if (const size_t equals = option.find('=');
               equals != std::string_view::npos && kReadsFile.contains(option.substr(0, equals))) {
      add_file(std::string(option.substr(0, equals + 1)).insert(0, "-"),
               std::string(option.substr(equals + 1)));
    } else if (argument.starts_with("-o") && !argument.starts_with("-omagic") &&
               !argument.starts_with("-oformat")) {
      line_.output = argument.substr(2);
      add({LinkItem::Kind::output, "-o", {}, 0});
    } else {
      add_argument(argument);
      note_mode(option);
      if (kTakesValue.contains(option))
        if (auto value = take_value())
          add_argument(*value);
    }
  }

  void note_mode(std::string_view option) {
    if (option == "-static" || option == "-Bstatic" || option == "-dn" || option == "-non_shared")
      static_ = true;
    else if (option == "-Bdynamic" || option == "-dy" || option == "-call_shared")
      static_ = false;
    else if (option == "-r" || option == "-relocatable" || option == "-i" || option == "-Ur")
      line_.relocatable = true;
    else if (option == "-gc-sections")
      line_.collects_garbage = true;
    else if (option == "-no-gc-sections")
      line_.collects_garbage = false;
  }

  const std::vector<std::string> &arguments_;
  std::vector<std::string> search_path_;
  LinkLine line_;
  size_t next_ = 0;
  unsigned files_ = 0; // numbered from 1
  bool static_ = false;
};

} // namespace

bool is_system_file(const std::string &path) {
  static constexpr std::array<std::string_view, 5> kSystem = {"/usr/lib/", "/lib/", "/usr/lib64/",
                                                              "/lib64/", "/usr/libexec/"};
  return std::ranges::any_of(kSystem,
                             [&](std::string_view prefix) { return path.starts_with(prefix); });
}

LinkLine read_link_line(const std::vector<std::string> &arguments) {
  return Reader(arguments).read();
}

} // namespace culprit::build
