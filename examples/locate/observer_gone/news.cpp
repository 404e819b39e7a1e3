// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A newsroom tells its readers every word: "+NAME" is a new reader, "-" takes the last one away,
// and all else is news. Who goes is not taken off the list.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace {

struct Reader {
  virtual ~Reader() = default;
  virtual void read(const std::string &word) = 0;
};

struct Printer : Reader {
  explicit Printer(std::string name) : name(std::move(name)) {}
  void read(const std::string &word) override { std::cout << name << ": " << word << '\n'; }
  std::string name;
};

class Newsroom {
public:
  void add(Reader *reader) { readers_.push_back(reader); }
  void tell(const std::string &word) {
    for (Reader *reader : readers_)
      reader->read(word);
  }

private:
  std::vector<Reader *> readers_;
};

} // namespace

int main() {
  Newsroom newsroom;
  std::vector<std::unique_ptr<Reader>> readers;
  std::string word;
  while (std::cin >> word) {
    if (word[0] == '+') {
      readers.push_back(std::make_unique<Printer>(word.substr(1)));
      newsroom.add(readers.back().get());
    } else if (word[0] == '-') {
      readers.pop_back(); // culprit: first corruption
    } else {
      newsroom.tell(word);
    }
  }
}
