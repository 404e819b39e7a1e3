// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See targets.h. Counts are kept for definitions that have a target, and no others: nobody else
// calls fired().
#include "runtime/locate/targets.h"

#include "abi/run_file.h"
#include "runtime/locate/brought.h"
#include "runtime/locate/counted_place.h"
#include "runtime/locate/row_text.h"
#include "runtime/locate/stack_record.h"
#include "runtime/locate/state.h"
#include "runtime/locate/values.h"
#include "runtime/os/file.h"
#include "runtime/os/memory.h"
#include "runtime/run_file/writer.h"

namespace culprit::locate {
namespace {

constexpr size_t kMostTargets = kLongestFile / 6; // "1 a 0\n"

struct Suspect {
  uint64_t count;
  uint32_t first; // of its targets: position + 1
};

Target *g_targets;
Suspect *g_suspects; // by definition
Id g_keeping;        // of the store that is about to be left out without a trace; 0: none
uint32_t g_definitions;

bool read_how(const char *text, size_t length, size_t &at, TargetHow &how) {
  switch (at < length ? text[at++] : 0) {
  case 't':
    how = TargetHow::time;
    return true;
  case 's':
    how = TargetHow::since;
    return true;
  case 'n':
    how = TargetHow::count;
    return true;
  case 'f':
    how = TargetHow::from_count;
    return true;
  case 'a':
    how = TargetHow::always;
    return true;
  case 'k':
    how = TargetHow::kept;
    return true;
  case 'w':
    how = TargetHow::watched;
    return true;
  default:
    return false;
  }
}

bool read_row(const char *text, size_t length, size_t &at, Target &target) {
  uint64_t definition = 0;
  target = {};
  if (!read_number(text, length, at, definition) || !read_character(text, length, at, ' ') ||
      !read_how(text, length, at, target.how) || !read_character(text, length, at, ' ') ||
      !read_number(text, length, at, target.number) || !read_character(text, length, at, '\n'))
    return false;
  if (!definition || definition >= CULPRIT_MAX_DEFINITIONS)
    return false;
  target.definition = static_cast<uint32_t>(definition);
  switch (target.how) {
  case TargetHow::time:
  case TargetHow::since:
  case TargetHow::kept:
    return true; // 0: a variable's declaration, a global's initial value
  case TargetHow::always:
    return !target.number;
  default:
    return target.number > 0;
  }
}

bool is_hit(const Target &target, uint64_t count, Id id, uintptr_t address) {
  switch (target.how) {
  case TargetHow::time:
    return (id & ~CULPRIT_ID_CORRUPT) >> CULPRIT_ID_TIME_SHIFT == target.number;
  case TargetHow::since:
    return (id & ~CULPRIT_ID_CORRUPT) >> CULPRIT_ID_TIME_SHIFT >= target.number;
  case TargetHow::count:
    return count == target.number;
  case TargetHow::from_count:
    return count >= target.number;
  case TargetHow::always:
    return true;
  case TargetHow::kept:
    return address && (id & ~CULPRIT_ID_CORRUPT) >> CULPRIT_ID_TIME_SHIFT >= target.number;
  case TargetHow::watched:
    return false;
  }
  return false;
}

// What a store met.
struct Met {
  Id before;  // who wrote there before this definition did
  Id beside;  // who wrote the other half of the same 8 bytes
  Id through; // who wrote over a part of the pointer
  uintptr_t address;
};

// A statement that writes again and again to one place (an update of what it finds there) hides
// who wrote there first. So for each execution of a suspect, that is known of the last so many.
struct Origin {
  Id id; // 0: none
  Id before;
};
constexpr size_t kOrigins = size_t{1} << 18;
Origin *g_origins;

Origin &origin_of(Id id) {
  return g_origins[(id >> CULPRIT_ID_TIME_SHIFT ^ id * 0x9e3779b97f4a7c15u >> 32) % kOrigins];
}

// A pointer is written as a whole, with one id, unless something has run into it.
Id part_of(uintptr_t pointer) {
  if (!pointer || pointer % sizeof(void *))
    return 0;
  Id low = *cell_of(pointer);
  Id high = *cell_of(pointer + CULPRIT_CELL_BYTES);
  return low == high || is_corrupt(low) || is_corrupt(high) ? 0 : newer(low, high);
}

Met meet(Id raw, uintptr_t address, uintptr_t pointer) {
  Id id = raw & ~CULPRIT_ID_CORRUPT;
  Id before = *cell_of(address);
  if (is_corrupt(before))
    before = 0;
  if (before && (before & CULPRIT_ID_DEFINITION_MASK) == (id & CULPRIT_ID_DEFINITION_MASK)) {
    const Origin &known = origin_of(before);
    before = known.id == before ? known.before : 0;
  }
  origin_of(id) = {id, before};
  Id beside = *cell_of(address ^ CULPRIT_CELL_BYTES);
  return {before, is_corrupt(beside) ? 0 : beside, part_of(pointer), address};
}

void tell(Target &target, uint64_t count, Id id, const Met &met) {
  if (target.told)
    return;
  target.told = true;
  // The access itself is not made any more: this is one more than were.
  if (uint64_t executions = executions_of_place())
    count = executions + 1;
  culprit_record_fired record{id & ~CULPRIT_ID_CORRUPT, count};
  run_file::Part part{&record, sizeof record};
  run_file::append(CULPRIT_RECORD_fired, &part, 1);
  append_with_stack(CULPRIT_RECORD_target, culprit_record_target{record.id, met.before, met.beside,
                                                                 met.through, met.address, 0});
}

Id look_at(Id id, const Met &met) {
  auto definition = static_cast<uint32_t>(id & CULPRIT_ID_DEFINITION_MASK);
  Suspect &suspect = g_suspects[definition];
  uint64_t count = ++suspect.count;
  bool hit = false;
  for (uint32_t next = suspect.first; next; next = g_targets[next - 1].next)
    if (is_hit(g_targets[next - 1], count, id, met.address)) {
      hit = true;
      if (g_targets[next - 1].how == TargetHow::kept)
        g_keeping = id | CULPRIT_ID_CORRUPT;
      tell(g_targets[next - 1], count, id, met);
    }
  if (hit)
    __culprit_armed = 1;
  return hit ? id | CULPRIT_ID_CORRUPT : id & ~CULPRIT_ID_CORRUPT;
}

bool is_suspect(Id id) { return g_suspects && (id & CULPRIT_ID_DEFINITION_MASK) <= g_definitions; }

} // namespace

bool read_target(const char *text, size_t length, size_t &at, Target &target, bool &bad) {
  bad = false;
  if (at >= length)
    return false;
  bad = !read_row(text, length, at, target);
  return !bad;
}

void read_targets(const char *path, const culprit_locate_unit &unit) {
  if (!path[0] || !unit.attention || g_suspects)
    return;
  if (!os::can_read_file(path))
    stop_unusable("culprit: the file of targets cannot be read\n");
  char *text = os::map_sparse(0, kLongestFile);
  if (!text || !os::map_table(g_targets, kMostTargets) ||
      !os::map_table(g_suspects, size_t{unit.definitions} + 1) ||
      !os::map_table(g_origins, kOrigins))
    stop_unusable("culprit: no memory for the file of targets\n");
  g_definitions = unit.definitions;
  size_t length = os::read_file(path, text, kLongestFile);
  if (length == kLongestFile)
    stop_unusable("culprit: the file of targets is too long\n");
  uint32_t count = 0;
  size_t at = 0;
  Target target{};
  bool bad = false;
  while (read_target(text, length, at, target, bad)) {
    if (target.definition > unit.definitions)
      stop_unusable("culprit: the file of targets names a definition the program does not have\n");
    if (target.how == TargetHow::watched) {
      watch(target.number);
      continue;
    }
    Suspect &suspect = g_suspects[target.definition];
    target.next = suspect.first;
    g_targets[count++] = target;
    suspect.first = count;
    unit.attention[target.definition] = CULPRIT_ID_CORRUPT;
    // Declarations and initial values are corrupt without anybody's firing.
    bool has_time = target.how == TargetHow::time || target.how == TargetHow::since;
    if (target.how == TargetHow::always || (has_time && !target.number))
      __culprit_armed = 1;
  }
  if (bad)
    stop_unusable("culprit: the file of targets has a line that is no target\n");
  os::release(text, kLongestFile);
}

Id fired(Id id) {
  auto address = reinterpret_cast<uintptr_t>(__culprit_stored_at);
  __culprit_stored_at = nullptr;
  auto pointer = reinterpret_cast<uintptr_t>(__culprit_stored_through);
  if (!is_suspect(id))
    return id & ~CULPRIT_ID_CORRUPT;
  return look_at(id, address ? meet(id, address, pointer) : Met{});
}

bool keeps_what_was_there(Id id) {
  bool keeps = g_keeping && id == g_keeping;
  g_keeping = 0;
  return keeps;
}

} // namespace culprit::locate
