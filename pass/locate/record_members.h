// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a small record is made of, if it can be copied member by member (records.h): values that
// fill cells of their own, with nothing between them. Arrays are none: they keep their place beside
// what may overrun into them.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Type.h"

#include <optional>

namespace culprit {

constexpr size_t kMembers = 8; // more are better copied by memory

struct Member {
  llvm::Type *type;
  uint64_t offset;
};
using Members = llvm::SmallVector<Member, kMembers>;

// In order of their offsets. Nothing: not such a record.
std::optional<Members> members_of(llvm::Type *type, const llvm::DataLayout &layout);

} // namespace culprit
