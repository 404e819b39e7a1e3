// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/file_bytes.h"

#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

namespace culprit::build {

FileBytes::FileBytes(std::unique_ptr<llvm::MemoryBuffer> buffer) : buffer_(std::move(buffer)) {}
FileBytes::FileBytes(FileBytes &&) noexcept = default;
FileBytes &FileBytes::operator=(FileBytes &&) noexcept = default;
FileBytes::~FileBytes() = default;

Result<FileBytes> FileBytes::map(const std::filesystem::path &path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    return fail(fmt::format("{}: no such file", path.string()));
  if (!std::filesystem::is_regular_file(status))
    return fail(fmt::format("{}: not a regular file", path.string()));
  // More than any executable; a file with a huge hole would be looked at for hours.
  constexpr uintmax_t kLargest = 32ULL << 30;
  if (std::filesystem::file_size(path, error) > kLargest)
    return fail(fmt::format("{}: larger than any executable can be", path.string()));
  auto buffer = llvm::MemoryBuffer::getFile(path.string(), /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail(fmt::format("{}: {}", path.string(), buffer.getError().message()));
  return FileBytes(std::move(*buffer));
}

std::string_view FileBytes::view() const {
  return {buffer_->getBufferStart(), buffer_->getBufferSize()};
}

} // namespace culprit::build
