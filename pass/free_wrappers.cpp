// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/free_wrappers.h"

#include "pass/hooks.h"
#include "pass/sites.h"
#include "pass/source_place.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

#include <utility>

namespace culprit {

namespace {

constexpr llvm::StringLiteral kNotes = "culprit.free_wrappers";

struct HandedOn {
  const llvm::CallBase *call;
  unsigned argument;
};

// What becomes of a parameter, with locals still in memory as the front end has them.
class Flow {
public:
  // The calls it is handed to; none if the block is read here.
  std::vector<HandedOn> handed_on(const llvm::Argument &parameter) {
    follow(&parameter);
    while (!work_.empty() && !is_used_) {
      const llvm::Value *value = work_.back();
      work_.pop_back();
      for (const llvm::Use &use : value->uses())
        look_at(use);
    }
    return is_used_ ? std::vector<HandedOn>{} : std::move(calls_);
  }

private:
  void follow(const llvm::Value *value) {
    if (seen_.insert(value).second)
      work_.push_back(value);
  }

  void look_at(const llvm::Use &use) {
    const llvm::User *user = use.getUser();
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (store->getValueOperand() != use.get())
        return; // written: a list of free blocks
      const auto *local = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
      if (local == nullptr)
        return; // and its head
      for (const llvm::User *reader : local->users())
        if (llvm::isa<llvm::LoadInst>(reader))
          follow(reader);
    } else if (llvm::isa<llvm::PHINode>(user) || llvm::isa<llvm::SelectInst>(user) ||
               llvm::isa<llvm::CastInst>(user)) {
      follow(user);
    } else if (const auto *call = llvm::dyn_cast<llvm::CallBase>(user)) {
      if (!llvm::isa<llvm::IntrinsicInst>(call) && call->isArgOperand(&use))
        calls_.push_back({call, call->getArgOperandNo(&use)});
    } else if (!llvm::isa<llvm::CmpInst>(user) && !is_before_block(*user) &&
               !is_written_only(*user)) {
      is_used_ = true;
    }
  }

  // What an allocator keeps for itself lies before the block.
  static bool is_before_block(const llvm::User &member) {
    const auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&member);
    if (address == nullptr)
      return false;
    const llvm::DataLayout &layout = address->getModule()->getDataLayout();
    llvm::APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
    return address->accumulateConstantOffset(layout, offset) && offset.isNegative();
  }

  // A member of the block that something is stored to.
  static bool is_written_only(const llvm::User &member) {
    return llvm::isa<llvm::GetElementPtrInst>(member) &&
           llvm::all_of(member.uses(), [](const llvm::Use &use) {
             const auto *store = llvm::dyn_cast<llvm::StoreInst>(use.getUser());
             return store != nullptr && store->getPointerOperand() == use.get();
           });
  }

  llvm::DenseSet<const llvm::Value *> seen_;
  std::vector<const llvm::Value *> work_;
  std::vector<HandedOn> calls_;
  bool is_used_ = false;
};

void note(llvm::Module &module, const llvm::Function &function, unsigned parameter,
          const HandedOn &handed) {
  llvm::LLVMContext &context = module.getContext();
  const auto number = [&](unsigned value) {
    return llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value));
  };
  module.getOrInsertNamedMetadata(kNotes)->addOperand(llvm::MDNode::get(
      context, {llvm::MDString::get(context, source_name(function)), number(parameter),
                llvm::MDString::get(context, called_name(*handed.call)), number(handed.argument)}));
}

struct Note {
  llvm::StringRef function;
  unsigned parameter;
  llvm::StringRef callee;
  unsigned argument;
};

Note read_note(const llvm::MDNode &node) {
  const auto text = [&](unsigned operand) {
    return llvm::cast<llvm::MDString>(node.getOperand(operand))->getString();
  };
  const auto number = [&](unsigned operand) {
    return static_cast<unsigned>(
        llvm::mdconst::extract<llvm::ConstantInt>(node.getOperand(operand))->getZExtValue());
  };
  return {text(0), number(1), text(2), number(3)};
}

} // namespace

void note_free_wrapper_candidates(llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (!function.isDeclaration())
      for (const llvm::Argument &parameter : function.args())
        if (parameter.getType()->isPointerTy())
          for (const HandedOn &handed : Flow().handed_on(parameter))
            note(module, function, parameter.getArgNo(), handed);
}

FreeWrappers::FreeWrappers(llvm::Module &module) {
  llvm::NamedMDNode *node = module.getNamedMetadata(kNotes);
  if (node == nullptr)
    return;
  std::vector<Note> notes;
  for (const llvm::MDNode *operand : node->operands())
    notes.push_back(read_note(*operand));
  const auto gives_back = [&](const Note &note) {
    if (note.callee.empty())
      return true;
    if (is_free(note.callee))
      return note.argument == 0;
    return freed_argument(note.callee) == note.argument;
  };
  for (bool grows = true; grows;) {
    grows = false;
    for (const Note &note : notes) {
      if (!gives_back(note))
        continue;
      Wrapper &wrapper = wrappers_.try_emplace(note.function, note.parameter).first->second;
      grows |= wrapper.parameter == note.parameter && wrapper.callees.insert(note.callee).second;
    }
  }
  node->eraseFromParent(); // and with it the notes' texts
}

std::optional<unsigned> FreeWrappers::freed_argument(llvm::StringRef function) const {
  const auto found = wrappers_.find(function);
  return found == wrappers_.end() ? std::nullopt : std::optional(found->second.parameter);
}

bool FreeWrappers::charge_to_caller(Site &site) const {
  std::string callee = site.callee;
  for (;;) {
    const auto wrapper = wrappers_.find(site.function);
    if (wrapper == wrappers_.end() || !wrapper->second.callees.contains(callee))
      return true;
    if (site.at.empty())
      return false;
    callee = std::move(site.function);
    InlinedAt caller = std::move(site.at.front());
    site.at.erase(site.at.begin());
    site.function = std::move(caller.function);
    site.file = std::move(caller.file);
    site.line = caller.line;
    site.column = caller.column;
    site.callee = callee;
  }
}

} // namespace culprit
