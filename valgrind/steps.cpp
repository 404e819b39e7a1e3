// SPDX-License-Identifier: GPL-2.0-or-later
#include "valgrind/steps.h"

// The core's own unwinder, one frame at a time; its public headers leave it out.
struct UnwindRegisters {
  Addr instruction;
  Addr stack;
  Addr frame;
};
extern "C" Bool VG_(use_CF_info)(UnwindRegisters *registers, Addr lowest, Addr highest);

namespace culprit::deep {
namespace {

struct Rule {
  bool is_known;
  bool by_frame; // the caller's stack begins behind the frame pointer, not the stack pointer
  bool is_saved; // the caller's frame pointer is kept in the frame; otherwise it is this one
  bool is_guess; // the core knows no rule, and takes the first word of the stack for the address
  Int size;      // from there to where the caller's stack begins
  Int saved;     // from that to the caller's frame pointer
};

struct Step {
  Addr instruction;
  UInt callee; // entry of the frame that was called from here; kNobody: innermost
  UInt age;    // another one than g_age: empty
  UInt name;   // 0: more frames are needed
  UInt last;   // the name if there are no more
  Rule rule;
};

constexpr UInt kSteps = 1u << 14;
constexpr UInt kMostSteps = kSteps / 2;
constexpr UInt kNobody = kSteps;

Step g_steps[kSteps];
UInt g_used;
UInt g_age = 1;

// The entry, or the empty one where it belongs.
UInt find(UInt callee, Addr instruction) {
  ULong at = ((instruction + callee) * 0x9e3779b97f4a7c15u) >> 40;
  for (;; ++at) {
    const Step &step = g_steps[at % kSteps];
    if (step.age != g_age || (step.instruction == instruction && step.callee == callee))
      return static_cast<UInt>(at % kSteps);
  }
}

Addr word_on_stack(Addr at) { return *reinterpret_cast<const Addr *>(at); }

// The core has no rule for the frame, and its frame pointer is none: behind a program's first
// function.
bool is_ruleless(UnwindRegisters registers, Addr lowest, Addr highest) {
  constexpr Addr kBelow = 4096; // the core looks a little below the stack, too
  return (registers.frame + kBelow < lowest || registers.frame > highest) &&
         VG_(use_CF_info)(&registers, lowest, highest) == False;
}

// False: the rule leads out of the stack.
bool follow(const Rule &rule, UnwindRegisters &registers, Addr lowest, Addr highest) {
  if (rule.is_guess && registers.stack < highest - sizeof(Addr) &&
      is_ruleless(registers, lowest, highest)) {
    registers.instruction = word_on_stack(registers.stack);
    return true;
  }
  const Addr caller =
      (rule.by_frame ? registers.frame : registers.stack) + static_cast<Addr>(Long{rule.size});
  const Addr saved = caller + static_cast<Addr>(Long{rule.saved});
  if (!rule.is_known || caller <= registers.stack || caller > highest ||
      (rule.is_saved && (saved < lowest || saved > highest - sizeof(Addr))))
    return false;
  registers = {word_on_stack(caller - sizeof(Addr)), caller,
               rule.is_saved ? word_on_stack(saved) : registers.frame};
  return true;
}

// Every word has its own address and one: no rule that reads it takes it for a place.
constexpr UInt kWords = 4096;
Addr g_stack[kWords];
constexpr Addr kOwn = 1;

// What the core makes of registers that point into that stack.
Rule learn_at(Addr instruction, UInt stack_word, UInt frame_word) {
  const auto lowest = reinterpret_cast<Addr>(g_stack);
  const Addr highest = lowest + sizeof g_stack - 1;
  const auto stack = reinterpret_cast<Addr>(g_stack + stack_word);
  const auto frame = reinterpret_cast<Addr>(g_stack + frame_word);
  UnwindRegisters registers = {instruction, stack, frame};
  if (VG_(use_CF_info)(&registers, lowest, highest) == False)
    return {};
  const Addr caller = registers.stack;
  if (caller % sizeof(Addr) != 0 || caller <= lowest || caller > highest ||
      registers.instruction != caller - sizeof(Addr) + kOwn)
    return {};
  Rule rule = {.is_known = true,
               .by_frame = caller > frame,
               .is_saved = registers.frame != frame,
               .is_guess = false,
               .size = 0,
               .saved = 0};
  rule.size = static_cast<Int>(caller - (rule.by_frame ? frame : stack));
  if (rule.is_saved) {
    const Addr place = registers.frame - kOwn;
    if (place % sizeof(Addr) != 0 || place < lowest || place > highest)
      return {};
    rule.saved = static_cast<Int>(static_cast<Long>(place) - static_cast<Long>(caller));
  }
  return rule;
}

Rule learn(Addr instruction) {
  if (g_stack[0] == 0)
    for (Addr &word : g_stack)
      word = reinterpret_cast<Addr>(&word) + kOwn;
  constexpr UInt kMoved = 3;
  const Rule rule = learn_at(instruction, kWords / 4, kWords / 4 * 3);
  const Rule again = learn_at(instruction, kWords / 4 + kMoved, kWords / 4 * 3 - kMoved);
  const bool is_same = rule.is_known && again.is_known && rule.by_frame == again.by_frame &&
                       rule.is_saved == again.is_saved && rule.size == again.size &&
                       rule.saved == again.saved;
  return is_same ? rule : Rule{};
}

UnwindRegisters registers_of(const Walk &walk, UInt frame) {
  return {walk.instructions[frame], walk.stacks[frame], walk.frames[frame]};
}

// Addresses that end a walk.
bool is_nowhere(Addr returns_to) { return returns_to <= 1; }

// Does the rule lead where the walk went?
bool agrees(const Rule &rule, const Walk &walk, UInt frame, Addr highest) {
  UnwindRegisters registers = registers_of(walk, frame);
  return follow(rule, registers, walk.stacks[0], highest) &&
         registers.instruction == walk.instructions[frame + 1] + 1 &&
         (rule.is_guess ||
          (registers.stack == walk.stacks[frame + 1] && registers.frame == walk.frames[frame + 1]));
}

} // namespace

UInt name_by_steps(ThreadId thread) {
  const Addr lowest = VG_(get_SP)(thread);
  const Addr highest = VG_(thread_get_stack_max)(thread);
  if (lowest > highest)
    return 0; // another stack
  UnwindRegisters registers = {VG_(get_IP)(thread), lowest, VG_(get_FP)(thread)};
  for (UInt callee = kNobody;;) {
    callee = find(callee, registers.instruction);
    const Step &step = g_steps[callee];
    if (step.age != g_age)
      return 0;
    if (step.name != 0)
      return step.name;
    if (!follow(step.rule, registers, lowest, highest))
      return 0;
    if (is_nowhere(registers.instruction))
      return step.rule.is_guess ? step.last : 0;
    --registers.instruction; // inside the call
  }
}

void keep_steps(ThreadId thread, const Walk &walk, UInt used, bool is_decided, UInt name) {
  const Addr highest = VG_(thread_get_stack_max)(thread);
  if (walk.instructions[0] != VG_(get_IP)(thread) || walk.stacks[0] != VG_(get_SP)(thread) ||
      walk.frames[0] != VG_(get_FP)(thread) || walk.stacks[0] > highest)
    return;
  if (g_used + used > kMostSteps)
    forget_steps();
  UInt callee = kNobody;
  for (UInt frame = 0; frame < used; ++frame) {
    const UInt at = find(callee, walk.instructions[frame]);
    Step &step = g_steps[at];
    if (step.age != g_age) {
      ++g_used;
      step = {.instruction = walk.instructions[frame],
              .callee = callee,
              .age = g_age,
              .name = 0,
              .last = 0,
              .rule = learn(walk.instructions[frame])};
      step.rule.is_guess =
          !step.rule.is_known && is_ruleless(registers_of(walk, frame), walk.stacks[0], highest);
    }
    callee = at;
    if (frame + 1 < used) {
      if (!agrees(step.rule, walk, frame, highest))
        return;
    } else if (is_decided) {
      step.name = name;
    } else if (UnwindRegisters registers = registers_of(walk, frame);
               step.rule.is_guess && follow(step.rule, registers, walk.stacks[0], highest) &&
               is_nowhere(registers.instruction)) {
      step.last = name;
    }
  }
}

void forget_steps() {
  ++g_age;
  g_used = 0;
}

} // namespace culprit::deep
