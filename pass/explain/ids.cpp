// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/explain/ids.h"

#include "pass/embedded_frame.h"
#include "pass/explain/shape.h"
#include "pass/source_place.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

namespace culprit {

namespace {
constexpr llvm::StringLiteral kOwn = "culprit.own";
} // namespace

// The file goes by its name alone: two versions of a program lie in two folders. That which defines
// main goes by none: a program of one file is often kept as two files, before and after.
std::string file_key(const llvm::Module &module, llvm::StringRef file) {
  const llvm::Function *main = module.getFunction("main");
  const llvm::DISubprogram *source = main != nullptr ? main->getSubprogram() : nullptr;
  if (source != nullptr && source->getFilename() == file)
    return "@";
  return "@" + llvm::sys::path::filename(file).str();
}

// What the linker keeps to itself because it sees all there is was not static in the source.
std::string function_key(const llvm::Function &function) {
  std::string key = source_name(function).str();
  if (const llvm::DISubprogram *source = function.getSubprogram();
      source != nullptr && source->isLocalToUnit())
    key += file_key(*function.getParent(), source->getFilename());
  return key;
}

uint64_t ExplainIds::of(const std::string &text) {
  return hash(text + "#" + std::to_string(ordinals_[text]++));
}

uint64_t ExplainIds::of_function(const llvm::Function &function) {
  return of(function_key(function) + ":function");
}

uint64_t ExplainIds::of_site(llvm::Instruction &at, SiteKind kind) {
  const std::string place = function_key(*at.getFunction()) + ":" + place_of(at).function + ":";
  if (kind != SiteKind::point)
    return of(place + calls_of(at) + (kind == SiteKind::call ? ":call" : ":variable"));
  if (named_ != at.getFunction()) {
    named_ = at.getFunction();
    names_ = std::make_unique<VariableNames>(*named_);
  }
  return of(place + shape_of(at, *names_) + ":point");
}

bool is_program_call(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call != nullptr && !llvm::isa<llvm::IntrinsicInst>(call) && !call->isInlineAsm() &&
         !call->hasMetadata(kOwn);
}

void mark_own(llvm::CallInst &call) {
  call.setMetadata(kOwn, llvm::MDNode::get(call.getContext(), {}));
}

} // namespace culprit
