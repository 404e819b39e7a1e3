// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The few parts of an x86-64 ELF file that the engine looks at: segments, sections, the dynamic
// table.
//
// Not LLVM's reader, because that one trusts some numbers of the file: a PT_DYNAMIC segment with a
// forged size is read past the end of the file. Rules here: no number is used before it is compared
// with the number of bytes there are, nothing is read in place (any alignment will do), and what
// contradicts itself is an error.
#pragma once

#include "engine/error.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace culprit::build {

struct ElfSegment {
  uint32_t type;
  uint64_t offset;
  uint64_t address;
  uint64_t file_size;
};

struct ElfSection {
  std::string_view name;
  uint32_t type;
  uint64_t offset;
  uint64_t alignment;
  std::string_view contents; // empty for SHT_NOBITS
};

struct DynamicEntry {
  uint64_t tag;
  uint64_t value;
};

struct ElfView {
  std::string_view bytes;
  uint16_t type; // ET_…
  std::vector<ElfSegment> segments;
  std::vector<ElfSection> sections;
  std::vector<DynamicEntry> dynamic; // without the DT_NULL at its end; empty: statically linked

  bool has_segment(uint32_t type) const;
};

// `bytes` must outlive the view.
Result<ElfView> read_elf(std::string_view bytes);

// The file's bytes from where `address` is loaded to the end of that segment; empty: no segment
// holds it.
std::string_view loaded_at(const ElfView &elf, uint64_t address);

} // namespace culprit::build
