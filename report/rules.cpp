// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/rules.h"

#include <algorithm>
#include <array>

namespace culprit::report {

namespace {

constexpr std::string_view kCorruption =
    "Executions without the effects of what earlier crashes were blamed on end here: this "
    "statement is where memory first became wrong, however far the crash is from it. Begin "
    "reading here, not at the crash; the code flow leads from here to where it was noticed.";

constexpr auto kRules = std::to_array<Rule>({
    {"heap-anomaly", "HeapAnomaly", "A metric of the heap graph left its learned range.",
     "The share of objects with this shape is outside what every training run had. The place is "
     "the "
     "code that most of the objects concerned have in common. If such a heap is right, train with "
     "this input.",
     0, "heap"},
    {"heap-poorly-disguised", "HeapPoorlyDisguised",
     "A metric of the heap graph stays at one end of its learned range.",
     "The metric does not leave its range but does not move away from its end either, which no "
     "training run did.",
     0, "heap"},
    {"heap-pathological", "HeapPathological",
     "A metric of the heap graph stands still that moved in every training run.",
     "Something that changed the heap in all training runs does not happen in this one.", 0,
     "heap"},
    {"heap-new-site", "HeapNewSite", "Objects were allocated where no training run allocated.",
     "Code allocated that did not in training. If that is right, train with this input.", 0,
     "heap"},
    {"access-outlier", "AccessOutlier", "Code accesses an object that it never did in training.",
     "The object has a set of places that access it, and this place is none of them. The related "
     "locations are the object and those who normally write it. If it is right to do so, teach the "
     "model with culprit check --accept.",
     0, "access"},
    {"access-overrun", "AccessOverrun",
     "Code accesses an object that lies behind the one it normally accesses.",
     "The place normally stays within the neighbouring object: it ran over its end.", 787,
     "access"},
    {"access-dangling", "AccessDangling",
     "Code accesses a block in whose memory its own object was before.",
     "The place normally accesses an object that was freed here and whose memory another one has "
     "now.",
     416, "access"},
    {"access-return-address", "AccessReturnAddress", "Code writes over a return address.",
     "Only a call stores a return address.", 121, "access"},
    {"access-outside", "AccessOutside", "Code accesses memory that belongs to no object.",
     "The address is neither in a global, nor in a block, nor on the stack.", 823, "access"},
    {"corruption-wild-access", "CorruptionWildAccess",
     "A value is made here that leads an access astray.", kCorruption, 823, "locate"},
    {"corruption-null-dereference", "CorruptionNullDereference",
     "A NULL is made here that is used as an address.", kCorruption, 476, "locate"},
    {"corruption-use-after-free", "CorruptionUseAfterFree",
     "A block is freed here that is still used.", kCorruption, 416, "locate"},
    {"corruption-uninitialised-read", "CorruptionUninitialisedRead",
     "Memory is used that was never written.", kCorruption, 457, "locate"},
    {"corruption-heap-overflow", "CorruptionHeapOverflow",
     "Memory behind the end of a block is written here.", kCorruption, 122, "locate"},
    {"corruption-heap-underflow", "CorruptionHeapUnderflow",
     "Memory before the beginning of a block is written here.", kCorruption, 124, "locate"},
    {"corruption-stack-overflow", "CorruptionStackOverflow",
     "Memory behind the end of a local variable is written here.", kCorruption, 121, "locate"},
    {"corruption-global-overflow", "CorruptionGlobalOverflow",
     "Memory behind the end of a global variable is written here.", kCorruption, 787, "locate"},
    {"corruption-intra-object-overflow", "CorruptionIntraObjectOverflow",
     "Memory behind the end of a member is written here, inside the same object.", kCorruption, 787,
     "locate"},
    {"corruption-double-free", "CorruptionDoubleFree", "A block is freed here that is freed again.",
     kCorruption, 415, "locate"},
    {"corruption-bad-free", "CorruptionBadFree", "A value is made here that is freed and no block.",
     kCorruption, 590, "locate"},
    {"corruption-failed-check", "CorruptionFailedCheck",
     "A value is made here that makes the program give up.", kCorruption, 617, "locate"},
    {"corruption-division-by-zero", "CorruptionDivisionByZero",
     "A zero is made here that something is divided by.", kCorruption, 369, "locate"},
    {"corruption-illegal-instruction", "CorruptionIllegalInstruction",
     "What is made here ends in an instruction that cannot be executed.", kCorruption, 0, "locate"},
    {"corruption-stack-exhausted", "CorruptionStackExhausted",
     "A value is made here that a recursion without end walks over.", kCorruption, 674, "locate"},
    {"corruption-endless-loop", "CorruptionEndlessLoop",
     "A value is made here that a loop goes round by without end.", kCorruption, 835, "locate"},
    {"corruption-use-after-return", "CorruptionUseAfterReturn",
     "A variable is used after its function has returned.", kCorruption, 562, "locate"},
    {"cause-chain", "CauseChain", "Values that make the passing run fail when they are taken over.",
     "Each step of the code flow is a minimal set of values: taken over into the passing run, they "
     "make it fail. The first is where the cause begins, the last is the failure.",
     0, "explain"},
});

} // namespace

std::span<const Rule> rules() { return kRules; }

const Rule *find_rule(std::string_view id) {
  const auto *found = std::ranges::find(kRules, id, &Rule::id);
  return found == kRules.end() ? nullptr : &*found;
}

const Rule &check_rule(std::string_view detector, std::string_view kind) {
  const bool access = detector == "access";
  std::string id = std::string(access ? "access-" : "heap-").append(kind);
  std::ranges::replace(id, '_', '-');
  if (const Rule *found = find_rule(id))
    return *found;
  return *find_rule(access ? "access-outlier" : "heap-anomaly");
}

const Rule &corruption_rule(std::string_view error) {
  if (const Rule *found = find_rule(std::string("corruption-").append(error)))
    return *found;
  return *find_rule("corruption-wild-access");
}

const Rule &cause_rule() { return *find_rule("cause-chain"); }

} // namespace culprit::report
