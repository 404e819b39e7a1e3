// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any file of cases is cases or an error, with and without a placeholder in the arguments.
#include "engine/launch/cases.h"
#include "test/fuzz/memory_file.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const MemoryFile file({reinterpret_cast<const char *>(data), size});
  const std::vector<std::string> fixed = {"-v", "--input=@@"};
  (void)culprit::launch::cases_of_file(file.path(), {});
  (void)culprit::launch::cases_of_file(file.path(), fixed);
  return 0;
}
