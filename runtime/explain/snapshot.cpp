// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See snapshot.h. Regions first, then their bytes: two walks over the same memory, in which nothing
// of the target runs.
#include "runtime/explain/snapshot.h"

#include "runtime/explain/file.h"
#include "runtime/explain/flavour.h"
#include "runtime/explain/open_files.h"
#include "runtime/explain/regions.h"

namespace culprit::explain {
namespace {

constexpr uint64_t kLargest = uint64_t{64} << 30;

bool is_told(const Region &region) {
  return region.kind == CULPRIT_REGION_GLOBAL || region.kind == CULPRIT_REGION_LOCAL ||
         region.kind == CULPRIT_REGION_BLOCK || region.kind == CULPRIT_REGION_ARGUMENT;
}

uint64_t padded(uint64_t size) { return (size + 7) & ~uint64_t{7}; }

} // namespace

bool write_snapshot(const char *path, uint32_t site) {
  File file{};
  if (!file.create(path, kLargest))
    return false;
  uint64_t count = 0;
  for_each_region([&](const Region &) { ++count; });
  uint64_t files = count_open_files();
  count += files;
  auto *header =
      static_cast<culprit_snapshot_header *>(file.append(sizeof(culprit_snapshot_header)));
  auto *rows = static_cast<culprit_snapshot_region *>(
      header ? file.append(count * sizeof(culprit_snapshot_region)) : nullptr);
  if (!header || !rows) {
    file.finish();
    return false;
  }
  bool good = true;
  for_each_region([&](const Region &region) {
    if (!good)
      return;
    uint64_t at = 0;
    if (is_told(region)) {
      at = file.used;
      void *bytes = file.append(padded(region.size));
      good = bytes != nullptr;
      if (good)
        __builtin_memcpy(bytes, reinterpret_cast<const void *>(region.address), region.size);
    }
    *rows++ = {region.index, region.address, region.size, region.kind, region.number,
               at,           region.room};
  });
  for (int from = 0; good && files; --files)
    good = tell_open_file(from, file, *rows++);
  if (good)
    *header = {
        CULPRIT_SNAPSHOT_MAGIC, CULPRIT_SNAPSHOT_VERSION, site, g_unit->id, count, file.used};
  file.finish();
  return good;
}

} // namespace culprit::explain
