// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See verify.h.
#include "runtime/monitor/verify.h"

#include "runtime/monitor/edges.h"
#include "runtime/monitor/graph.h"
#include "runtime/monitor/unreadable.h"
#include "runtime/os/memory.h"
#include "runtime/run_file/writer.h"

namespace culprit::monitor {
namespace {

struct Scanned {
  uint32_t in;
  uint32_t out;
  Ref last_source; // that was counted: several words of one source are one edge
};

struct Block {
  Ref ref;
  uintptr_t start;
  size_t size;
};

struct LargeList {
  heap::LargeLive *at;
  size_t count;
};
constexpr size_t kMaxLarge = kPages / 2;
constexpr size_t kLargeBytes = kMaxLarge * sizeof(heap::LargeLive);

template <typename Visit> void for_each_live_block(const LargeList &large, Visit visit) {
  uint32_t end = heap::small_frontier();
  for (uint32_t page = 1; page < end;) {
    uint64_t entry = heap::g_arena.page_table[page];
    const heap::SizeClass &kind = heap::kClasses.of[heap::entry_class(entry)];
    for (size_t slot = 0; slot < kind.slots; ++slot) {
      char *start = heap::page_address(page) + slot * kind.size;
      heap::Object object = heap::find_object(start);
      if (object.live && ref_of(object))
        visit(Block{ref_of(object), object.start, object.size});
    }
    page += kind.span_pages;
  }
  for (size_t i = 0; i < large.count; ++i)
    visit(Block{kLargeRefs + large.at[i].page,
                reinterpret_cast<uintptr_t>(heap::page_address(large.at[i].page)),
                size_t{large.at[i].pages} << heap::kPageShift});
}

// As in scan.cpp, the target may write what is read here.
__attribute__((disable_sanitizer_instrumentation)) void scan_block(const Block &block,
                                                                   Scanned *table) {
  for (uintptr_t at = block.start; at < block.start + block.size; at += sizeof(uintptr_t)) {
    if (is_unreadable(at))
      continue;
    uintptr_t word = __atomic_load_n(reinterpret_cast<const uintptr_t *>(at), __ATOMIC_RELAXED);
    heap::Object target = heap::find_object(reinterpret_cast<const void *>(word));
    if (!target.live || !ref_of(target))
      continue;
    Scanned &scanned = table[ref_of(target)];
    if (scanned.last_source == block.ref)
      continue;
    scanned.last_source = block.ref;
    ++scanned.in;
    ++table[block.ref].out;
  }
}

} // namespace

uint64_t verify_graph(uint32_t index, uint32_t threads) {
  constexpr size_t kBytes = kRefs * sizeof(Scanned);
  auto *table = reinterpret_cast<Scanned *>(os::map_sparse(0, kBytes));
  LargeList large{reinterpret_cast<heap::LargeLive *>(os::map_sparse(0, kLargeBytes)), 0};
  if (!table || !large.at)
    return 0;
  large.count = heap::list_large(large.at, kMaxLarge);
  if (large.count > kMaxLarge)
    large.count = 0;
  for_each_live_block(large, [&](const Block &block) { scan_block(block, table); });
  culprit_record_verify record{};
  record.index = index;
  record.threads = threads;
  uint64_t cells[CULPRIT_CELLS] = {};
  for_each_live_block(large, [&](const Block &block) {
    const Scanned &scanned = table[block.ref];
    const Node &node = g_nodes[block.ref];
    ++record.vertexes;
    ++cells[culprit_cell(scanned.in, scanned.out)];
    if (node.flags & kCounted && node.in == scanned.in && live_out(node) == scanned.out)
      return;
    if (record.mismatches++)
      return;
    record.address = block.start;
    record.graph_in = node.in;
    record.graph_out = live_out(node);
    record.scan_in = scanned.in;
    record.scan_out = scanned.out;
  });
  os::release(reinterpret_cast<char *>(table), kBytes);
  os::release(reinterpret_cast<char *>(large.at), kLargeBytes);
  // Degrees that agree with cells that do not: the histogram is wrong, or has vertexes too many.
  if (!record.mismatches)
    for (unsigned cell = 0; cell < CULPRIT_CELLS; ++cell)
      record.mismatches +=
          cells[cell] > g_cells[cell] ? cells[cell] - g_cells[cell] : g_cells[cell] - cells[cell];
  if (!record.mismatches && graph_totals().live_objects != record.vertexes)
    record.mismatches = 1;
  run_file::Part part{&record, sizeof record};
  run_file::append(CULPRIT_RECORD_verify, &part, 1);
  return record.mismatches;
}

} // namespace culprit::monitor
