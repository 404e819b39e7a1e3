// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three sections besides the string table:
//   - the frames, not loaded;
//   - an empty .note.GNU-stack: an object without one asks for an executable stack;
//   - .note.gnu.property with IBT and SHSTK: linkers keep these marks only if all inputs have them,
//   so an
//     object without code must have them lest a -fcf-protection program lose its marks through us.
#include "engine/build/carrier_object.h"

#include "abi/frame.h"

#include "llvm/BinaryFormat/ELF.h"

#include <array>
#include <cstring>

namespace culprit::build {

namespace {

namespace elf = llvm::ELF;

constexpr uint64_t kRetain = 1U << 21; // SHF_GNU_RETAIN

struct PropertyNote {
  uint32_t name_size = 4;
  uint32_t description_size = 16;
  uint32_t type = elf::NT_GNU_PROPERTY_TYPE_0;
  std::array<char, 4> name = {'G', 'N', 'U', '\0'};
  uint32_t property = elf::GNU_PROPERTY_X86_FEATURE_1_AND;
  uint32_t property_size = 4;
  uint32_t features = elf::GNU_PROPERTY_X86_FEATURE_1_IBT | elf::GNU_PROPERTY_X86_FEATURE_1_SHSTK;
  uint32_t padding = 0;
};
static_assert(sizeof(PropertyNote) == 32, "an ELF note of one property");

template <typename T> void append(std::string &bytes, const T &value) {
  bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
}

elf::Elf64_Shdr section(uint32_t name, uint32_t type, uint64_t flags, uint64_t offset,
                        uint64_t size, uint64_t alignment) {
  elf::Elf64_Shdr header{};
  header.sh_name = name;
  header.sh_type = type;
  header.sh_flags = flags;
  header.sh_offset = offset;
  header.sh_size = size;
  header.sh_addralign = alignment;
  return header;
}

} // namespace

std::string write_carrier_object(std::string_view frames, bool retained) {
  static constexpr char kNames[] =
      "\0" CULPRIT_FRAME_SECTION "\0.note.GNU-stack\0.note.gnu.property\0.shstrtab";
  const std::string_view names(kNames, sizeof kNames);
  auto name_of = [&](std::string_view name) { return static_cast<uint32_t>(names.find(name)); };

  std::string bytes(sizeof(elf::Elf64_Ehdr), '\0');
  const uint64_t frames_offset = bytes.size(); // 64, so aligned to 8
  bytes += frames;
  bytes.resize((bytes.size() + 7) / 8 * 8);
  const uint64_t property_offset = bytes.size();
  append(bytes, PropertyNote{});
  const uint64_t names_offset = bytes.size();
  bytes += names;
  bytes.resize((bytes.size() + 7) / 8 * 8);
  const uint64_t table_offset = bytes.size();

  append(bytes, elf::Elf64_Shdr{});
  append(bytes, section(name_of(CULPRIT_FRAME_SECTION), elf::SHT_PROGBITS, retained ? kRetain : 0,
                        frames_offset, frames.size(), CULPRIT_FRAME_ALIGNMENT));
  append(bytes, section(name_of(".note.GNU-stack"), elf::SHT_PROGBITS, 0, names_offset, 0, 1));
  append(bytes, section(name_of(".note.gnu.property"), elf::SHT_NOTE, elf::SHF_ALLOC,
                        property_offset, sizeof(PropertyNote), 8));
  append(bytes, section(name_of(".shstrtab"), elf::SHT_STRTAB, 0, names_offset, names.size(), 1));

  elf::Elf64_Ehdr header{};
  std::memcpy(header.e_ident, elf::ElfMagic, 4);
  header.e_ident[elf::EI_CLASS] = elf::ELFCLASS64;
  header.e_ident[elf::EI_DATA] = elf::ELFDATA2LSB;
  header.e_ident[elf::EI_VERSION] = elf::EV_CURRENT;
  header.e_ident[elf::EI_OSABI] = retained ? elf::ELFOSABI_GNU : elf::ELFOSABI_NONE;
  header.e_type = elf::ET_REL;
  header.e_machine = elf::EM_X86_64;
  header.e_version = elf::EV_CURRENT;
  header.e_shoff = table_offset;
  header.e_ehsize = sizeof(elf::Elf64_Ehdr);
  header.e_shentsize = sizeof(elf::Elf64_Shdr);
  header.e_shnum = 5;
  header.e_shstrndx = 4;
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

} // namespace culprit::build
