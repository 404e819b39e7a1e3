// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/elf_view.h"

#include "engine/build/carrier_object.h"
#include "engine/build/file_bytes.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <gtest/gtest.h>

namespace culprit::build {
namespace {

// This test's own executable: dynamically linked, with everything a linker writes.
std::string own_bytes() { return std::string(FileBytes::map("/proc/self/exe")->view()); }

template <typename T> T load(const std::string &bytes, uint64_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <typename T> void store(std::string &bytes, uint64_t at, const T &value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

uint64_t header_of_segment(const std::string &bytes, uint32_t type) {
  const auto header = load<Elf64_Ehdr>(bytes, 0);
  for (uint64_t at = header.e_phoff;; at += sizeof(Elf64_Phdr))
    if (load<Elf64_Phdr>(bytes, at).p_type == type)
      return at;
}

TEST(ElfView, AnExecutableHasSegmentsSectionsAndADynamicTable) {
  const std::string bytes = own_bytes();
  const auto view = read_elf(bytes);
  ASSERT_TRUE(view) << view.error().what;
  EXPECT_TRUE(view->has_segment(PT_INTERP));
  EXPECT_FALSE(view->dynamic.empty());
  EXPECT_NE(std::ranges::find(view->sections, ".text", &ElfSection::name), view->sections.end());
}

TEST(ElfView, AnObjectWithoutSegmentsIsRead) {
  const std::string object = write_carrier_object("frames", false);
  const auto view = read_elf(object);
  ASSERT_TRUE(view) << view.error().what;
  EXPECT_TRUE(view->dynamic.empty());
}

TEST(ElfView, ADynamicSegmentOfAForgedSizeIsRefused) {
  std::string bytes = own_bytes();
  const uint64_t at = header_of_segment(bytes, PT_DYNAMIC);
  auto segment = load<Elf64_Phdr>(bytes, at);
  for (const uint64_t size : {uint64_t{1} << 40, ~uint64_t{0}, ~uint64_t{0} - segment.p_offset}) {
    segment.p_filesz = size;
    store(bytes, at, segment);
    EXPECT_FALSE(read_elf(bytes)) << size;
  }
}

TEST(ElfView, ANeedWhoseTagIsDamagedIsNotLost) {
  const std::string whole = own_bytes();
  const auto dynamic = load<Elf64_Phdr>(whole, header_of_segment(whole, PT_DYNAMIC));
  ASSERT_EQ(load<Elf64_Dyn>(whole, dynamic.p_offset).d_tag, DT_NEEDED);
  for (unsigned bit = 0; bit < 64; ++bit) {
    std::string bytes = whole;
    auto entry = load<Elf64_Dyn>(whole, dynamic.p_offset);
    entry.d_tag ^= static_cast<int64_t>(uint64_t{1} << bit);
    store(bytes, dynamic.p_offset, entry);
    EXPECT_FALSE(read_elf(bytes)) << bit;
  }
}

TEST(ElfView, NoBitOfTheHeadersMakesItReadOutside) {
  const std::string whole = own_bytes();
  const auto header = load<Elf64_Ehdr>(whole, 0);
  for (const auto &[from, size] : {std::pair<uint64_t, uint64_t>{0, sizeof header},
                                   {header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr)},
                                   {header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr)}}) {
    std::string bytes = whole;
    for (uint64_t bit = from * 8; bit < (from + size) * 8; ++bit) {
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
      if (const auto view = read_elf(bytes))
        for (const ElfSection &section : view->sections)
          EXPECT_LE(section.contents.size(), bytes.size());
      bytes[bit / 8] = whole[bit / 8];
    }
  }
}

TEST(ElfView, ATruncatedFileIsAnError) {
  const std::string whole = own_bytes();
  for (size_t length = 0; length < whole.size(); length += length < 256 ? 1 : whole.size() / 97)
    EXPECT_FALSE(read_elf(std::string_view(whole).substr(0, length))) << length;
}

} // namespace
} // namespace culprit::build
