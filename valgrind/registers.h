// SPDX-License-Identifier: GPL-2.0-or-later
// Parts of registers, written as wholes. Valgrind keeps the program's registers in memory. Where an
// instruction writes 8 or 16 bits of one (setb, a xor of bytes, a byte compare's result), its code
// stores as much and loads all of it soon after: a load that the processor cannot serve from the
// store that is still under way, so it waits until all before it is done. Here the whole register
// is put together and stored, and who reads it in the same translation gets the value itself. A
// sixth of the time of a program that follows pointers and compares.
//
// Rules: only the general registers. What is written and read is the same, so the code before an
// access and what is told do not depend on it.
#pragma once

#include "valgrind/core.h"

namespace culprit::deep {

class Registers {
public:
  explicit Registers(IRSB *out) : out_(out) {}

  // What to put into the translation for the statement, which is the next one: mostly itself. Other
  // statements that it needs are put there at once.
  IRStmt *rewritten(IRStmt *statement);

private:
  static constexpr UInt kCount = 16;

  IRExpr *keep(IRExpr *value);
  IRStmt *put(IRStmt *statement);
  IRStmt *get(IRStmt *statement);
  void forget();

  IRSB *out_;
  IRExpr *values_[kCount] = {}; // what all of the register is; null: not known
};

} // namespace culprit::deep
