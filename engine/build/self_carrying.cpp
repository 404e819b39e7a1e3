// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/self_carrying.h"

#include "abi/frame_writer.h"
#include "engine/build/archive_index.h"
#include "engine/build/elf_view.h"
#include "engine/build/frames.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Object/Binary.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace culprit::build {

namespace {

llvm::MemoryBufferRef buffer_of(std::string_view bytes) {
  return {llvm::StringRef(bytes.data(), bytes.size()), "object"};
}

// An LTO object keeps its frame as a constant in the module: not byte-aligned in the bitstream, so
// the module is asked.
bool bitcode_carries_frame(std::string_view object) {
  llvm::LLVMContext context;
  auto module = llvm::getLazyBitcodeModule(buffer_of(object), context);
  if (!module) {
    llvm::consumeError(module.takeError());
    return false;
  }
  for (const llvm::GlobalVariable &global : (*module)->globals())
    if (global.hasSection() && global.getSection() == CULPRIT_FRAME_SECTION)
      return true;
  return false;
}

std::string message(llvm::Error error) { return llvm::toString(std::move(error)); }

// The index of an archive, with the members' numbers in place of their offsets.
std::optional<ArchiveIndex> numbered_index(std::string_view bytes) {
  auto archive = llvm::object::Archive::create(buffer_of(bytes));
  if (!archive) {
    llvm::consumeError(archive.takeError());
    return std::nullopt;
  }
  if (!(*archive)->hasSymbolTable())
    return ArchiveIndex();
  if ((*archive)->kind() != llvm::object::Archive::K_GNU)
    return std::nullopt;
  const llvm::StringRef table = (*archive)->getSymbolTable();
  const auto index = read_archive_index({table.data(), table.size()});
  if (!index)
    return std::nullopt;
  std::map<uint64_t, uint64_t> numbers;
  llvm::Error error = llvm::Error::success();
  for (const llvm::object::Archive::Child &child : (*archive)->children(error))
    numbers.emplace(child.getChildOffset(), numbers.size());
  if (error) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  ArchiveIndex numbered;
  for (const auto &[symbol, offset] : *index) {
    const auto found = numbers.find(offset);
    if (found == numbers.end())
      return std::nullopt;
    numbered.emplace(symbol, found->second);
  }
  return numbered;
}

} // namespace

bool carries_frame(std::string_view object) {
  if (llvm::identify_magic(llvm::StringRef(object.data(), object.size())) ==
      llvm::file_magic::bitcode)
    return bitcode_carries_frame(object);
  return holds_frame(object);
}

Result<std::string> self_carrying_copy(std::string_view object, const std::string &name) {
  // LLVM would also take other formats, and trusts them more.
  const auto elf = read_elf(object);
  if (!elf)
    return fail(fmt::format("{}: {}", name, elf.error().what));
  if (elf->type != llvm::ELF::ET_REL)
    return fail(fmt::format("{}: not an object", name));
  auto binary = llvm::object::createBinary(buffer_of(object));
  if (!binary)
    return fail(fmt::format("{}: {}", name, message(binary.takeError())));
  const std::string metadata =
      nlohmann::json{{"name", name}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::string frame = write_frame({CULPRIT_FRAME_NATIVE_OBJECT, metadata, object});

  llvm::objcopy::ConfigManager config;
  config.Common.OutputFilename = name;
  config.Common.AddSection.emplace_back(
      CULPRIT_FRAME_SECTION,
      llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(frame), "frame", false));
  llvm::SmallString<0> copy;
  llvm::raw_svector_ostream out(copy);
  if (llvm::Error error = llvm::objcopy::executeObjcopyOnBinary(config, **binary, out))
    return fail(fmt::format("{}: {}", name, message(std::move(error))));
  return std::string(copy.str());
}

Result<std::optional<std::string>> self_carrying_archive(std::string_view bytes_of_archive,
                                                         const std::string &path) {
  auto archive = llvm::object::Archive::create(
      {llvm::StringRef(bytes_of_archive.data(), bytes_of_archive.size()), path});
  if (!archive)
    return fail(fmt::format("{}: {}", path, message(archive.takeError())));

  bool changed = false;
  std::vector<llvm::NewArchiveMember> members;
  llvm::Error error = llvm::Error::success();
  for (const llvm::object::Archive::Child &child : (*archive)->children(error)) {
    auto member = llvm::NewArchiveMember::getOldMember(child, /*Deterministic=*/true);
    if (!member) {
      llvm::consumeError(std::move(error));
      return fail(fmt::format("{}: {}", path, message(member.takeError())));
    }
    const std::string_view bytes(member->Buf->getBufferStart(), member->Buf->getBufferSize());
    // LLVM believes a member's size even where the archive ends before.
    if (!(*archive)->isThin() &&
        bytes.data() + bytes.size() > bytes_of_archive.data() + bytes_of_archive.size()) {
      llvm::consumeError(std::move(error));
      return fail(fmt::format("{}: its last member is cut short", path));
    }
    const auto magic = llvm::identify_magic(llvm::StringRef(bytes.data(), bytes.size()));
    if (magic == llvm::file_magic::elf_relocatable && !carries_frame(bytes)) {
      const std::string name = fmt::format(
          "{}({})", path, std::string_view(member->MemberName.data(), member->MemberName.size()));
      auto carrying = self_carrying_copy(bytes, name);
      if (!carrying) {
        llvm::consumeError(std::move(error));
        return std::unexpected(carrying.error());
      }
      member->Buf = llvm::MemoryBuffer::getMemBufferCopy(*carrying, member->MemberName);
      member->MemberName = member->Buf->getBufferIdentifier(); // it lay in the old buffer
      changed = true;
    }
    members.push_back(std::move(*member));
  }
  if (error)
    return fail(fmt::format("{}: {}", path, message(std::move(error))));
  if (!changed)
    return std::nullopt;
  auto written = llvm::writeArchiveToBuffer(
      members,
      (*archive)->hasSymbolTable() ? llvm::SymtabWritingMode::NormalSymtab
                                   : llvm::SymtabWritingMode::NoSymtab,
      llvm::object::Archive::K_GNU, /*Deterministic=*/true, /*Thin=*/false);
  if (!written)
    return fail(fmt::format("{}: {}", path, message(written.takeError())));
  std::string copy((*written)->getBufferStart(), (*written)->getBufferSize());
  const auto before = numbered_index(bytes_of_archive);
  const auto after = numbered_index(copy);
  if (!before || !after || !std::ranges::includes(*after, *before))
    return fail(fmt::format("{}: its index does not belong to its members", path));
  return copy;
}

} // namespace culprit::build
