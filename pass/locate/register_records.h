// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small structs that a function returns in registers (two words, by the machine's rules). The
// compiler loads, returns and stores them as one value, which would have one id: that of its newest
// member, whichever member is used. Here, before anything is planned, such a value is loaded and
// stored member by member, and a function that only we call has an id for each member of its
// result (kRecordResult). The result is put together in a variable of its own, so that a constant
// in it is a store, with a definition like any other.
//
// Rules: members that fill cells of their own. The same in all flavours, since it decides what is
// numbered. A value that comes out of a phi keeps one id.
#pragma once

#include "llvm/IR/Module.h"

namespace culprit {

void take_register_records_apart(llvm::Module &module);

} // namespace culprit
