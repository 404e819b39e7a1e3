// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// write_names OUT FILE...: the table of names that --deep gives its Valgrind tool, for tests and
// benchmarks that run the tool themselves. Nothing is written if no file has debug information.
#include "engine/native/names.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

int main(int count, char **words) {
  if (count < 3) {
    std::fprintf(stderr, "write_names OUT FILE...\n");
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (int i = 2; i < count; ++i)
    files.push_back(std::filesystem::canonical(words[i]));
  const std::string table = culprit::native::names_table(files);
  if (table.empty())
    return 0;
  std::ofstream out(words[1], std::ios::binary);
  out << table;
  out.close();
  return out ? 0 : 1;
}
