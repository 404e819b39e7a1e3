// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/hooks.h"

#include "abi/monitor.h"
#include "pass/fresh_blocks.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace culprit {

namespace {

enum class Convention : uint8_t { plain, sparing };

struct HookRow {
  llvm::StringRef name;
  Convention convention;
  llvm::StringRef types; // as written in abi/hooks.def: the result's, then the parameters'
};

llvm::FunctionType *signature(llvm::LLVMContext &context, llvm::StringRef types) {
  llvm::SmallVector<llvm::Type *> parsed;
  llvm::SmallVector<llvm::StringRef> words;
  types.split(words, ',');
  for (llvm::StringRef word : words)
    parsed.push_back(llvm::StringSwitch<llvm::Type *>(word.trim())
                         .Case("void", llvm::Type::getVoidTy(context))
                         .Case("ptr", llvm::PointerType::get(context, 0))
                         .Case("u32", llvm::Type::getInt32Ty(context))
                         .Case("u64", llvm::Type::getInt64Ty(context)));
  return llvm::FunctionType::get(parsed.front(), llvm::ArrayRef(parsed).drop_front(),
                                 /*isVarArg=*/false);
}

const HookRow kHooks[] = {
#define HOOK(name, convention, ...) {"__culprit_" #name, Convention::convention, #__VA_ARGS__},
#define ALLOCATOR(...)
#include "abi/hooks.def"
#undef HOOK
#undef ALLOCATOR
};

} // namespace

llvm::StringRef allocation_hook(llvm::StringRef function) {
  return llvm::StringSwitch<llvm::StringRef>(function)
#define HOOK(...)
#define ALLOCATOR(function, hook) .Case(#function, "__culprit_" #hook)
#include "abi/hooks.def"
#undef HOOK
#undef ALLOCATOR
      .Default("");
}

// The hook for one block of a constant size; empty: there is none.
static llvm::StringRef exact_hook(const llvm::CallBase &call, llvm::StringRef function,
                                  bool is_lone) {
  if (constant_request(call).value_or(~0ULL) > CULPRIT_EXACT_SIZE)
    return "";
  auto is_one = [&](unsigned number) {
    return llvm::cast<llvm::ConstantInt>(call.getArgOperand(number))->isOne();
  };
  if (function == "calloc" && !is_one(0) && !is_one(1))
    return ""; // an array
  if (is_lone)
    return llvm::StringSwitch<llvm::StringRef>(function)
#define HOOK(...)
#define ALLOCATOR(...)
#define LONE(function, hook) .Case(#function, "__culprit_" #hook)
#include "abi/hooks.def"
#undef HOOK
#undef ALLOCATOR
        .Default("");
  return llvm::StringSwitch<llvm::StringRef>(function)
#define HOOK(...)
#define ALLOCATOR(...)
#define EXACT(function, hook) .Case(#function, "__culprit_" #hook)
#include "abi/hooks.def"
#undef HOOK
#undef ALLOCATOR
      .Default("");
}

bool is_free(llvm::StringRef function) {
  return function == "free" || function == "cfree" || function.starts_with("_ZdlPv") ||
         function.starts_with("_ZdaPv");
}

llvm::Function *called_library_function(const llvm::CallBase &call) {
  llvm::Function *function = call.getCalledFunction();
  if (function == nullptr)
    // A call whose type differs from the declaration's (old C) still goes there.
    function = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
  if (function == nullptr || function->isIntrinsic())
    return nullptr;
  return function->isDeclaration() || function->hasAvailableExternallyLinkage() ? function
                                                                                : nullptr;
}

static bool has_wide_vectors(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    return function.getFnAttribute("target-features").getValueAsString().contains("+avx") ||
           function.getFnAttribute("target-cpu").getValueAsString().contains("x86-64-v");
  });
}

Hooks::Hooks(llvm::Module &module)
    : module_(module), sparing_(has_wide_vectors(module) ? llvm::CallingConv::PreserveMost
                                                         : llvm::CallingConv::PreserveAll) {}

llvm::CallInst *Hooks::call(llvm::IRBuilder<> &builder, Hook hook,
                            llvm::ArrayRef<llvm::Value *> arguments) {
  const HookRow &row = kHooks[hook];
  llvm::FunctionType *type = signature(module_.getContext(), row.types);
  llvm::FunctionCallee callee = module_.getOrInsertFunction(row.name, type);
  const unsigned convention =
      row.convention == Convention::sparing ? sparing_ : unsigned{llvm::CallingConv::C};
  if (auto *function = llvm::dyn_cast<llvm::Function>(callee.getCallee())) {
    function->setCallingConv(convention);
    function->setDoesNotThrow();
    if (row.convention == Convention::sparing) {
      function->addFnAttr(llvm::Attribute::Cold);
      // In a shared object a call may go through the dynamic linker, which binds it at its first
      // execution and keeps only the registers that a C call keeps: r10, which this convention
      // promises to keep, would be lost.
      function->addFnAttr(llvm::Attribute::NonLazyBind);
    }
  }
  llvm::CallInst *call = builder.CreateCall(callee, arguments);
  call->setCallingConv(convention);
  call->setDoesNotThrow();
  return call;
}

void Hooks::replace_allocation(llvm::CallBase &call, bool is_lone) {
  const llvm::Function *library = called_library_function(call);
  llvm::StringRef name = exact_hook(call, library->getName(), is_lone);
  if (name.empty())
    name = allocation_hook(library->getName());
  llvm::FunctionCallee hook = module_.getOrInsertFunction(name, call.getFunctionType());
  call.setCalledFunction(call.getFunctionType(), hook.getCallee());
  call.removeFnAttr(llvm::Attribute::Memory);
}

// A hook's signature, by its row.
static llvm::FunctionType *type_of_sort(const llvm::CallBase &call) {
  const llvm::Function *library = called_library_function(call);
  if (library == nullptr)
    return nullptr;
  const llvm::StringRef name = library->getName();
  if (name != "qsort" && name != "qsort_r")
    return nullptr;
  return signature(call.getContext(),
                   kHooks[name == "qsort" ? Hooks::sort : Hooks::sort_with].types);
}

bool Hooks::is_sort(const llvm::CallBase &call) {
  return call.getFunctionType() == type_of_sort(call);
}

void Hooks::replace_sort(llvm::CallBase &call) {
  const bool is_plain = called_library_function(call)->getName() == "qsort";
  llvm::FunctionCallee hook =
      module_.getOrInsertFunction(kHooks[is_plain ? sort : sort_with].name, call.getFunctionType());
  call.setCalledFunction(call.getFunctionType(), hook.getCallee());
}

llvm::GlobalVariable &runtime_thread_local(llvm::Module &module, llvm::StringRef name,
                                           llvm::Type *type) {
  if (llvm::GlobalVariable *known = module.getGlobalVariable(name))
    return *known;
  return *new llvm::GlobalVariable(module, type, /*isConstant=*/false,
                                   llvm::GlobalValue::ExternalLinkage, nullptr, name, nullptr,
                                   llvm::GlobalValue::InitialExecTLSModel);
}

llvm::GlobalVariable *Hooks::countdown() {
  return &runtime_thread_local(module_, CULPRIT_COUNTDOWN_SYMBOL,
                               llvm::Type::getInt64Ty(module_.getContext()));
}
llvm::GlobalVariable *Hooks::context() {
  return &runtime_thread_local(module_, CULPRIT_CONTEXT_SYMBOL,
                               llvm::Type::getInt64Ty(module_.getContext()));
}

} // namespace culprit
