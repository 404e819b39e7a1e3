// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See regions.h. A block's index lies in a table beside the heap's, by the number of its object; of
// large blocks by page. A freed block keeps its row until it is handed out again: the heap knows
// whether it lives.
#include "runtime/explain/regions.h"

#include "runtime/explain/allocations.h"
#include "runtime/explain/flavour.h"
#include "runtime/explain/frames.h"
#include "runtime/explain/pools.h"
#include "runtime/explain/rooms.h"
#include "runtime/explain/sized_locals.h"
#include "runtime/heap/allocate.h"
#include "runtime/text.h"

namespace culprit::explain {
namespace {

struct BlockRow {
  uint64_t index;
  uint64_t size;
  uint32_t site;
  uint32_t kind; // 0: never noted
};

BlockRow *g_small;
BlockRow *g_large;
struct SortedGlobal {
  const culprit_explained_global *global;
};
SortedGlobal *g_sorted; // by address
bool *g_pooled;         // by the number of a global: a pool hands out its memory
int g_argument_count;
char **g_arguments;

// What a block is called by that is made where this frame stands: the innermost site that is no
// system header's, since a container's own line says nothing; the innermost of all, if all are.
uint32_t users_site(const culprit_frame &innermost) {
  for (const culprit_frame *frame = &innermost; frame; frame = frame->caller)
    if (frame->site < g_unit->site_count &&
        !(g_unit->sites[frame->site].flags & CULPRIT_SITE_SYSTEM))
      return frame->site;
  return innermost.site;
}

BlockRow *row_of(const heap::Object &object) {
  if (!object.start)
    return nullptr;
  return object.size_class == heap::kLargeClass ? &g_large[object.number - heap::kLargeNumbers]
                                                : &g_small[object.number];
}

// Moves the greatest of the heap to its end, again and again: no recursion, no memory.
void sort_by_address(SortedGlobal *rows, size_t count) {
  auto sink = [&](size_t at, size_t end) {
    for (size_t child; (child = at * 2 + 1) < end; at = child) {
      if (child + 1 < end && rows[child].global->address < rows[child + 1].global->address)
        ++child;
      if (rows[at].global->address >= rows[child].global->address)
        return;
      SortedGlobal held = rows[at];
      rows[at] = rows[child];
      rows[child] = held;
    }
  };
  for (size_t i = count / 2; i-- > 0;)
    sink(i, count);
  for (size_t end = count; end > 1; --end) {
    SortedGlobal held = rows[0];
    rows[0] = rows[end - 1];
    rows[end - 1] = held;
    sink(0, end - 1);
  }
}

// What a pool hands out is its objects'; the rest is its own affair, as a heap's is.
Region region_of_global(const culprit_explained_global &global) {
  Region region{culprit_index_fold(global.kind, global.id),
                reinterpret_cast<uintptr_t>(global.address),
                global.size,
                global.kind,
                global.number,
                0};
  if (g_pooled[&global - g_unit->globals]) {
    region.kind = CULPRIT_REGION_NATIVE;
    region.number = 0;
  }
  return region;
}

Region region_of_local(const culprit_frame &frame, uint32_t local) {
  const culprit_explained_function &function = *frame.function;
  return {culprit_index_fold(frame.index, function.local[local].id),
          reinterpret_cast<uintptr_t>(&frame) + function.local[local].offset,
          function.local[local].size,
          CULPRIT_REGION_LOCAL,
          function.first_local + local,
          0};
}

Region region_of_sized(const SizedLocal &local) {
  return {local.index, local.start, local.size, CULPRIT_REGION_LOCAL, local.number, local.room};
}

Region region_of_pooled(const PoolObject &object) {
  return {object.index, object.start, object.size, CULPRIT_REGION_BLOCK, object.site, 0};
}

Region region_of_block(const heap::Object &object, const BlockRow &row) {
  // The last byte belongs to nobody: see with_end.
  return {row.index, object.start, row.size, row.kind, row.site, object.size - 1};
}

// The size is part of the index: one that is larger in the other run is another one, to which a
// pointer can be taken over.
Region argument(uint32_t number) {
  const char *text = number ? g_arguments[number - 1] : nullptr;
  size_t size = text ? text::length_of(text) + 1
                     : (static_cast<size_t>(g_argument_count) + 1) * sizeof(char *);
  uint64_t index = culprit_index_fold(CULPRIT_INDEX_ARGUMENT, number);
  return {culprit_index_fold(index, size),
          text ? reinterpret_cast<uintptr_t>(text) : reinterpret_cast<uintptr_t>(g_arguments),
          size,
          CULPRIT_REGION_ARGUMENT,
          number,
          0};
}

bool holds(const Region &region, uintptr_t address) {
  return address - region.address < region.size;
}

// Null: none.
const culprit_explained_global *global_at(uintptr_t address) {
  size_t low = 0;
  size_t high = g_unit->global_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (reinterpret_cast<uintptr_t>(g_sorted[middle].global->address) <= address)
      low = middle + 1;
    else
      high = middle;
  }
  const culprit_explained_global *last = low ? g_sorted[low - 1].global : nullptr;
  return last && address - reinterpret_cast<uintptr_t>(last->address) < last->size ? last : nullptr;
}

Region find_local(uintptr_t address) {
  for (size_t i = g_sized_locals; i-- > 0;)
    if (Region region = region_of_sized(sized_local(i)); holds(region, address))
      return region;
  for (const culprit_frame *frame = t_frame; frame; frame = frame->caller) {
    uintptr_t offset = address - reinterpret_cast<uintptr_t>(frame);
    if (offset >= frame->function->size)
      continue;
    for (uint32_t i = 0; i < frame->function->locals; ++i)
      if (Region region = region_of_local(*frame, i); holds(region, address))
        return region;
    return {};
  }
  return {};
}

} // namespace

bool create_regions() {
  uint64_t pages = heap::g_arena.size >> heap::kPageShift;
  uint64_t numbers = pages / 2 * (heap::kSlotsPerPage + heap::kNumberUnit);
  if (!os::map_table(g_small, numbers) || !os::map_table(g_large, pages) ||
      !os::map_table(g_sorted, g_unit->global_count + 1) ||
      !os::map_table(g_pooled, g_unit->global_count + 1))
    return false;
  for (size_t i = 0; i < g_unit->global_count; ++i)
    g_sorted[i].global = &g_unit->globals[i];
  sort_by_address(g_sorted, g_unit->global_count);
  return true;
}

void set_arguments(int count, char **arguments) {
  g_argument_count = count;
  g_arguments = arguments;
}

Region region_of(uintptr_t address) {
  if (const PoolObject *object = find_pool_object(address))
    return region_of_pooled(*object);
  if (heap::in_arena(reinterpret_cast<void *>(address))) {
    heap::Object object = heap::find_object(reinterpret_cast<void *>(address));
    BlockRow *row = row_of(object);
    return row && row->kind && object.live && address - object.start < row->size
               ? region_of_block(object, *row)
               : Region{};
  }
  if (Region region = find_local(address); region.kind)
    return region;
  if (const culprit_explained_global *global = global_at(address))
    return region_of_global(*global);
  for (int i = 0; g_arguments && i <= g_argument_count; ++i)
    if (Region region = argument(static_cast<uint32_t>(i)); holds(region, address))
      return region;
  return {};
}

void *note_block(void *block, size_t size, bool zeroed) {
  BlockRow *row = block ? row_of(heap::find_object(block)) : nullptr;
  if (!row)
    return block;
  if (!zeroed)
    __builtin_memset(block, 0, size);
  *row = {};
  if (!t_frame) {
    tell_allocation(0, size);
    return block;
  }
  uint32_t site = t_frame->site;
  bool own = site < g_unit->site_count && g_unit->sites[site].flags & CULPRIT_SITE_ALLOCATES;
  uint64_t index = culprit_index_fold(next_happening(*t_frame), CULPRIT_INDEX_BLOCK);
  *row = {index, size, users_site(*t_frame), own ? CULPRIT_REGION_BLOCK : CULPRIT_REGION_NATIVE};
  tell_allocation(culprit_index_fold(index, size), size); // as the index flavours have it
  return block;
}

size_t room_for_next(size_t size) {
  if (!g_rooms_given || !t_frame)
    return size;
  uint64_t index = culprit_index_fold(index_at(*t_frame, t_frame->site), t_frame->happened);
  return room_of(culprit_index_fold(index, CULPRIT_INDEX_BLOCK), size);
}

bool resize(uintptr_t address, size_t size) {
  for (size_t i = 0; i < g_sized_locals; ++i)
    if (SizedLocal &local = sized_local(i); local.start == address && size <= local.room) {
      local.size = size;
      return true;
    }
  heap::Object object = heap::find_object(reinterpret_cast<void *>(address));
  BlockRow *row = row_of(object);
  if (!row || !row->kind || object.start != address || size >= object.size)
    return false;
  row->size = size;
  return true;
}

void note_pooled(const void *pool, void *address, size_t size) {
  uintptr_t start = reinterpret_cast<uintptr_t>(address);
  if (!t_frame || !size || region_of(start).kind == CULPRIT_REGION_LOCAL)
    return;
  if (heap::in_arena(address)) {
    if (BlockRow *row = row_of(heap::find_object(address)); row && row->kind)
      row->kind = CULPRIT_REGION_NATIVE;
  } else if (const culprit_explained_global *global = global_at(start)) {
    g_pooled[global - g_unit->globals] = true;
  }
  __builtin_memset(address, 0, size);
  uint64_t index = culprit_index_fold(next_happening(*t_frame), CULPRIT_INDEX_BLOCK);
  index = culprit_index_fold(index, size);
  add_pool_object({start, size, index, pool, users_site(*t_frame)});
  tell_allocation(index, size);
}

void *own_block(void *block) {
  BlockRow *row = block ? row_of(heap::find_object(block)) : nullptr;
  if (row && row->kind == CULPRIT_REGION_NATIVE)
    row->kind = CULPRIT_REGION_BLOCK;
  return block;
}

size_t noted_size(const void *block) {
  BlockRow *row = g_on ? row_of(heap::find_object(block)) : nullptr;
  return row ? row->size : 0;
}

void *note_resized(void *block, size_t size, size_t before) {
  note_block(block, size, true);
  if (block && before && before < size)
    __builtin_memset(static_cast<char *>(block) + before, 0, size - before);
  return block;
}

void *allocate_as(size_t size, uint64_t index, uint32_t site) {
  void *block = heap::allocate_zeroed(with_end(size));
  BlockRow *row = block ? row_of(heap::find_object(block)) : nullptr;
  if (row)
    *row = {index, size, site, CULPRIT_REGION_BLOCK};
  return row ? block : nullptr;
}

void visit_regions(void (*visit)(const Region &region, void *data), void *data) {
  for_each_pool_object([&](const PoolObject &object) { visit(region_of_pooled(object), data); });
  for (size_t i = 0; i < g_unit->global_count; ++i)
    visit(region_of_global(g_unit->globals[i]), data);
  for (size_t i = 0; i < g_sized_locals; ++i)
    visit(region_of_sized(sized_local(i)), data);
  for (const culprit_frame *frame = t_frame; frame; frame = frame->caller)
    for (uint32_t i = 0; i < frame->function->locals; ++i)
      visit(region_of_local(*frame, i), data);
  for (int i = 0; g_arguments && i <= g_argument_count; ++i)
    visit(argument(static_cast<uint32_t>(i)), data);
  auto visit_object = [&](const void *address) {
    heap::Object object = heap::find_object(address);
    BlockRow *row = row_of(object);
    if (row && row->kind && object.live)
      visit(region_of_block(object, *row), data);
  };
  for (uint32_t page = 1; page < heap::small_frontier();) {
    const heap::SizeClass &kind =
        heap::kClasses.of[heap::entry_class(heap::g_arena.page_table[page])];
    for (size_t slot = 0; slot < kind.slots; ++slot)
      visit_object(heap::page_address(page) + slot * kind.size);
    page += kind.span_pages ? kind.span_pages : 1;
  }
  for (uint32_t page = heap::large_first(); page < heap::large_frontier(); ++page)
    if (g_large[page].kind)
      visit_object(heap::page_address(page));
}

} // namespace culprit::explain
