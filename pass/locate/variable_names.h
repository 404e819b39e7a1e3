// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses and values as the source would name them: "c", "p->next", "buf[]", "*q", "f()".
//
// Names come from the debug information of locals and globals, members from the debug type at the
// offset that the address computation has. Where that ends, the name ends with what is known, and
// it is empty if nothing is.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <string>

namespace culprit {

class VariableNames {
public:
  explicit VariableNames(llvm::Function &function);

  // What lies at the address.
  std::string at(const llvm::Value *address) const;
  // The bytes of a member that is an array and begins at the address, if others come behind it in
  // its record; 0: it is none, or that is not known. is_text: a record that begins there is not
  // what is meant, but its first member, which has the same address.
  uint64_t member_size(const llvm::Value *address, bool is_text) const;
  // What the value is.
  std::string of(const llvm::Value *value) const;
  // The variable that the alloca is; null: a temporary.
  const llvm::DILocalVariable *variable(const llvm::AllocaInst &place) const {
    return locals_.lookup(&place);
  }
  // The variable that the argument is, or is put into first.
  const llvm::DILocalVariable *variable(const llvm::Argument &argument) const {
    return arguments_.lookup(&argument);
  }

private:
  struct Named {
    std::string text;
    const llvm::DIType *type = nullptr;
    bool is_followed = false; // a member that begins there, and others come behind it
  };
  Named lvalue(const llvm::Value *address, unsigned depth) const;
  Named rvalue(const llvm::Value *value, unsigned depth) const;
  // is_base: another step follows.
  Named element(const llvm::GEPOperator &address, unsigned depth, bool is_base = false) const;

  const llvm::DataLayout &layout_;
  llvm::DenseMap<const llvm::AllocaInst *, const llvm::DILocalVariable *> locals_;
  llvm::DenseMap<const llvm::Argument *, const llvm::DILocalVariable *> arguments_;
};

} // namespace culprit
