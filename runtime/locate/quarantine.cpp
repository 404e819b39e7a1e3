// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See quarantine.h.
#include "runtime/locate/quarantine.h"

#include "runtime/start/options.h"

namespace culprit::locate {
namespace {

constexpr uint64_t kFirstRing = 1024;

} // namespace

Quarantine g_quarantine;

bool create_quarantine() {
  Quarantine &all = g_quarantine;
  all.most = start::options().quarantine;
  all.least = kLeastOfSmall;
  uint64_t room = kFewest * 2;
  while (room <= all.most / heap::kGranule)
    room *= 2;
  all.mask = kFirstRing - 1;
  return os::map_table(all.line, room) && os::map_table(all.ripe, small_rows() / kWord);
}

// Each entry keeps its place, or moves up by as much as there was.
void double_ring() {
  Quarantine &all = g_quarantine;
  uint64_t before = all.mask + 1;
  for (uint64_t i = all.left; i != all.joined; ++i)
    if (i & before)
      all.line[(i & all.mask) + before] = all.line[i & all.mask];
  all.mask = before * 2 - 1;
}

void set_peak(uint64_t live) {
  g_quarantine.peak = live;
  uint64_t least = live * kTimes;
  if (least > kLeast)
    least = kLeast;
  else if (least < kLeastOfSmall)
    least = kLeastOfSmall;
  g_quarantine.least = least;
}

// A ripe block beside the last freed one.
Place find_near(unsigned size_class) {
  const Place &freed = g_quarantine.near[size_class].freed;
  if (!freed.row)
    return {};
  uint64_t freed_slot = heap::entry_slot(freed.entry);
  auto word = static_cast<int64_t>(freed_slot / kWord);
  auto words = static_cast<int64_t>((heap::kClasses.of[size_class].slots + kWord - 1) / kWord);
  const uint64_t *of_span = &g_quarantine.ripe[(number_of_row(freed.row) - freed_slot) / kWord];
  const int64_t places[] = {word, word + 1, word - 1};
  for (int64_t at : places) {
    if (at < 0 || at >= words || !of_span[at])
      continue;
    auto slot =
        static_cast<uint64_t>(at) * kWord + static_cast<uint64_t>(__builtin_ctzll(of_span[at]));
    auto distance = static_cast<int64_t>(slot - freed_slot);
    auto size = static_cast<int64_t>(heap::kClasses.of[size_class].size);
    uintptr_t start = heap::entry_start(freed.entry) + static_cast<uintptr_t>(distance * size);
    return {freed.row + distance, heap::make_entry(start, slot)};
  }
  return {};
}

} // namespace culprit::locate
