// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/globals.h"

#include "abi/access.h"
#include "pass/arrays.h"
#include "pass/debug_types.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace culprit {

namespace {

bool is_plain_section(llvm::StringRef section) {
  for (const llvm::StringRef prefix : {".data", ".bss", ".ldata", ".lbss", ".noinit"})
    if (section.starts_with(prefix))
      return true;
  // The user's own.
  return !section.starts_with(".") && !section.starts_with("llvm.") &&
         !section.starts_with("__llvm") && !section.starts_with("__sanc");
}

bool is_watched(const llvm::GlobalVariable &global) {
  return !global.isDeclaration() && !global.hasAvailableExternallyLinkage() &&
         !global.hasAppendingLinkage() && !global.isConstant() && !global.isThreadLocal() &&
         global.getAddressSpace() == 0 && global.getValueType()->isSized() &&
         !global.getName().starts_with("llvm.") && !global.getName().starts_with("culprit.") &&
         !global.getName().starts_with("__culprit_") &&
         (!global.hasSection() || is_plain_section(global.getSection()));
}

Variable describe(llvm::GlobalVariable &global, Layouts &layouts) {
  Variable variable{};
  variable.kind = VariableKind::global;
  variable.size = global.getDataLayout().getTypeAllocSize(global.getValueType());
  variable.address = &global;
  llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> found;
  global.getDebugInfo(found);
  if (found.empty()) {
    // What LTO appends to the names of local variables is not in the source.
    variable.name = global.getName().split(".llvm.").first.str();
    variable.is_internal = global.hasLocalLinkage();
    return variable;
  }
  const llvm::DIGlobalVariable &source = *found.front()->getVariable();
  variable.name =
      (source.getLinkageName().empty() ? source.getName() : source.getLinkageName()).str();
  variable.function = function_around(source.getScope()).str();
  variable.file = path_of(source.getDirectory(), source.getFilename());
  variable.line = source.getLine();
  variable.is_internal = source.isLocalToUnit();
  const uint32_t layout = layouts.of(source.getType());
  if (const auto part = found.front()->getExpression()->getFragmentInfo()) {
    const llvm::StringRef member = layouts.member_at(layout, part->OffsetInBits / 8);
    if (!member.empty())
      variable.name += "." + member.str();
    return variable;
  }
  variable.type = name_of(source.getType());
  // The IR may have another idea of the variable: what the debug information says does not fit
  // then.
  const bool is_known = layout != 0 && variable.size % layouts.all()[layout - 1].size == 0;
  variable.layout = is_known || (layout != 0 && layouts.all()[layout - 1].rest != 0) ? layout : 0;
  return variable;
}

} // namespace

std::vector<Variable> find_globals(llvm::Module &module, Layouts &layouts) {
  std::vector<Variable> variables;
  for (llvm::GlobalVariable &global : module.globals())
    if (is_watched(global))
      if (Variable variable = describe(global, layouts); variable.size != 0)
        variables.push_back(std::move(variable));
  return variables;
}

std::vector<Variable> gaps_behind(const std::vector<Variable> &globals) {
  std::vector<Variable> gaps;
  for (const Variable &variable : globals) {
    auto *global = llvm::cast<llvm::GlobalVariable>(variable.address);
    if (!has_array(*global->getValueType()))
      continue;
    Variable gap = variable;
    gap.kind = VariableKind::outside;
    gap.size = CULPRIT_GLOBAL_GAP;
    gap.type.clear();
    gap.layout = 0;
    llvm::IRBuilder<> builder(global->getContext());
    gap.address =
        llvm::cast<llvm::Constant>(builder.CreatePtrAdd(global, builder.getInt64(variable.size)));
    gaps.push_back(std::move(gap));
  }
  return gaps;
}

} // namespace culprit
