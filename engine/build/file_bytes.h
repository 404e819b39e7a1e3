// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file's bytes, mapped read-only. Executables with their carried frames are tens of megabytes, of
// which a reader looks at a few.
#pragma once

#include "engine/error.h"

#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

namespace llvm {
class MemoryBuffer;
}

namespace culprit::build {

class FileBytes {
public:
  // Fails for what is not a regular, readable file, naming it.
  static Result<FileBytes> map(const std::filesystem::path &path);

  FileBytes(FileBytes &&) noexcept;
  FileBytes &operator=(FileBytes &&) noexcept;
  ~FileBytes();

  std::string_view view() const;

private:
  explicit FileBytes(std::unique_ptr<llvm::MemoryBuffer> buffer);
  std::unique_ptr<llvm::MemoryBuffer> buffer_;
};

} // namespace culprit::build
