// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See ids.h.
#include "runtime/locate/ids.h"

#include "runtime/locate/extents.h"
#include "runtime/locate/stains.h"
#include "runtime/locate/unwritten.h"
#include "runtime/locate/values.h"

namespace culprit::locate {
namespace {

constexpr uintptr_t kInCell = CULPRIT_CELL_BYTES - 1;
// Stamped at most: a length that was wild and whose effect was suppressed must not eat the memory.
constexpr size_t kLongest = size_t{1} << 30;
constexpr size_t kLongestAstray = size_t{1} << 20;

// From here on the processor's own loop is faster, which writes whole cache lines unread.
constexpr size_t kManyCells = 128;

void fill(Cells cells, Id id) {
  asm volatile("rep stosq" : "+D"(cells.first), "+c"(cells.count) : "a"(id) : "memory");
}

// What a cell gets that is made of bytes of one or two others.
Id mixed(uintptr_t from, size_t size, Id id) {
  Id source = id_of(from, size);
  return is_corrupt(source) ? newer(source, id) : id;
}

// The cells of a misaligned copy, each made of parts of two. In the direction in which no source is
// overwritten before it is read.
void copy_mixed(uintptr_t to, uintptr_t from, size_t size, Id id) {
  uintptr_t first = to & ~kInCell;
  uintptr_t last = (to + size - 1) & ~kInCell;
  bool upwards = to < from;
  uintptr_t cell = upwards ? first : last;
  for (;;) {
    uintptr_t start = cell < to ? to : cell;
    uintptr_t end = cell + CULPRIT_CELL_BYTES < to + size ? cell + CULPRIT_CELL_BYTES : to + size;
    *cell_of(cell) = mixed(from + (start - to), end - start, id);
    if (cell == (upwards ? last : first))
      return;
    cell = upwards ? cell + CULPRIT_CELL_BYTES : cell - CULPRIT_CELL_BYTES;
  }
}

// size not 0
void copy_inside(uintptr_t to, uintptr_t from, size_t size, Id id) {
  if ((to ^ from) & kInCell)
    return copy_mixed(to, from, size, id);
  size_t before = -to & kInCell;
  if (before > size)
    before = size;
  size_t behind = (size - before) & kInCell;
  size_t whole = size - before - behind;
  // Both ends are looked at before anything is written: the ranges may overlap.
  Id head = before ? mixed(from, before, id) : 0;
  Id tail = behind ? mixed(from + before + whole, behind, id) : 0;
  Cells target = cells_of(to + before, whole);
  Cells source = cells_of(from + before, whole);
  size_t count = target.count < source.count ? target.count : source.count;
  __builtin_memmove(target.first, source.first, count * sizeof(Id));
  if (before)
    *cell_of(to) = head;
  if (behind)
    *cell_of(to + before + whole) = tail;
}

// The newest of these cells, some of which are marked: each is looked at.
[[gnu::cold]] Id look_at_marked(uintptr_t address, size_t size) {
  Id newest = 0;
  uintptr_t end = address + size;
  for (uintptr_t from = address; from < end;) {
    uintptr_t behind = (from & ~kInCell) + CULPRIT_CELL_BYTES;
    size_t length = (behind < end ? behind : end) - from;
    newest = newer(newest, unless_written(*cell_of(from), from, length));
    from += length;
  }
  return newest;
}

} // namespace

void define(uintptr_t address, size_t size, Id id) {
  if (size > kLongest)
    size = kLongest;
  // Behind an object's end nobody was meant to write so much: of a length that was wild (-1) the
  // beginning is enough.
  if (size > kLongestAstray)
    if (size_t room = room_at(address); room < size)
      size = room > kLongestAstray ? room : kLongestAstray;
  Cells cells = cells_of(address, size);
  if (!id)
    return clear_cells(cells);
  if (is_corrupt(id)) [[unlikely]]
    stain(address, size);
  if (cells.count >= kManyCells)
    return fill(cells, id);
  for (size_t i = 0; i < cells.count; ++i)
    cells.first[i] = id;
}

void copy_ids(uintptr_t to, uintptr_t from, size_t size, Id id) {
  if (!size || to == from)
    return;
  if (size > kLongest)
    size = kLongest;
  if (is_corrupt(id) || (__culprit_armed && is_stained(from, size))) [[unlikely]]
    stain(to, size);
  size_t room = room_at(to);
  if (room)
    copy_inside(to, from, room < size ? room : size, id);
  if (room < size)
    define(to + room, size - room, id);
}

Id id_of(uintptr_t address, size_t size) {
  Cells cells = cells_of(address, size);
  Id newest = 0;
  for (size_t i = 0; i < cells.count; ++i)
    newest = newer(newest, cells.first[i]);
  return is_unwritten(newest) ? look_at_marked(address, size) : newest;
}

Id id_of_text(const char *text) {
  size_t length = 0;
  while (text[length])
    ++length;
  return id_of(reinterpret_cast<uintptr_t>(text), length + 1);
}

} // namespace culprit::locate
