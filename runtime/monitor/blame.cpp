// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See blame.h. Threads that write the same entry at once leave one of their sites in it.
#include "runtime/monitor/blame.h"

#include "runtime/monitor/edges.h"
#include "runtime/monitor/graph.h"
#include "runtime/os/lock.h"
#include "runtime/run_file/writer.h"

namespace culprit::monitor {

Blamed *g_blamed;

namespace {

os::Lock g_lock;
// Pointers in the range that is being written, before the write.
__thread size_t g_before __attribute__((tls_model("initial-exec")));
// A block that is on its way to free(), and who sent it there.
struct Freeing {
  uintptr_t address;
  uint32_t site;
};
__thread Freeing g_freeing __attribute__((tls_model("initial-exec")));

bool ensure_tables() {
  if (__atomic_load_n(&g_blamed, __ATOMIC_ACQUIRE))
    return true;
  os::Hold hold(g_lock);
  if (!g_blamed)
    __atomic_store_n(&g_blamed,
                     reinterpret_cast<Blamed *>(os::map_sparse(0, kRefs * sizeof(Blamed))),
                     __ATOMIC_RELEASE);
  return g_blamed != nullptr;
}

void set(uint32_t &entry, uint32_t site) { __atomic_store_n(&entry, site + 1, __ATOMIC_RELAXED); }

template <typename Visit> void for_each_target(uintptr_t address, size_t size, Visit visit) {
  uintptr_t end = address + size;
  for (uintptr_t at = address & ~(sizeof(uintptr_t) - 1); at < end; at += sizeof(uintptr_t)) {
    auto word = __atomic_load_n(reinterpret_cast<const uintptr_t *>(at), __ATOMIC_RELAXED);
    heap::Object target = heap::find_object(reinterpret_cast<const void *>(word));
    if (target.live)
      if (Ref ref = ref_of(target))
        visit(ref);
  }
}

// Pointers outside the heap (globals, stacks) are no edges, and their loss is no loss of one.
Ref written_block(uintptr_t address) {
  heap::Object object = heap::find_object(reinterpret_cast<const void *>(address));
  return object.live ? ref_of(object) : 0;
}

constexpr size_t kRowsPerRecord = 16'384;
constexpr size_t kTable = size_t{1} << 22;
constexpr size_t kTableBytes = kTable * sizeof(culprit_blame_row);

struct Rows {
  culprit_blame_row *at; // count 0: free
  size_t used;

  void add(const culprit_blame_row &row) {
    uint64_t hash = (uint64_t{row.context} << 32 | row.linked) * 0x9e3779b97f4a7c15;
    hash ^= (uint64_t{row.unlinked} << 32 | row.wrote) * 0xc2b2ae3d27d4eb4f;
    hash = (hash ^ (uint64_t{row.changed} << 32 | row.cell)) * 0x9e3779b97f4a7c15;
    for (size_t i = hash >> 42;; i = (i + 1) & (kTable - 1)) {
      culprit_blame_row &found = at[i];
      if (!found.count && used < kTable / 2) {
        found = row;
        found.count = 1;
        ++used;
        return;
      }
      if (!found.count)
        return; // two million kinds of vertexes: more is not told
      if (found.context == row.context && found.cell == row.cell && found.linked == row.linked &&
          found.unlinked == row.unlinked && found.wrote == row.wrote &&
          found.changed == row.changed) {
        ++found.count;
        return;
      }
    }
  }
};

void add_vertex(Rows &rows, Ref ref) {
  const Node &node = g_nodes[ref];
  if (!(node.flags & kCounted))
    return;
  const Blamed &blamed = g_blamed[ref];
  culprit_blame_row row{};
  row.context = node.context;
  row.cell = culprit_cell(node.in, live_out(node));
  row.linked = blamed.linked - 1;
  row.unlinked = blamed.unlinked - 1;
  row.wrote = blamed.wrote - 1;
  row.changed = blamed.changed - 1;
  rows.add(row);
}

void append_rows(uint32_t index, const culprit_blame_row *rows, size_t count) {
  culprit_record_blame head{index, static_cast<uint32_t>(count)};
  run_file::Part parts[] = {{&head, sizeof head}, {rows, count * sizeof rows[0]}};
  run_file::append(CULPRIT_RECORD_blame, parts, 2);
}

} // namespace

void blame_before(uintptr_t address, size_t size, uint32_t site) {
  if (!ensure_tables() || !written_block(address))
    return;
  size_t pointers = 0;
  for_each_target(address, size, [&](Ref ref) {
    set(g_blamed[ref].unlinked, site);
    ++pointers;
  });
  g_before = pointers;
}

void blame_after(uintptr_t address, size_t size, uint32_t site) {
  if (!ensure_tables())
    return;
  Ref block = written_block(address);
  if (!block)
    return;
  set(g_blamed[block].wrote, site);
  size_t pointers = 0;
  for_each_target(address, size, [&](Ref ref) {
    set(g_blamed[ref].linked, site);
    ++pointers;
  });
  if (pointers != g_before)
    set(g_blamed[block].changed, site);
}

void blame_freeing(uintptr_t address, uint32_t site) { g_freeing = {address, site}; }

void blame_free(uintptr_t address, uint32_t site) {
  if (g_freeing.address == address)
    site = g_freeing.site;
  g_freeing = {};
  heap::Object object = heap::find_object(reinterpret_cast<const void *>(address));
  if (ensure_tables() && object.live)
    for_each_target(object.start, object.size, [&](Ref ref) { set(g_blamed[ref].unlinked, site); });
}

void append_blame(uint32_t index) {
  Rows rows{g_blamed ? reinterpret_cast<culprit_blame_row *>(os::map_sparse(0, kTableBytes))
                     : nullptr,
            0};
  if (!rows.at)
    return;
  KnownSpans spans = known_spans();
  for (size_t i = 0; i < spans.count; ++i) {
    Ref first = first_ref(spans.at[i].page);
    for (Ref ref = first; ref < first + heap::kClasses.of[spans.at[i].size_class].slots; ++ref)
      add_vertex(rows, ref);
  }
  KnownLarge large = known_large();
  for (size_t i = 0; i < large.count; ++i)
    add_vertex(rows, kLargeRefs + large.at[i].page);
  // Rows to the front of the table, then out in pieces.
  size_t kept = 0;
  for (size_t i = 0; i < kTable && kept < rows.used; ++i)
    if (rows.at[i].count)
      rows.at[kept++] = rows.at[i];
  for (size_t from = 0; from < kept; from += kRowsPerRecord)
    append_rows(index, rows.at + from, kept - from < kRowsPerRecord ? kept - from : kRowsPerRecord);
  os::release(reinterpret_cast<char *>(rows.at), kTableBytes);
}

} // namespace culprit::monitor
