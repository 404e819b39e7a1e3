// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filters for words, by name: the first argument names one of the filters, all of them say which
// filters the words go through. A long name runs over the pointer to its filter.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

class Filter {
public:
  virtual ~Filter() = default;
  virtual std::string apply(const std::string &word) const = 0;
};

class Upper : public Filter {
public:
  std::string apply(const std::string &word) const override {
    std::string result = word;
    for (char &letter : result)
      if (letter >= 'a' && letter <= 'z')
        letter = static_cast<char>(letter - 'a' + 'A');
    return result;
  }
};

class Twice : public Filter {
public:
  std::string apply(const std::string &word) const override { return word + word; }
};

class Cut : public Filter {
public:
  std::string apply(const std::string &word) const override { return word.substr(0, 2); }
};

class Registry {
public:
  void add(const char *name, const Filter *filter) {
    if (used_ == kRows)
      return;
    Row &row = rows_[used_++];
    row.filter = filter;
    std::strcpy(row.name, name); // culprit: first corruption
  }

  const Filter *find(const char *name) const {
    for (unsigned i = 0; i < used_; ++i)
      if (std::strncmp(rows_[i].name, name, 11) == 0)
        return rows_[i].filter;
    return nullptr;
  }

private:
  static constexpr unsigned kRows = 4;
  struct Row {
    char name[12];
    const Filter *filter;
  };
  Row rows_[kRows];
  unsigned used_ = 0;
};

Registry registry;

} // namespace

int main(int count, char **arguments) {
  const Upper upper;
  const Cut cut;
  const Twice twice;
  registry.add("upper", &upper);
  registry.add("cut", &cut);
  registry.add(count > 1 ? arguments[1] : "twice", &twice);
  std::vector<std::string> words = {"one", "two", "three"};
  for (int i = 1; i < count; ++i)
    if (const Filter *filter = registry.find(arguments[i]))
      for (std::string &word : words)
        word = filter->apply(word);
  for (const std::string &word : words)
    std::printf("%s\n", word.c_str());
  return 0;
}
