// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/interface_stub.h"

#include "engine/build/file_bytes.h"

#include "llvm/InterfaceStub/ELFObjHandler.h"
#include "llvm/InterfaceStub/IFSStub.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <fmt/format.h>

namespace culprit::build {

Result<std::string> interface_stub(const std::filesystem::path &shared_object,
                                   const std::filesystem::path &scratch) {
  auto file = FileBytes::map(shared_object);
  if (!file)
    return std::unexpected(file.error());
  const std::string name = shared_object.string();
  auto stub =
      llvm::ifs::readELFFile({llvm::StringRef(file->view().data(), file->view().size()), name});
  if (!stub)
    return fail(fmt::format("{}: {}", name, llvm::toString(stub.takeError())));
  if (!(*stub)->SoName) // without one, linkers record the file's name
    (*stub)->SoName = shared_object.filename().string();
  if (llvm::Error error = llvm::ifs::writeBinaryStub(scratch.string(), **stub))
    return fail(fmt::format("{}: {}", name, llvm::toString(std::move(error))));
  auto written = FileBytes::map(scratch);
  if (!written)
    return std::unexpected(written.error());
  return std::string(written->view());
}

} // namespace culprit::build
