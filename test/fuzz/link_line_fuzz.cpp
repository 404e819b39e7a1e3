// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any arguments, also from a response file, are a linker's line and a compiler's line. One argument
// a line.
#include "engine/build/compile_line.h"
#include "engine/build/link_line.h"
#include "test/fuzz/memory_file.h"

#include <sstream>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  for (size_t at = text.find("@/"); at != std::string::npos; at = text.find("@/", at))
    text[at + 1] = '.'; // leave the machine's devices alone
  std::vector<std::string> arguments;
  std::stringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    arguments.push_back(line.substr(0, line.find('\0')));
  const MemoryFile response(text);
  for (const auto &line :
       {arguments, culprit::build::expand_response_files({"@" + response.path()})}) {
    (void)culprit::build::read_link_line(line);
    (void)culprit::build::code_generation_options(line);
    (void)culprit::build::driver_command({}, false, line);
  }
  return 0;
}
