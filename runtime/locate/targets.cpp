// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See targets.h. Counts are kept for definitions that have a target, and no others: nobody else
// calls fired().
#include "runtime/locate/targets.h"

#include "abi/run_file.h"
#include "runtime/locate/state.h"
#include "runtime/os/file.h"
#include "runtime/os/memory.h"
#include "runtime/run_file/writer.h"

namespace culprit::locate {
namespace {

constexpr size_t kLongestFile = size_t{64} << 20;
constexpr size_t kMostTargets = kLongestFile / 6; // "1 a 0\n"

struct Suspect {
  uint64_t count;
  uint32_t first; // of its targets: position + 1
};

Target *g_targets;
Suspect *g_suspects; // by definition
uint32_t g_definitions;

bool read_number(const char *text, size_t length, size_t &at, uint64_t &number) {
  size_t start = at;
  number = 0;
  while (at < length && text[at] >= '0' && text[at] <= '9') {
    if (__builtin_mul_overflow(number, uint64_t{10}, &number) ||
        __builtin_add_overflow(number, static_cast<uint64_t>(text[at] - '0'), &number))
      return false;
    ++at;
  }
  return at > start;
}

bool read_character(const char *text, size_t length, size_t &at, char wanted) {
  if (at >= length || text[at] != wanted)
    return false;
  ++at;
  return true;
}

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
    return true; // 0: a variable's declaration, a global's initial value
  case TargetHow::always:
    return !target.number;
  default:
    return target.number > 0;
  }
}

bool is_hit(const Target &target, uint64_t count, Id id) {
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
  }
  return false;
}

void tell(Target &target, uint64_t count, Id id) {
  if (target.told)
    return;
  target.told = true;
  culprit_record_fired record{id & ~CULPRIT_ID_CORRUPT, count};
  run_file::Part part{&record, sizeof record};
  run_file::append(CULPRIT_RECORD_fired, &part, 1);
}

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
      !os::map_table(g_suspects, size_t{unit.definitions} + 1))
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
    Suspect &suspect = g_suspects[target.definition];
    target.next = suspect.first;
    g_targets[count++] = target;
    suspect.first = count;
    unit.attention[target.definition] = CULPRIT_ID_CORRUPT;
  }
  if (bad)
    stop_unusable("culprit: the file of targets has a line that is no target\n");
  os::release(text, kLongestFile);
}

Id fired(Id id) {
  auto definition = static_cast<uint32_t>(id & CULPRIT_ID_DEFINITION_MASK);
  if (!g_suspects || definition > g_definitions)
    return id & ~CULPRIT_ID_CORRUPT;
  Suspect &suspect = g_suspects[definition];
  uint64_t count = ++suspect.count;
  bool hit = false;
  for (uint32_t next = suspect.first; next; next = g_targets[next - 1].next)
    if (is_hit(g_targets[next - 1], count, id)) {
      hit = true;
      tell(g_targets[next - 1], count, id);
    }
  return hit ? id | CULPRIT_ID_CORRUPT : id & ~CULPRIT_ID_CORRUPT;
}

} // namespace culprit::locate
