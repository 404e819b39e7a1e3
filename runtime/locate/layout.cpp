// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See layout.h.
#include "runtime/locate/layout.h"

#include "runtime/locate/crash.h"
#include "runtime/locate/ids.h"
#include "runtime/locate/row_text.h"
#include "runtime/locate/state.h"
#include "runtime/locate/values.h"
#include "runtime/os/file.h"
#include "runtime/os/memory.h"

namespace culprit::locate {
namespace {

static_assert(CULPRIT_LAYOUT_STACK_TOP == kDataStackTop);

constexpr size_t kMostFences = size_t{1} << 20;
constexpr size_t kMostFrames = size_t{1} << 20; // that are told apart at exit

constexpr uint64_t kLeftFrames = CULPRIT_LAYOUT_ARENA_SIZE / 2; // where they begin in the arena

struct FrameFence {
  Fence fence;
  uint32_t next; // of the same function: position + 1
};

struct LiveFrame {
  uintptr_t frame;
  uint64_t function;
  uintptr_t block; // of its variables (left_frames.h); 0: they are in the frame
};

char *g_arena;
Fence *g_fences;
size_t g_fence_count;
FrameFence *g_frame_fences;
uint32_t g_frame_fence_count;
uint32_t *g_first_fence; // by function: position + 1
uint64_t g_functions;
LiveFrame *g_live;
size_t g_live_count;

bool read_fields(const char *text, size_t length, size_t &at, uint64_t **fields, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!read_character(text, length, at, ' ') || !read_number(text, length, at, *fields[i]))
      return false;
  return read_character(text, length, at, '\n');
}

bool read_row(const char *text, size_t length, size_t &at, LayoutRow &row) {
  row = {};
  row.kind = text[at++];
  Fence &fence = row.fence;
  uint64_t *fields[] = {&row.index,   &fence.offset, &fence.length,
                        &fence.start, &fence.size,   &fence.definition};
  uint64_t *pair[] = {&row.index, &row.value};
  uint64_t *kept[] = {&row.index, &row.variable.entry, &row.variable.offset, &row.variable.size,
                      &row.variable.definition};
  switch (row.kind) {
  case 'g':
  case 'v':
  case 'l':
    return read_fields(text, length, at, pair, 2);
  case 'w':
    return read_fields(text, length, at, fields + 1, 5);
  case 'f':
    return read_fields(text, length, at, fields, 6);
  case 'k':
    return read_fields(text, length, at, kept, 5);
  default:
    return false;
  }
}

bool is_room_at(uint64_t offset, uint64_t size) {
  return offset < kLeftFrames && size <= kLeftFrames - offset;
}

uintptr_t in_arena(uint64_t offset) { return reinterpret_cast<uintptr_t>(g_arena) + offset; }

bool apply(const LayoutRow &row, const culprit_layout_unit &unit) {
  switch (row.kind) {
  case 'g':
    if (row.index >= unit.global_count || !is_room_at(row.value, unit.globals[row.index].size))
      return false;
    unit.table[row.index] = in_arena(row.value);
    return true;
  case 'v':
  case 'l':
    if (row.index < unit.global_count || row.index >= unit.entries ||
        row.value >= CULPRIT_LAYOUT_ABSOLUTE)
      return false;
    unit.table[row.index] = row.kind == 'l' ? in_arena(row.value) : row.value;
    return row.kind == 'v' || is_room_at(row.value, 1);
  case 'w':
    if (g_fence_count == kMostFences || !is_room_at(row.fence.offset, row.fence.length))
      return false;
    g_fences[g_fence_count++] = row.fence;
    return true;
  case 'k':
    return keep_variable(row.index, row.variable);
  default:
    if (g_frame_fence_count == kMostFences || row.index >= unit.functions)
      return false;
    g_frame_fences[g_frame_fence_count++] = {row.fence, g_first_fence[row.index]};
    g_first_fence[row.index] = g_frame_fence_count;
    return true;
  }
}

void read_layout(const char *path, const culprit_layout_unit &unit) {
  if (!os::can_read_file(path))
    stop_unusable("culprit: the file of the layout cannot be read\n");
  char *text = os::map_sparse(0, kLongestFile);
  g_arena = os::map_sparse(CULPRIT_LAYOUT_ARENA, kLeftFrames);
  if (!text || !g_arena || !os::map_table(g_fences, kMostFences) ||
      !os::map_table(g_frame_fences, kMostFences) ||
      !os::map_table(g_first_fence, unit.functions + 1) || !os::map_table(g_live, kMostFrames) ||
      !make_left_frames(unit, CULPRIT_LAYOUT_ARENA + kLeftFrames,
                        CULPRIT_LAYOUT_ARENA_SIZE - kLeftFrames))
    stop_unusable("culprit: no memory for the layout\n");
  g_functions = unit.functions;
  size_t length = os::read_file(path, text, kLongestFile);
  LayoutRow row{};
  bool bad = false;
  for (size_t at = 0; read_layout_row(text, length, at, row, bad);)
    bad = bad || !apply(row, unit);
  if (bad || length == kLongestFile)
    stop_unusable("culprit: the file of the layout has a line that is none, or is too long\n");
  os::release(text, kLongestFile);
}

void set(uintptr_t from, const Fence &fence) {
  uintptr_t at = from + fence.offset;
  __builtin_memset(reinterpret_cast<void *>(at), kGuard, fence.length);
  uintptr_t whole = (at + CULPRIT_CELL_BYTES - 1) & ~uintptr_t{CULPRIT_CELL_BYTES - 1};
  uintptr_t end = at + fence.length;
  if (whole < end)
    define(whole, end - whole, 0);
}

VariableDamage check(uintptr_t from, const Fence &fence) {
  return {.damage = check_pattern(from + fence.offset, fence.length, kGuard),
          .variable = from + fence.start,
          .size = fence.size,
          .declaration = fence.definition,
          .has_left = false,
          .left = 0};
}

VariableDamage check_frame(uintptr_t frame, uint64_t function) {
  VariableDamage found{};
  if (function < g_functions)
    for (uint32_t next = g_first_fence[function]; next; next = g_frame_fences[next - 1].next)
      found = earlier(found, check(frame, g_frame_fences[next - 1].fence));
  return found;
}

// Functions say in these bytes that they were entered.
void share_entered(const culprit_layout_unit &unit, const char *path) {
  os::FileIdentity identity{};
  size_t bytes = (unit.functions + os::kOsPage) & ~(os::kOsPage - 1);
  char *address = path[0] ? os::reserve(0, bytes) : nullptr;
  if (address && os::create_file(path, identity) == os::Create::made &&
      os::map_file_part(path, identity, 0, bytes, address))
    *unit.entered = reinterpret_cast<unsigned char *>(address);
}

} // namespace

bool read_layout_row(const char *text, size_t length, size_t &at, LayoutRow &row, bool &bad) {
  if (bad || at >= length)
    return false;
  bad = !read_row(text, length, at, row);
  return !bad;
}

void register_layout(const culprit_layout_unit &unit, const char *layout, const char *entered) {
  share_entered(unit, entered);
  if (g_arena || !layout[0])
    return;
  read_layout(layout, unit);
  for (size_t i = 0; i < g_fence_count; ++i)
    set(in_arena(0), g_fences[i]);
  // In the images first: they may hold each other's addresses.
  for (uint64_t i = 0; i < unit.pointer_count; ++i) {
    const culprit_moved_pointer &pointer = unit.pointers[i];
    *pointer.word = unit.table[pointer.global] + static_cast<uint64_t>(pointer.addend);
  }
  for (uint64_t i = 0; i < unit.global_count; ++i) {
    auto *home = reinterpret_cast<char *>(unit.table[i]);
    if (home != unit.globals[i].image)
      __builtin_memcpy(home, unit.globals[i].image, unit.globals[i].size);
  }
}

bool lies_in_arena(uintptr_t address, size_t size) {
  const uintptr_t offset = address - CULPRIT_LAYOUT_ARENA;
  return (g_arena && is_room_at(offset, size)) || lies_in_left_frames(address, size);
}

void enter_frame(uintptr_t frame, uint64_t function) {
  if (function >= g_functions)
    return;
  // Frames below were left by an exception or by longjmp.
  while (g_live_count && g_live[g_live_count - 1].frame <= frame)
    --g_live_count;
  uintptr_t block = begin_activation(function);
  if (g_live_count < kMostFrames)
    g_live[g_live_count++] = {frame, function, block};
  for (uint32_t next = g_first_fence[function]; next; next = g_frame_fences[next - 1].next)
    set(frame, g_frame_fences[next - 1].fence);
}

void leave_frame(uintptr_t frame, uint64_t function) {
  if (function >= g_functions)
    return;
  for (size_t left = g_live_count; left && g_live[left - 1].frame <= frame; --left)
    if (const LiveFrame &live = g_live[left - 1]; live.frame == frame && live.function == function)
      end_activation(function, live.block);
  while (g_live_count && g_live[g_live_count - 1].frame <= frame)
    --g_live_count;
  if (VariableDamage found = check_frame(frame, function); found.damage.address)
    stop_with_damage(found);
}

VariableDamage check_fences_at_exit() {
  VariableDamage found{};
  for (size_t i = 0; i < g_fence_count; ++i)
    found = earlier(found, check(in_arena(0), g_fences[i]));
  for (size_t i = 0; i < g_live_count; ++i)
    if (g_live[i].frame >= reinterpret_cast<uintptr_t>(__culprit_data_stack))
      found = earlier(found, check_frame(g_live[i].frame, g_live[i].function));
  return found;
}

} // namespace culprit::locate
