// SPDX-License-Identifier: GPL-2.0-or-later
#include "valgrind/flags.h"

extern "C" {
#include <libvex_guest_amd64.h>
}

#include <stddef.h>

// All flags; what translations call where they need them, in no public header.
extern "C" ULong amd64g_calculate_rflags_all(ULong operation, ULong first, ULong second,
                                             ULong third);

namespace culprit::deep {
namespace {

constexpr Int kOperation = offsetof(VexGuestAMD64State, guest_CC_OP);
constexpr Int kSecond = offsetof(VexGuestAMD64State, guest_CC_DEP2);
constexpr Int kThird = offsetof(VexGuestAMD64State, guest_CC_NDEP);

struct Needs {
  bool known;
  bool second;
  bool third;
};

constexpr ULong kMostOperations = 256;
constexpr ULong kUnknown = ~0ul;
Needs g_needs[kMostOperations]; // by operation

// Operands that are 0 or not, of either sign in every size; the third is flags, where it is
// anything.
Needs learn(ULong operation) {
  constexpr ULong kSamples[] = {
      0,          1,          2,         0x7f,      0x80, 0x7fff,      0x8000,
      0x7fffffff, 0x80000000, ~0ul >> 1, 1ul << 63, ~0ul, 0x123456789, 0xa5a5a5a5a5a5a5a5};
  constexpr ULong kFlags[] = {0, 1, 0x800, 0x8d5, ~0ul};
  Needs learned = {.known = true, .second = false, .third = false};
  for (const ULong first : kSamples)
    for (const ULong second : kSamples)
      for (const ULong third : kFlags) {
        const ULong flags = amd64g_calculate_rflags_all(operation, first, second, third);
        learned.second |= flags != amd64g_calculate_rflags_all(operation, first, 0, third);
        learned.third |= flags != amd64g_calculate_rflags_all(operation, first, second, 0);
      }
  return learned;
}

bool needs(ULong operation, Int operand) {
  if (operation >= kMostOperations)
    return true;
  Needs &found = g_needs[operation];
  if (!found.known)
    found = learn(operation);
  return operand == kSecond ? found.second : found.third;
}

// Of a statement: does it write this register? Then the constant, or kUnknown, is `value`.
bool writes(const IRStmt &statement, Int offset, ULong &value) {
  if (statement.tag != Ist_Put || statement.Ist.Put.offset != offset)
    return false;
  const IRExpr *data = statement.Ist.Put.data;
  value = data->tag == Iex_Const && data->Iex.Const.con->tag == Ico_U64
              ? data->Iex.Const.con->Ico.U64
              : kUnknown;
  return true;
}

ULong operation_before(const IRSB &block, Int at) {
  ULong operation = kUnknown;
  while (--at >= 0 && !writes(*block.stmts[at], kOperation, operation)) {
  }
  return operation;
}

} // namespace

// From there on the operation may change, and whoever is called or jumped to may ask for flags.
// Some operations store their operands before their number.
bool is_needless_operand(const IRSB &block, Int put) {
  const Int operand = block.stmts[put]->Ist.Put.offset;
  if (operand != kSecond && operand != kThird)
    return false;
  ULong operation = operation_before(block, put);
  for (Int i = put + 1; i < block.stmts_used; ++i) {
    const IRStmt &statement = *block.stmts[i];
    ULong ignored = 0;
    if (writes(statement, operand, ignored))
      return true;
    if (writes(statement, kOperation, operation))
      continue;
    const bool leaves = statement.tag == Ist_Exit || statement.tag == Ist_Dirty;
    if (leaves && needs(operation, operand))
      return false;
    if (statement.tag == Ist_WrTmp && statement.Ist.WrTmp.data->tag == Iex_Get &&
        statement.Ist.WrTmp.data->Iex.Get.offset == operand)
      return false;
  }
  return !needs(operation, operand);
}

} // namespace culprit::deep
