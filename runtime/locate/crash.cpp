// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See crash.h. Nothing here takes a lock, allocates or uses much stack: the caller may be a handler
// on a small alternate stack, called in the midst of anything.
#include "runtime/locate/crash.h"

#include "runtime/locate/blocks.h"
#include "runtime/locate/places.h"
#include "runtime/locate/threads/scheduler.h"
#include "runtime/locate/values.h"
#include "runtime/os/process.h"
#include "runtime/os/signal.h"
#include "runtime/os/stack.h"
#include "runtime/run_file/writer.h"
#include "runtime/unwind/unwind.h"

#include <signal.h>

namespace culprit::locate {

void (*g_crash_observer)(const culprit_record_crash &record,
                         const culprit_record_arguments &arguments);

namespace {

int g_crashed_pid; // of the process whose crash is told: a forked child has one of its own
culprit_record_crash g_record;
culprit_record_arguments g_arguments;
culprit_record_assembled g_assembled; // address 0: none
uintptr_t g_frames[unwind::kMaxDepth];
constexpr uintptr_t kNearNull = 1 << 16;
static_assert(sizeof g_arguments.freed_by == sizeof __culprit_pointers);

Id freed_by(uintptr_t pointer) {
  Block block = block_near(pointer);
  bool is_freed = block.row && block.row->state == BlockState::freed && pointer >= block.payload &&
                  pointer <= block.behind();
  return is_freed ? block.row->freed : 0;
}

// A pointer is written as a whole. Of one that is not, the halves have been defined by two, or by
// one at two moments.
void find_assembled(const Told &told) {
  for (size_t i = 0; i < CULPRIT_LEAVES; ++i) {
    if (!told.places[i] || told.places[i] % CULPRIT_CELL_BYTES || !told.leaves[i])
      continue;
    Id low = *cell_of(told.places[i]);
    Id high = *cell_of(told.places[i] + CULPRIT_CELL_BYTES);
    bool is_whole = low == high || !low || !high || is_corrupt(low) || is_corrupt(high);
    if (is_whole || newer(low, high) != told.leaves[i])
      continue;
    g_assembled = {told.leaves[i], told.places[i]};
    return;
  }
}

// The access itself tells, or whoever stored its place and leaves last.
void show_place(const Crash &crash, culprit_record_crash &record) {
  static_assert(sizeof record.leaves == sizeof __culprit_leaves);
  if (crash.kind == CULPRIT_CRASH_ENDLESS) {
    Told told = crash.registers ? told_at(crash.pc, *crash.registers) : Told{};
    record.place = told.place;
    for (size_t i = 0; i < CULPRIT_LEAVES; ++i)
      record.leaves[i] = told.leaves[i] <= crash.newest ? told.leaves[i] : 0;
    return;
  }
  Place stored = place_at(crash.signal, crash.pc);
  if (crash.registers && (crash.signal == SIGSEGV || crash.signal == SIGBUS)) {
    Told told = told_at(crash.pc, *crash.registers);
    // A mark at the same instruction stands before it. A full stack is no access's fault, though it
    // may look like one of the last function's.
    bool is_it =
        crash.kind == CULPRIT_CRASH_EXHAUSTED ? told.start == crash.pc : told.start >= stored.start;
    if (told.place && is_it) {
      record.place = told.place;
      __builtin_memcpy(record.leaves, told.leaves, sizeof record.leaves);
      find_assembled(told);
      return;
    }
  }
  bool by_row = stored.number && crash.kind != CULPRIT_CRASH_EXHAUSTED;
  record.place = by_row ? stored.number : __culprit_place;
  __builtin_memcpy(record.leaves, __culprit_leaves, sizeof record.leaves);
}

// NULL may be meant, if the fault is elsewhere.
bool leads_nowhere(uintptr_t pointer, uintptr_t fault) {
  return (pointer >= kNearNull || fault < kNearNull) && !os::is_readable(pointer);
}

// A fault of the unit's own code is none of what it called last.
bool is_in_call(const Crash &crash) {
  return crash.kind == CULPRIT_CRASH_SIGNAL && !is_instrumented(crash.pc);
}

// The object that what was called last was to write to (the first, by custom): it may have come far
// beyond that before there was no memory any more.
Block block_of_arguments(const Crash &crash) {
  if (!is_in_call(crash))
    return {};
  for (const void *pointer : __culprit_pointers) {
    auto address = reinterpret_cast<uintptr_t>(pointer);
    Block block = block_near(address);
    if (block.row && block.row->state == BlockState::live && address >= block.payload &&
        address < block.behind())
      return block;
  }
  return {};
}

Block block_concerned(const Crash &crash) {
  Block block = block_near(crash.block ? crash.block : crash.address);
  return block.row ? block : block_of_arguments(crash);
}

// Whether there is anything to tell.
bool look_at_arguments(const Crash &crash) {
  culprit_record_arguments &arguments = g_arguments;
  arguments = {};
  if (crash.kind == CULPRIT_CRASH_SIGNAL && !is_in_call(crash))
    return false;
  bool any = false;
  for (size_t i = 0; i < CULPRIT_LEAVES; ++i) {
    auto pointer = reinterpret_cast<uintptr_t>(__culprit_pointers[i]);
    arguments.freed_by[i] = freed_by(pointer);
    if (crash.kind == CULPRIT_CRASH_SIGNAL && leads_nowhere(pointer, crash.address))
      arguments.nowhere |= uint64_t{1} << i;
    else if (crash.kind == CULPRIT_CRASH_SIGNAL && pointer >= kNearNull)
      arguments.somewhere |= uint64_t{1} << i;
    any |= arguments.freed_by[i] != 0;
  }
  return any || arguments.nowhere || arguments.somewhere;
}

} // namespace

bool has_crashed() { return __atomic_load_n(&g_crashed_pid, __ATOMIC_ACQUIRE) == os::process_id(); }

bool tell_crash(const Crash &crash) {
  int pid = os::process_id();
  if (__atomic_exchange_n(&g_crashed_pid, pid, __ATOMIC_ACQ_REL) == pid)
    return false;
  culprit_record_crash &record = g_record;
  record = {};
  record.kind = crash.kind;
  record.signal = crash.signal;
  record.address = crash.address;
  record.pc = crash.pc;
  record.clock = crash.kind == CULPRIT_CRASH_ENDLESS ? crash.newest & ~CULPRIT_ID_DEFINITION_MASK
                                                     : __culprit_clock;
  show_place(crash, record);
  record.written = crash.written;
  if (crash.variable) {
    record.block = crash.variable;
    record.block_size = crash.variable_size;
    record.allocated = crash.declaration;
    record.freed = crash.left;
  } else if (Block block = block_concerned(crash); block.row) {
    record.block = block.payload;
    record.block_size = block.row->size;
    record.allocated = block.row->allocated;
    record.freed = block.row->freed;
    record.freed_leaf = block.row->freed_leaf;
  }
  bool any = look_at_arguments(crash);
  record.flags = threads::depends_on_time() ? CULPRIT_CRASH_THREADS : 0;
  size_t frames = crash.frame || crash.pc ? unwind::capture_interrupted(crash.frame, crash.pc,
                                                                        g_frames, unwind::depth())
                                          : 0;
  record.frames = static_cast<uint32_t>(frames);
  if (g_crash_observer)
    g_crash_observer(record, g_arguments);
  if (run_file::Part arguments{&g_arguments, sizeof g_arguments}; any)
    run_file::append(CULPRIT_RECORD_arguments, &arguments, 1);
  if (run_file::Part assembled{&g_assembled, sizeof g_assembled}; g_assembled.address)
    run_file::append(CULPRIT_RECORD_assembled, &assembled, 1);
  run_file::Part parts[] = {{&record, sizeof record}, {g_frames, frames * sizeof g_frames[0]}};
  run_file::append(CULPRIT_RECORD_crash, parts, 2);
  return true;
}

[[gnu::noinline]] void stop_with_crash(culprit_crash_kind kind, uintptr_t address, Id written,
                                       const char *message, uintptr_t block) {
  auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  tell_crash({kind, 0, address, 0, frame, written, block});
  os::write_error(message);
  os::die_of(SIGABRT);
}

bool tell_damage(const VariableDamage &found, uintptr_t frame) {
  return tell_crash({.kind = found.has_left ? CULPRIT_CRASH_FREED_WRITE : CULPRIT_CRASH_GUARD,
                     .signal = 0,
                     .address = found.damage.address,
                     .pc = 0,
                     .frame = frame,
                     .written = found.damage.written,
                     .block = 0,
                     .variable = found.variable,
                     .variable_size = found.size,
                     .declaration = found.declaration,
                     .left = found.left});
}

[[gnu::noinline]] void stop_with_damage(const VariableDamage &found) {
  tell_damage(found, reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  os::write_error(
      found.has_left
          ? "culprit: a variable was written after its function had returned: terminated\n"
          : "culprit: a variable was overrun: terminated\n");
  os::die_of(SIGABRT);
}

} // namespace culprit::locate
