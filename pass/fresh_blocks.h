// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores that need no barrier because the allocation they go to has marked the block just now: on
// the only way from the allocation to the store there is no call and no function entry, so this
// thread cannot have made a metric point between the two. Another thread can: the runtime therefore
// marks each thread's newest block again after every point (runtime/monitor/graph.cpp), which is
// the only one such stores can go to.
//
// Only blocks whose size is a small constant: the runtime reads such a block as a whole when one of
// its cards is marked.
#pragma once

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace culprit {

// Bytes asked for, if the call is of malloc, calloc or operator new with constant arguments.
std::optional<uint64_t> constant_request(const llvm::CallBase &call);

// Does `instruction`, which writes to `address`, write to such a block?
bool writes_fresh_block(const llvm::Instruction &instruction, const llvm::Value *address);

} // namespace culprit
