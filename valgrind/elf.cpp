// SPDX-License-Identifier: GPL-2.0-or-later
#include "valgrind/elf.h"

#include <elf.h>

namespace culprit::deep {
namespace {

// A part of a file, in memory of ours; null: it is not that long.
void *read_part(Int file, ULong offset, ULong size) {
  if (size == 0 || size > (1ul << 30) ||
      VG_(lseek)(file, static_cast<Off64T>(offset), VKI_SEEK_SET) < 0)
    return nullptr;
  auto *bytes = static_cast<UChar *>(VG_(malloc)("culprit.elf", size + 1));
  ULong got = 0;
  while (got < size) {
    const Int count = VG_(read)(file, bytes + got, static_cast<Int>(size - got));
    if (count <= 0)
      break;
    got += static_cast<ULong>(count);
  }
  if (got < size) {
    VG_(free)(bytes);
    return nullptr;
  }
  bytes[size] = 0; // the last string ends
  return bytes;
}

struct Tables {
  Elf64_Ehdr *head;
  Elf64_Phdr *segments;
  Elf64_Shdr *sections;
};

bool is_writable(const Tables &elf, const Elf64_Sym &symbol) {
  for (UInt i = 0; i < elf.head->e_phnum; ++i) {
    const Elf64_Phdr &segment = elf.segments[i];
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0 &&
        symbol.st_value >= segment.p_vaddr &&
        symbol.st_value + symbol.st_size <= segment.p_vaddr + segment.p_memsz)
      return true;
  }
  return false;
}

// Dynamic linking's own, not the program's: its loader writes there.
bool is_variable(const Elf64_Sym &symbol, const HChar *name) {
  return ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_shndx != SHN_UNDEF &&
         symbol.st_shndx < SHN_LORESERVE && symbol.st_size != 0 && *name != '\0' &&
         VG_(strcmp)(name, "_DYNAMIC") != 0 && VG_(strcmp)(name, "_GLOBAL_OFFSET_TABLE_") != 0;
}

// A part that the compiler moved away is jumped to, with a frame that is there already.
bool is_function(const Elf64_Sym &symbol, const HChar *name) {
  return ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF &&
         symbol.st_shndx < SHN_LORESERVE && *name != '\0' && VG_(strstr)(name, ".cold") == nullptr;
}

bool each_symbol(Int file, const Tables &elf, UInt type, void (*each)(const Symbol &, void *),
                 void *with) {
  for (UInt i = 0; i < elf.head->e_shnum; ++i) {
    const Elf64_Shdr &section = elf.sections[i];
    if (section.sh_type != type || section.sh_link >= elf.head->e_shnum)
      continue;
    const Elf64_Shdr &strings = elf.sections[section.sh_link];
    auto *symbols = static_cast<Elf64_Sym *>(read_part(file, section.sh_offset, section.sh_size));
    auto *names = static_cast<HChar *>(read_part(file, strings.sh_offset, strings.sh_size));
    for (ULong at = 0;
         symbols != nullptr && names != nullptr && at < section.sh_size / sizeof(Elf64_Sym); ++at) {
      const Elf64_Sym &symbol = symbols[at];
      if (symbol.st_name >= strings.sh_size)
        continue;
      const HChar *name = names + symbol.st_name;
      const bool function = is_function(symbol, name);
      if (!function && (!is_variable(symbol, name) || !is_writable(elf, symbol)))
        continue;
      each({symbol.st_value, symbol.st_size, name, ELF64_ST_BIND(symbol.st_info) == STB_LOCAL,
            function},
           with);
    }
    const bool found = symbols != nullptr && names != nullptr;
    if (symbols != nullptr)
      VG_(free)(symbols);
    if (names != nullptr)
      VG_(free)(names);
    return found;
  }
  return false;
}

} // namespace

bool read_elf_file(const HChar *path, ElfFacts &facts, void (*each)(const Symbol &, void *),
                   void *with) {
  const SysRes opened = VG_(open)(path, VKI_O_RDONLY, 0);
  if (sr_isError(opened))
    return false;
  const Int file = static_cast<Int>(sr_Res(opened));
  Tables elf{static_cast<Elf64_Ehdr *>(read_part(file, 0, sizeof(Elf64_Ehdr))), nullptr, nullptr};
  bool sound = false;
  if (elf.head != nullptr && VG_(memcmp)(elf.head->e_ident, ELFMAG, SELFMAG) == 0 &&
      elf.head->e_ident[EI_CLASS] == ELFCLASS64) {
    elf.segments = static_cast<Elf64_Phdr *>(
        read_part(file, elf.head->e_phoff, ULong{elf.head->e_phnum} * sizeof(Elf64_Phdr)));
    elf.sections = static_cast<Elf64_Shdr *>(
        read_part(file, elf.head->e_shoff, ULong{elf.head->e_shnum} * sizeof(Elf64_Shdr)));
  }
  if (elf.segments != nullptr) {
    facts = {~0ul, 0};
    for (UInt i = 0; i < elf.head->e_phnum; ++i) {
      const Elf64_Phdr &segment = elf.segments[i];
      if (segment.p_type != PT_LOAD)
        continue;
      sound = true;
      if (segment.p_vaddr < facts.low)
        facts.low = segment.p_vaddr;
      if (segment.p_vaddr + segment.p_memsz > facts.high)
        facts.high = segment.p_vaddr + segment.p_memsz;
    }
    // A stripped file still has the symbols it shows to others.
    if (elf.sections != nullptr && !each_symbol(file, elf, SHT_SYMTAB, each, with))
      each_symbol(file, elf, SHT_DYNSYM, each, with);
  }
  void *const parts[] = {elf.head, elf.segments, elf.sections};
  for (void *part : parts)
    if (part != nullptr)
      VG_(free)(part);
  VG_(close)(file);
  return sound;
}

} // namespace culprit::deep
