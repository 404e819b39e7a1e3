// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vertexes by number. A reference is 32 bits: 0 none; a small block's object number + 1; a large
// block's first page + kLargeRefs. Words that point into the large half are kept as the page they
// point to, since blocks there come and go with other extents; the owner table says whose page it
// is (graph.cpp).
//
// Tables are indexed by reference, mapped as a whole and backed where they are used: 16 bytes of
// node, 4 of allocation mark and one byte of liveness per slot ever handed out. Only the holder of
// the point lock touches nodes and liveness; marks are written by the allocating thread.
#pragma once

#include "runtime/heap/object.h"
#include "runtime/monitor/contexts.h"

namespace culprit::monitor {

using Ref = uint32_t;
constexpr Ref kLargeRefs = 1u << 30;
constexpr size_t kPages = heap::kArenaSize >> heap::kPageShift;
constexpr size_t kRefs = kLargeRefs + kPages;

enum NodeFlag : uint8_t {
  kSource = 1,     // its words are part of the graph
  kCounted = 2,    // it is part of the histograms
  kSingleLive = 4, // the one target kept in `out` is alive
  kWide = 8,       // above kNarrow: a shadow of its words instead of a list of targets
};

struct Node {
  uint32_t in;     // sources that point here, this vertex being alive or not
  uint32_t in_xor; // of their references: with one source, its reference
  uint32_t out;    // 0: no target; kListed clear: the only target; else an index of the edge pool
  uint32_t context : kContextBits;
  uint32_t few : 3; // living targets, 7 and more as 7: for the cell, without a look at the list
  uint32_t flags : 6;
};
static_assert(sizeof(Node) == 16);

constexpr uint32_t kListed = 1u << 31;
constexpr size_t kNarrow = 4096; // blocks up to here are scanned as a whole

extern Node *g_nodes;
extern uint32_t *g_marks;     // allocation context, kNativeMark
extern uint8_t *g_alive;      // the heap's live bytes as of the last point; by object number
extern uint32_t *g_owner;     // by page: reference of the large block as of the last point
extern uint32_t *g_page_refs; // by page: sources with a word that points there

constexpr uint32_t kNativeMark = kListed; // unseen native code may write the block at any time

bool create_vertexes();

inline Ref ref_of(const heap::Object &object) {
  if (object.size_class == heap::kLargeClass)
    return kLargeRefs + static_cast<uint32_t>(object.number - heap::kLargeNumbers);
  return object.number < kLargeRefs - 1 ? static_cast<Ref>(object.number) + 1 : 0;
}

inline uint8_t &alive(Ref small) { return g_alive[small - 1]; }

// Where a small vertex lies.
struct Place {
  uintptr_t start;
  unsigned size_class;
};

} // namespace culprit::monitor
