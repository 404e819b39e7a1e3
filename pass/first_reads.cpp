// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/first_reads.h"

#include "pass/library_table.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

namespace culprit {

namespace {

namespace pattern = llvm::PatternMatch;

// Does a branch on the way here see to it, as in `if (length == 0) return 0;`? LLVM asks only
// pointers for that.
bool is_asked_before(const llvm::Value &length, const llvm::Instruction &at,
                     const llvm::DominatorTree &dominators) {
  for (const llvm::User *user : length.users()) {
    const auto *compared = llvm::dyn_cast<llvm::ICmpInst>(user);
    if (compared == nullptr || !compared->isEquality() ||
        !pattern::match(compared->getOperand(1), pattern::m_Zero()))
      continue;
    const bool if_not = compared->getPredicate() == llvm::ICmpInst::ICMP_NE;
    for (const llvm::User *decided : compared->users()) {
      const auto *branch = llvm::dyn_cast<llvm::BranchInst>(decided);
      if (branch != nullptr && branch->isConditional() &&
          dominators.dominates({branch->getParent(), branch->getSuccessor(if_not ? 0 : 1)},
                               at.getParent()))
        return true;
    }
  }
  return false;
}

bool is_not_empty(const LibraryLength &length, const llvm::CallBase &call,
                  const llvm::DominatorTree &dominators) {
  if (length.how == LibraryLength::How::text)
    return true;
  const llvm::Value *bytes = call.getArgOperand(length.first);
  const llvm::DataLayout &layout = call.getModule()->getDataLayout();
  return llvm::isKnownNonZero(bytes, llvm::SimplifyQuery(layout, &dominators, nullptr, &call)) ||
         is_asked_before(*bytes, call, dominators);
}

} // namespace

llvm::SmallVector<Access, 2> first_reads(llvm::CallBase &call,
                                         const llvm::DominatorTree &dominators) {
  llvm::SmallVector<Access, 2> reads;
  for (const LibraryAccess &each : library_accesses(call))
    if (each.starts && is_not_empty(each.length, call, dominators))
      reads.push_back({&call, &call, call.getArgOperand(each.address), nullptr, nullptr, 1,
                       llvm::Align(1), /*is_read=*/true});
  return reads;
}

} // namespace culprit
