// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See rooms.h.
#include "runtime/explain/rooms.h"

#include "abi/explain.h"
#include "runtime/os/file.h"
#include "runtime/os/memory.h"
#include "runtime/text.h"

namespace culprit::explain {

bool g_rooms_given;

namespace {
constexpr size_t kMost = size_t{1} << 26;
culprit_room *g_rooms;
size_t g_count;
} // namespace

void read_rooms(const char *snapshot) {
  static char path[4200];
  if (!*snapshot || text::length_of(snapshot) + sizeof CULPRIT_ROOMS_ENDING > sizeof path)
    return;
  text::append(path, text::append(path, 0, snapshot), CULPRIT_ROOMS_ENDING);
  if (!os::can_read_file(path) || !os::map_table(g_rooms, kMost))
    return;
  g_count = os::read_file(path, reinterpret_cast<char *>(g_rooms), kMost * sizeof *g_rooms) /
            sizeof *g_rooms;
  g_rooms_given = g_count != 0;
}

size_t room_of(uint64_t index, size_t size) {
  size_t low = 0;
  size_t high = g_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (g_rooms[middle].index < index)
      low = middle + 1;
    else
      high = middle;
  }
  return low < g_count && g_rooms[low].index == index && g_rooms[low].size > size
             ? g_rooms[low].size
             : size;
}

} // namespace culprit::explain
