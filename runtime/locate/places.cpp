// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See places.h.
#include "runtime/locate/places.h"

#include <signal.h>

extern "C" {
// Defined by the linker, which chooses their names, where there is an instrumented unit.
// NOLINTBEGIN(readability-identifier-naming)
[[gnu::weak, gnu::visibility("hidden")]] extern const char __start_culprit_text[];
[[gnu::weak, gnu::visibility("hidden")]] extern const char __stop_culprit_text[];
[[gnu::weak, gnu::visibility("hidden")]] extern const culprit_place_row __start_culprit_places[];
[[gnu::weak, gnu::visibility("hidden")]] extern const culprit_place_row __stop_culprit_places[];
// NOLINTEND(readability-identifier-naming)
}

namespace culprit::locate {

Place find_place(PlaceRows rows, uintptr_t pc) {
  Place place{};
  for (size_t i = 0; i < rows.count; ++i) {
    const culprit_place_row &row = rows.first[i];
    uintptr_t start = reinterpret_cast<uintptr_t>(&row.start) + static_cast<intptr_t>(row.start);
    // Of several that start at one instruction the last is its own.
    if (start > pc || start < place.start)
      continue;
    place = {row.place, start};
  }
  return place;
}

bool is_instrumented(uintptr_t pc) {
  return __start_culprit_text && pc >= reinterpret_cast<uintptr_t>(__start_culprit_text) &&
         pc < reinterpret_cast<uintptr_t>(__stop_culprit_text);
}

Place place_at(int signal, uintptr_t pc) {
  if ((signal != SIGSEGV && signal != SIGBUS) || !__start_culprit_places || !is_instrumented(pc))
    return {};
  return find_place(
      {__start_culprit_places, static_cast<size_t>(__stop_culprit_places - __start_culprit_places)},
      pc);
}

} // namespace culprit::locate
