// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See stacks.h.
#include "runtime/monitor/stacks.h"

#include "runtime/monitor/graph.h"
#include "runtime/monitor/histograms.h"
#include "runtime/monitor/pacing.h"
#include "runtime/monitor/unseen_writes.h"
#include "runtime/os/file.h"
#include "runtime/run_file/writer.h"
#include "runtime/start/options.h"
#include "runtime/unwind/unwind.h"
#include "runtime/unwind/walk.h"

namespace culprit::monitor {

bool g_stacks_wanted;

namespace {

constexpr size_t kRing = 256;
constexpr size_t kDepth = 64;
constexpr size_t kOwnFrames = 12;
constexpr unsigned kAfter = 64;
constexpr unsigned kMostRecords = 8192; // of one run
constexpr unsigned kTold = 16;          // of one approach, at once
constexpr unsigned kMostTold = 2048;    // of one run: what leaves its range late must find room
constexpr uint64_t kDetail = 32;
constexpr size_t kMostRanges = 32;
constexpr double kLeastMargin = 1.0; // percentage points

enum class State : uint8_t { inside, approaching, crossed };

struct Watched {
  culprit_range range;
  double last;
  uint64_t since; // first stack of the ring that belongs to this approach
  unsigned after; // stacks still to be written after the crossing
  unsigned told;  // of the stacks from `since` on, so many are written already
  State state;
  bool high;
  bool has_last;
};

struct Kept {
  uintptr_t frames[kDepth];
  uint32_t depth;
  uint32_t index;
};

Watched g_watched[kMostRanges];
size_t g_watched_count;
Kept g_ring[kRing];
uint64_t g_kept; // ever
unsigned g_records;
unsigned g_told;
bool g_tells_approaches;
uint32_t g_index;

void append_stack(const Watched &watched, const Kept &kept, culprit_stack_when when) {
  if (g_records >= kMostRecords)
    return;
  ++g_records;
  culprit_record_stack record{};
  record.index = kept.index;
  record.metric = static_cast<uint16_t>(watched.range.metric);
  record.when = static_cast<uint16_t>(when);
  record.high = watched.high;
  record.depth = kept.depth;
  run_file::Part parts[] = {{&record, sizeof record},
                            {kept.frames, kept.depth * sizeof(uintptr_t)}};
  run_file::append(CULPRIT_RECORD_stack, parts, 2);
}

void capture(uintptr_t frame, Kept &kept) {
  size_t depth = unwind::depth();
  depth = depth < kDepth ? depth : kDepth;
  kept.index = g_index;
  size_t frames = 0;
  if (is_unmodified()) { // with some frames of ours in front, which the engine drops
    size_t more = depth + kOwnFrames < kDepth ? depth + kOwnFrames : kDepth;
    auto own = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    frames = unwind::capture_by_tables(frame ? frame : own, kept.frames, more);
  }
  if (!frames)
    frames = unwind::capture_from(frame, 0, kept.frames, depth);
  kept.depth = static_cast<uint32_t>(frames);
}

double value_of(unsigned metric) {
  uint64_t all = 0;
  uint64_t those = 0;
  for (unsigned cell = 0; cell < CULPRIT_CELLS; ++cell) {
    all += g_cells[cell];
    if (culprit_cell_in_metric(cell, metric))
      those += g_cells[cell];
  }
  return all ? 100.0 * static_cast<double>(those) / static_cast<double>(all) : -1.0;
}

bool is_beyond(const Watched &watched, double value) {
  return value < watched.range.low || value > watched.range.high;
}

void cross(Watched &watched, double value, uintptr_t frame) {
  watched.high = value > watched.range.high;
  uint64_t from = watched.state == State::approaching ? watched.since + watched.told : g_kept;
  if (g_kept - from > kRing)
    from = g_kept - kRing;
  for (; from < g_kept; ++from)
    append_stack(watched, g_ring[from % kRing], CULPRIT_STACK_BEFORE);
  Kept now;
  capture(frame, now);
  append_stack(watched, now, CULPRIT_STACK_CROSSED);
  watched.state = State::crossed;
  watched.after = kAfter;
}

void watch(Watched &watched, uintptr_t frame) {
  double value = value_of(watched.range.metric);
  if (value < 0)
    return;
  double margin = (watched.range.high - watched.range.low) / 4;
  if (margin < kLeastMargin)
    margin = kLeastMargin;
  bool rises = watched.has_last && value > watched.last;
  bool falls = watched.has_last && value < watched.last;
  bool near_high = value > watched.range.high - margin;
  bool near_low = value < watched.range.low + margin;
  watched.last = value;
  watched.has_last = true;
  if (is_beyond(watched, value)) {
    if (watched.state != State::crossed)
      cross(watched, value, frame);
  } else if (watched.state == State::crossed || !(near_high || near_low)) {
    watched.state = State::inside;
    watched.after = 0;
  } else if (watched.state == State::inside && ((near_high && rises) || (near_low && falls))) {
    watched.state = State::approaching;
    watched.since = g_kept;
    watched.told = 0;
    watched.high = near_high && rises;
  } else if (watched.state == State::approaching && !(near_high && near_low) &&
             (near_high ? falls : rises)) {
    watched.state = State::inside; // turned back
  }
}

bool wants_stacks(const Watched &watched) {
  return watched.state == State::approaching || watched.after;
}

} // namespace

void create_stacks() {
  g_tells_approaches = start::options().approaches != 0;
  const char *path = start::options().ranges.text;
  if (!*path)
    return;
  culprit_range ranges[kMostRanges];
  size_t bytes = os::read_file(path, reinterpret_cast<char *>(ranges), sizeof ranges);
  for (size_t i = 0; i < bytes / sizeof ranges[0]; ++i)
    if (ranges[i].metric < CULPRIT_DEGREE_METRICS)
      g_watched[g_watched_count++].range = ranges[i];
}

void keep_stack(uintptr_t frame) {
  Kept &kept = g_ring[g_kept % kRing];
  capture(frame, kept);
  ++g_kept;
  for (size_t i = 0; i < g_watched_count; ++i) {
    Watched &watched = g_watched[i];
    if (watched.after) {
      append_stack(watched, kept, CULPRIT_STACK_AFTER);
      --watched.after;
    } else if (g_tells_approaches && watched.state == State::approaching && watched.told < kTold &&
               g_told < kMostTold) {
      append_stack(watched, kept, CULPRIT_STACK_BEFORE);
      ++watched.told;
      ++g_told;
    }
  }
}

void watch_ranges(uint32_t index, uintptr_t frame) {
  if (!g_watched_count)
    return;
  g_index = index;
  bool wanted = false;
  for (size_t i = 0; i < g_watched_count; ++i) {
    watch(g_watched[i], frame);
    wanted |= wants_stacks(g_watched[i]);
  }
  wanted &= g_records < kMostRecords;
  __atomic_store_n(&g_stacks_wanted, wanted, __ATOMIC_RELAXED);
  set_detail(wanted ? kDetail : 1);
}

} // namespace culprit::monitor
