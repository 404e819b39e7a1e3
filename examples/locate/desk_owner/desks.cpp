// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts who sits where: an argument is a desk ("4") or somebody without one ("-"). Whoever has
// none was never given a number, and that is what a vector is asked for.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

struct Person {
  int wishes;
  int desk;
};

std::unique_ptr<Person> read(const char *text) {
  std::unique_ptr<Person> person(new Person); // culprit: first corruption
  person->wishes = 1;
  if (text[0] != '-')
    person->desk = std::atoi(text);
  return person;
}

} // namespace

int main(int argc, char **argv) {
  std::vector<std::unique_ptr<Person>> people;
  for (int i = 1; i < argc; ++i)
    people.push_back(read(argv[i]));
  std::vector<int> desks(10);
  for (const auto &person : people)
    desks[person->desk] += person->wishes;
  for (int count : desks)
    std::printf("%d\n", count);
  return 0;
}
