// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pages of a manual in their order of reading: "page TITLE" adds one, "move A B" puts page B right
// behind page A. It does not take B out of where it was, so that the pages may form a ring; then
// the table of contents is never complete.
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

namespace {

struct Page {
  Page *next = nullptr;
  unsigned length = 0;
  char title[24] = {};
};

class Manual {
public:
  void add(const std::string &title) {
    if (used_ == kPages)
      return;
    Page &page = pages_[used_];
    std::snprintf(page.title, sizeof page.title, "%s", title.c_str());
    page.length = static_cast<unsigned>(title.size());
    if (used_ > 0)
      pages_[used_ - 1].next = &page;
    ++used_;
  }

  void move(unsigned a, unsigned b) {
    if (a < used_ && b < used_)
      pages_[a].next = &pages_[b]; // culprit: first corruption
  }

  unsigned length() const {
    unsigned sum = 0;
    for (const Page *page = pages_; page; page = page->next)
      sum += page->length;
    return sum;
  }

private:
  static constexpr unsigned kPages = 64;
  Page pages_[kPages];
  unsigned used_ = 0;
};

Manual manual;

} // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string command;
    std::string title;
    unsigned a = 0;
    unsigned b = 0;
    words >> command;
    if (command == "page" && words >> title)
      manual.add(title);
    else if (command == "move" && words >> a >> b)
      manual.move(a, b);
  }
  std::cout << manual.length() << " letters of titles\n";
  return 0;
}
