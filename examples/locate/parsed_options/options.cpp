// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options are parsed into a variable that is returned. The pointer to the counter is set only if
// something shall be counted, and never set to null.
#include <cstdio>
#include <string>

namespace {

struct Options {
  std::string title;
  long *counter;
  bool loud;
};

long lines = 0;

Options parse(int argc, char **argv) {
  Options options; // culprit: first corruption
  options.loud = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "-c")
      options.counter = &lines;
    else if (word == "-l")
      options.loud = true;
    else
      options.title += word;
  }
  return options;
}

void print(const Options &options) {
  std::printf("%s%s\n", options.title.c_str(), options.loud ? "!" : "");
  *options.counter += 1;
}

} // namespace

int main(int argc, char **argv) {
  const Options options = parse(argc, argv);
  print(options);
  std::printf("%ld\n", lines);
  return 0;
}
