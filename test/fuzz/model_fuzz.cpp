// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any file is a model or one line of error; a model that was read can be learned from and written.
// On disk, because SQLite wants a path it can resolve.
#include "engine/access/learn.h"
#include "engine/heap/learn.h"
#include "engine/model/model.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("culprit_fuzz." + std::to_string(::getpid()));
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char *>(data), static_cast<std::streamsize>(size));
  const auto contents = culprit::model::read(path);
  if (contents) {
    (void)culprit::heap::learn(culprit::model::ordered_runs(*contents), {});
    (void)culprit::access::learn(contents->access, {});
    if (!culprit::model::write(path, *contents) || !culprit::model::read(path))
      std::abort();
  } else if (contents.error().what.find('\n') != std::string::npos) {
    std::abort();
  }
  std::filesystem::remove(path);
  return 0;
}
