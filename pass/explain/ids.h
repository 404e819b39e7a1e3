// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a site, a function or a variable is called in every build that has it: names, what the
// statement looks like (shape.h), and the ordinal among equals. Two flavours that ask for the same
// things in the same order get the same ids.
#pragma once

#include "pass/locate/variable_names.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <memory>
#include <string>

namespace culprit {

// Which of several files a name is of.
std::string file_key(const llvm::Module &module, llvm::StringRef file);
// What a function of this name is called whatever file defines another of the same name.
std::string function_key(const llvm::Function &function);

enum class SiteKind : uint8_t {
  point, // before a statement
  call,
  variable, // of variable length
};

class ExplainIds {
public:
  // Of this text, for the n-th time.
  uint64_t of(const std::string &text);
  uint64_t of_function(const llvm::Function &function);
  uint64_t of_site(llvm::Instruction &at, SiteKind kind);

private:
  llvm::StringMap<unsigned> ordinals_;
  llvm::Function *named_ = nullptr; // the function that was asked for last
  std::unique_ptr<VariableNames> names_;
};

// A call that is a site: no intrinsic, no assembler, none of ours.
bool is_program_call(const llvm::Instruction &instruction);
// Says that a call is ours, for passes that come before the next optimisation.
void mark_own(llvm::CallInst &call);

} // namespace culprit
