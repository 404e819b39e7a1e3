// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/interface_stub.h"

#include "engine/build/elf_view.h"
#include "engine/build/file_bytes.h"

#include "llvm/InterfaceStub/ELFObjHandler.h"
#include "llvm/InterfaceStub/IFSStub.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <fmt/format.h>

namespace culprit::build {

Result<std::string> interface_stub(std::string_view shared_object,
                                   const std::filesystem::path &path,
                                   const std::filesystem::path &scratch) {
  const std::string name = path.string();
  const auto elf = read_elf(shared_object); // LLVM trusts more
  if (!elf)
    return fail(fmt::format("{}: {}", name, elf.error().what));
  if (elf->dynamic.empty())
    return fail(fmt::format("{}: not a shared object", name));
  auto stub =
      llvm::ifs::readELFFile({llvm::StringRef(shared_object.data(), shared_object.size()), name});
  if (!stub)
    return fail(fmt::format("{}: {}", name, llvm::toString(stub.takeError())));
  if (!(*stub)->SoName) // without one, linkers record the file's name
    (*stub)->SoName = path.filename().string();
  if (llvm::Error error = llvm::ifs::writeBinaryStub(scratch.string(), **stub))
    return fail(fmt::format("{}: {}", name, llvm::toString(std::move(error))));
  auto written = FileBytes::map(scratch);
  if (!written)
    return std::unexpected(written.error());
  return std::string(written->view());
}

} // namespace culprit::build
