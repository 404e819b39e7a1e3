// SPDX-License-Identifier: GPL-2.0-or-later
// Flags. Valgrind keeps what they are to be computed from, if somebody asks: an operation and up to
// three operands, four stores for every comparison that a translation ends with. Most operations
// need one or two operands; the others are there for memcheck. Those are not stored here: a quarter
// of the time of a program whose loops are short.
//
// What an operation needs is learned from the function that computes flags: operands are needed
// that it answers differently for. So nothing here knows the operations' numbers.
#pragma once

#include "valgrind/core.h"

namespace culprit::deep {

// Is this statement of the translation, which writes a register, a store to such an operand?
bool is_needless_operand(const IRSB &block, Int put);

} // namespace culprit::deep
