// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/elf_view.h"

#include "llvm/BinaryFormat/ELF.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace culprit::build {

namespace {

namespace elf = llvm::ELF;

std::unexpected<Error> damaged(const std::string &what) {
  return fail("damaged ELF file: " + what, "build it again, or copy it again");
}

// `size` bytes at `offset`, if there are that many.
std::optional<std::string_view> range(std::string_view bytes, uint64_t offset, uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset)
    return std::nullopt;
  return bytes.substr(offset, size);
}

template <typename T> std::optional<T> load(std::string_view bytes, uint64_t offset) {
  const auto found = range(bytes, offset, sizeof(T));
  if (!found)
    return std::nullopt;
  T value;
  std::memcpy(&value, found->data(), found->size());
  return value;
}

// `count` entries at `offset`. The count is compared with the bytes there are before anything is
// reserved.
template <typename T>
std::optional<std::vector<T>> load_table(std::string_view bytes, uint64_t offset, uint64_t count) {
  if (count > bytes.size() / sizeof(T))
    return std::nullopt;
  const auto found = range(bytes, offset, count * sizeof(T));
  if (!found)
    return std::nullopt;
  std::vector<T> table(count);
  if (count != 0)
    std::memcpy(table.data(), found->data(), found->size());
  return table;
}

Result<void> read_segments(ElfView &view, const elf::Elf64_Ehdr &header) {
  if (header.e_phnum != 0 && header.e_phentsize != sizeof(elf::Elf64_Phdr))
    return damaged("program headers of an unknown size");
  const auto table = load_table<elf::Elf64_Phdr>(view.bytes, header.e_phoff, header.e_phnum);
  if (!table)
    return damaged("the program headers lie outside the file");
  for (const elf::Elf64_Phdr &segment : *table) {
    if (!range(view.bytes, segment.p_offset, segment.p_filesz))
      return damaged(fmt::format("segment {} lies outside the file", view.segments.size()));
    view.segments.push_back({segment.p_type, segment.p_offset, segment.p_vaddr, segment.p_filesz});
  }
  return {};
}

std::optional<std::string_view> text_at(std::string_view table, uint64_t offset) {
  if (offset >= table.size())
    return std::nullopt;
  const size_t end = table.find('\0', offset);
  if (end == std::string_view::npos)
    return std::nullopt;
  return table.substr(offset, end - offset);
}

Result<void> read_sections(ElfView &view, const elf::Elf64_Ehdr &header) {
  if (header.e_shoff == 0 && header.e_shnum == 0)
    return {};
  if (header.e_shentsize != sizeof(elf::Elf64_Shdr))
    return damaged("section headers of an unknown size");
  // The first section header holds what does not fit into the file's header.
  const auto first = load<elf::Elf64_Shdr>(view.bytes, header.e_shoff);
  if (!first)
    return damaged("the section headers lie outside the file");
  const uint64_t count = header.e_shnum != 0 ? header.e_shnum : first->sh_size;
  const uint64_t names_index =
      header.e_shstrndx == elf::SHN_XINDEX ? first->sh_link : header.e_shstrndx;
  const auto table = load_table<elf::Elf64_Shdr>(view.bytes, header.e_shoff, count);
  if (!table)
    return damaged("the section headers lie outside the file");
  if (names_index >= table->size())
    return damaged("there are no section names");
  const elf::Elf64_Shdr &names = (*table)[names_index];
  const auto name_bytes = range(view.bytes, names.sh_offset, names.sh_size);
  if (!name_bytes)
    return damaged("the section names lie outside the file");
  for (const elf::Elf64_Shdr &section : *table) {
    const auto name = text_at(*name_bytes, section.sh_name);
    const auto contents = section.sh_type == elf::SHT_NOBITS || section.sh_type == elf::SHT_NULL
                              ? std::string_view()
                              : range(view.bytes, section.sh_offset, section.sh_size);
    if (!name || !contents)
      return damaged(fmt::format("section {} lies outside the file", view.sections.size()));
    view.sections.push_back(
        {*name, section.sh_type, section.sh_offset, section.sh_addralign, *contents});
  }
  return {};
}

bool may_repeat(uint64_t tag) {
  return tag == elf::DT_NEEDED || tag == elf::DT_AUXILIARY || tag == elf::DT_FILTER;
}

// The generic tags end at DT_RELRENT; the operating system's and the processor's lie in ranges of
// their own.
bool is_known(uint64_t tag) {
  constexpr uint64_t kLastGeneric = 38;
  constexpr uint64_t kFirstSystem = 0x6000000d;
  constexpr uint64_t kLastProcessor = 0x7fffffff;
  return tag <= kLastGeneric || (tag >= kFirstSystem && tag <= kLastProcessor);
}

// A damaged tag would silently drop a needed object, so the table must make sense as a whole.
Result<void> check_dynamic(const std::vector<DynamicEntry> &entries) {
  std::set<uint64_t> tags;
  for (const DynamicEntry &entry : entries)
    if (!is_known(entry.tag) || (!tags.insert(entry.tag).second && !may_repeat(entry.tag)))
      return damaged(fmt::format("the dynamic table holds the tag {:#x}{}", entry.tag,
                                 is_known(entry.tag) ? " twice" : ""));
  for (const auto &[one, other] : {std::pair{elf::DT_STRTAB, elf::DT_STRSZ},
                                   {elf::DT_RELA, elf::DT_RELASZ},
                                   {elf::DT_REL, elf::DT_RELSZ},
                                   {elf::DT_PREINIT_ARRAY, elf::DT_PREINIT_ARRAYSZ}})
    if (tags.contains(one) != tags.contains(other))
      return damaged("the dynamic table is not whole");
  if (!tags.contains(elf::DT_STRTAB))
    return damaged("the dynamic table names no strings");
  return {};
}

Result<void> read_dynamic(ElfView &view) {
  std::optional<std::string_view> table;
  for (const ElfSegment &segment : view.segments)
    if (segment.type == elf::PT_DYNAMIC)
      table = view.bytes.substr(segment.offset, segment.file_size);
  for (const ElfSection &section : view.sections)
    if (section.type == elf::SHT_DYNAMIC) {
      if (table && table->data() != section.contents.data())
        return damaged("segments and sections disagree about the dynamic table");
      table = section.contents;
    }
  if (!table) {
    if (view.type == elf::ET_DYN || view.has_segment(elf::PT_INTERP))
      return damaged("there is no dynamic table");
    return {};
  }
  for (size_t at = 0;; at += sizeof(elf::Elf64_Dyn)) {
    const auto entry = load<elf::Elf64_Dyn>(*table, at);
    if (!entry)
      return damaged("the dynamic table does not end");
    if (entry->d_tag == elf::DT_NULL)
      return check_dynamic(view.dynamic);
    view.dynamic.push_back({static_cast<uint64_t>(entry->d_tag), entry->d_un.d_val});
  }
}

} // namespace

bool ElfView::has_segment(uint32_t wanted) const {
  return std::ranges::find(segments, wanted, &ElfSegment::type) != segments.end();
}

Result<ElfView> read_elf(std::string_view bytes) {
  if (!bytes.starts_with(std::string_view("\177ELF", 4)))
    return fail("not an ELF file");
  const auto header = load<elf::Elf64_Ehdr>(bytes, 0);
  if (!header)
    return damaged(fmt::format("it ends after {} bytes", bytes.size()));
  if (header->e_ident[elf::EI_CLASS] != elf::ELFCLASS64 ||
      header->e_ident[elf::EI_DATA] != elf::ELFDATA2LSB || header->e_machine != elf::EM_X86_64)
    return fail("not an x86-64 ELF file");
  ElfView view{bytes, header->e_type, {}, {}, {}};
  if (auto read = read_segments(view, *header); !read)
    return std::unexpected(read.error());
  if (auto read = read_sections(view, *header); !read)
    return std::unexpected(read.error());
  if (auto read = read_dynamic(view); !read)
    return std::unexpected(read.error());
  return view;
}

std::string_view loaded_at(const ElfView &elf, uint64_t address) {
  for (const ElfSegment &segment : elf.segments)
    if (segment.type == llvm::ELF::PT_LOAD && address >= segment.address &&
        address - segment.address < segment.file_size)
      return elf.bytes.substr(segment.offset + (address - segment.address),
                              segment.file_size - (address - segment.address));
  return {};
}

} // namespace culprit::build
