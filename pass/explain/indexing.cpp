// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/explain/indexing.h"

#include "abi/indexing.h"
#include "pass/explain/index_frames.h"
#include "pass/explain/index_plan.h"
#include "pass/explain/rewriter.h"
#include "pass/hooks.h"
#include "pass/locate/assumptions.h"
#include "pass/locate/global_order.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BuildLibCalls.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace culprit {

namespace {

// What LLVM knows of the library's functions says which of them cannot allocate.
void learn_libraries(llvm::Module &module) {
  const llvm::TargetLibraryInfoImpl known{llvm::Triple(module.getTargetTriple())};
  for (llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic())
      llvm::inferNonMandatoryLibFuncAttrs(function, llvm::TargetLibraryInfo(known, &function));
}

llvm::GlobalVariable *sites_table(llvm::Module &module, IndexPlan &plan) {
  llvm::LLVMContext &context = module.getContext();
  auto *wide = llvm::Type::getInt64Ty(context);
  auto *half = llvm::Type::getInt32Ty(context);
  auto *quarter = llvm::Type::getInt16Ty(context);
  auto *row = llvm::StructType::get(context, {wide, wide, half, quarter, quarter});
  std::vector<llvm::Constant *> rows(plan.site_count() + 1, llvm::Constant::getNullValue(row));
  for (const IndexPlan::Function &function : plan.functions())
    for (const IndexPlan::Site &site : function.sites)
      rows[site.number] = llvm::ConstantStruct::get(
          row,
          {llvm::ConstantInt::get(wide, site.id), llvm::ConstantInt::get(wide, site.function_id),
           llvm::ConstantInt::get(half, site.via), llvm::ConstantInt::get(quarter, site.first),
           llvm::ConstantInt::get(quarter, site.counters.size())});
  auto *type = llvm::ArrayType::get(row, rows.size());
  return new llvm::GlobalVariable(module, type, /*isConstant=*/true,
                                  llvm::GlobalValue::InternalLinkage,
                                  llvm::ConstantArray::get(type, rows), "culprit.sites");
}

void emit_unit(llvm::Module &module, IndexPlan &plan) {
  llvm::LLVMContext &context = module.getContext();
  auto *wide = llvm::Type::getInt64Ty(context);
  const culprit_index_extent &extent = plan.extent();
  llvm::Constant *told = llvm::ConstantDataArray::get(
      context, llvm::ArrayRef<uint64_t>{extent.functions, extent.framed, extent.guests,
                                        extent.branches, extent.counted, extent.allocating});
  auto *type =
      llvm::StructType::get(context, {llvm::PointerType::get(context, 0), wide, told->getType()});
  auto *unit = new llvm::GlobalVariable(
      module, type, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
      llvm::ConstantStruct::get(type, {sites_table(module, plan),
                                       llvm::ConstantInt::get(wide, plan.site_count() + 1), told}),
      "culprit.index_unit");
  auto *constructor =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                             llvm::GlobalValue::InternalLinkage, "culprit.register", module);
  constructor->addFnAttr(llvm::Attribute::NoUnwind);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", constructor));
  Hooks(module).call(builder, Hooks::register_index, {unit});
  builder.CreateRetVoid();
  llvm::appendToGlobalCtors(module, constructor, /*Priority=*/0);
}

// LLVM knows that it does not: by attributes, or because it is an allocation.
bool reads_frames(const llvm::Function &library) {
  const llvm::MemoryEffects effects = library.getMemoryEffects();
  return !allocation_hook(library.getName()).empty() ||
         (!effects.onlyAccessesArgPointees() && effects != llvm::MemoryEffects::unknown());
}

} // namespace

void instrument_indexing(llvm::Module &module, bool whole) {
  restore_global_order(module);
  learn_libraries(module);
  for (llvm::Function &function : module)
    if (is_explained(function))
      llvm::removeUnreachableBlocks(function);
  IndexPlan plan(module, whole);
  for (llvm::Function *library : plan.libraries())
    if (reads_frames(*library))
      forget_library(*library);
  for (IndexPlan::Function &function : plan.functions())
    IndexFrames(module, function).rewrite();
  emit_unit(module, plan);
}

} // namespace culprit
