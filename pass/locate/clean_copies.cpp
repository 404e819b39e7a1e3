// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/clean_copies.h"

#include "abi/locate.h"
#include "pass/locate/aliases.h"
#include "pass/locate/questions.h"
#include "pass/locate/result_marks.h"
#include "pass/locate/stains.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <utility>

namespace culprit {

namespace {

// More take the compiler too long: each way over brings all values together that are needed there.
constexpr size_t kLongest = 4000; // instructions
constexpr size_t kMostWays = 200;

// A variable of the runtime that is never corrupt, or has been asked where an id was made of it.
bool is_of_runtime(const llvm::LoadInst &load) {
  const llvm::Value *address = load.getPointerOperand();
  llvm::APInt offset(load.getDataLayout().getIndexTypeSizeInBits(address->getType()), 0);
  const llvm::Value *base = address->stripAndAccumulateConstantOffsets(load.getDataLayout(), offset,
                                                                       /*AllowNonInbounds=*/true);
  return base->hasName() &&
         (base->getName() == CULPRIT_CLOCK_SYMBOL || base->getName() == CULPRIT_ATTENTION_SYMBOL);
}

// Where the ids come from that are asked whether they are corrupt.
llvm::SetVector<llvm::Instruction *> find_sources(llvm::ArrayRef<llvm::CallInst *> questions) {
  llvm::SetVector<llvm::Instruction *> sources;
  llvm::SetVector<llvm::Value *> ids;
  for (llvm::CallInst *question : questions)
    if (const Question kind = question_of(*question);
        kind == Question::is_corrupt || kind == Question::mark_of)
      ids.insert(question->getArgOperand(0));
  for (size_t i = 0; i < ids.size(); ++i) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(ids[i]);
    if (instruction == nullptr)
      continue; // arguments are said to be given
    const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
    if (llvm::isa<llvm::PHINode, llvm::FreezeInst>(instruction) ||
        (call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::umax)) {
      for (llvm::Value *operand : instruction->operands())
        if (operand->getType()->isIntegerTy(64))
          ids.insert(operand);
    } else if (auto *choice = llvm::dyn_cast<llvm::SelectInst>(instruction)) {
      ids.insert(choice->getTrueValue());
      ids.insert(choice->getFalseValue());
    } else if (instruction->getOpcode() == llvm::Instruction::Or ||
               instruction->getOpcode() == llvm::Instruction::And) {
      ids.insert(instruction->getOperand(0));
      ids.insert(instruction->getOperand(1));
    } else if (instruction->getOpcode() == llvm::Instruction::Add &&
               llvm::isa<llvm::ConstantInt>(instruction->getOperand(1))) {
      continue; // the clock goes on
    } else if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction);
               load == nullptr || !is_of_runtime(*load)) {
      sources.insert(instruction);
    }
  }
  return sources;
}

class CleanCopy {
public:
  explicit CleanCopy(llvm::Function &function) : function_(function) {}

  void make() {
    for (llvm::Instruction &instruction : llvm::instructions(function_))
      if (question_of(instruction) != Question::none)
        questions_.push_back(llvm::cast<llvm::CallInst>(&instruction));
    if (questions_.empty())
      return;
    sources_ = find_sources(questions_);
    if (can_be_copied()) {
      split();
      copy();
      lead_over();
      llvm::SmallVector<llvm::CallInst *, 32> others;
      for (llvm::CallInst *question : questions_)
        others.push_back(llvm::cast<llvm::CallInst>(copies_[question]));
      repair();
      for (llvm::CallInst *question : questions_)
        answer_clean(*question);
      questions_ = std::move(others);
    }
    for (llvm::CallInst *question : questions_)
      answer(*question);
    llvm::removeUnreachableBlocks(function_);
  }

private:
  bool can_be_copied() const {
    if (function_.getInstructionCount() > kLongest || sources_.size() > kMostWays ||
        function_.isPresplitCoroutine() ||
        llvm::any_of(sources_,
                     [](const llvm::Instruction *source) { return source->isTerminator(); }))
      return false;
    return llvm::none_of(function_, [](const llvm::BasicBlock &block) {
      return block.hasAddressTaken() ||
             llvm::isa<llvm::IndirectBrInst, llvm::CallBrInst>(block.getTerminator());
    });
  }

  // Does the clean copy look before this, or at what it is?
  static bool is_read(const llvm::Instruction &source) {
    const Question kind = question_of(source);
    return kind == Question::id_if_stained || kind == Question::was_read;
  }

  // Blocks end where the clean copy may be left: before a read, behind what says an id.
  void split() {
    // Variables there are one for both.
    llvm::BasicBlock &entry = function_.getEntryBlock();
    const llvm::BasicBlock::iterator first = entry.getFirstNonPHIOrDbgOrAlloca();
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::make_range(first, entry.end())))
      if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
          local != nullptr && local->isStaticAlloca())
        instruction.moveBefore(entry, first);
    entry.splitBasicBlock(first);
    for (llvm::Instruction *source : sources_) {
      llvm::Instruction *at = is_read(*source) ? source : source->getNextNode();
      at->getParent()->splitBasicBlock(at->getIterator());
    }
  }

  void copy() {
    for (llvm::BasicBlock &block : llvm::drop_begin(function_))
      clean_.push_back(&block);
    llvm::SmallVector<llvm::BasicBlock *, 32> others;
    for (llvm::BasicBlock *block : clean_) {
      llvm::BasicBlock *other = llvm::CloneBasicBlock(block, copies_, ".asks", &function_);
      copies_[block] = other;
      others.push_back(other);
    }
    llvm::remapInstructionsInBlocks(others, copies_);
  }

  void lead_over() {
    llvm::MDNode *unlikely = llvm::MDBuilder(function_.getContext()).createUnlikelyBranchWeights();
    for (llvm::Instruction *source : sources_) {
      // Splitting has left an edge to the rest, which nothing else leads to.
      llvm::BasicBlock *from = source->getParent();
      if (is_read(*source))
        from = from->getSinglePredecessor();
      llvm::Instruction *end = from->getTerminator();
      llvm::BasicBlock *on = end->getSuccessor(0);
      llvm::IRBuilder<> builder(end);
      builder.SetCurrentDebugLocation(source->getDebugLoc());
      builder.CreateCondBr(is_left(builder, *source), llvm::cast<llvm::BasicBlock>(copies_[on]), on,
                           unlikely);
      end->eraseFromParent();
    }
  }

  static llvm::Value *is_left(llvm::IRBuilder<> &builder, llvm::Instruction &source) {
    if (!is_read(source)) {
      if (llvm::CallBase *call = marked_call(source))
        return builder.CreateExtractValue(call, kMarkOfResult);
      return builder.CreateICmpSLT(&source, builder.getInt64(0));
    }
    const auto &read = llvm::cast<llvm::CallInst>(source);
    llvm::Value *address = read.getArgOperand(question_of(read) == Question::was_read ? 1 : 0);
    llvm::Value *answer = is_stained(builder, address, size_of_access(read));
    if (auto *compared = llvm::dyn_cast<llvm::ICmpInst>(answer))
      tell_stain_apart(*llvm::cast<llvm::Instruction>(compared->getOperand(0)));
    return answer;
  }

  // What was computed before the way over, the other copy takes from the clean one.
  void repair() {
    for (llvm::BasicBlock *block : clean_)
      for (llvm::Instruction &instruction : *block) {
        const auto found = copies_.find(&instruction);
        if (found == copies_.end() || instruction.getType()->isVoidTy())
          continue;
        auto *other = llvm::cast<llvm::Instruction>(found->second);
        llvm::SmallVector<llvm::Use *, 8> uses;
        for (llvm::Use &use : other->uses()) {
          auto *user = llvm::cast<llvm::Instruction>(use.getUser());
          if (user->getParent() != other->getParent() || llvm::isa<llvm::PHINode>(user))
            uses.push_back(&use);
        }
        if (uses.empty())
          continue;
        llvm::SSAUpdater updater;
        updater.Initialize(instruction.getType(), "");
        updater.AddAvailableValue(block, &instruction);
        updater.AddAvailableValue(other->getParent(), other);
        for (llvm::Use *use : uses)
          updater.RewriteUse(*use);
      }
  }

  static void replace(llvm::CallInst &question, llvm::Value *by) {
    question.replaceAllUsesWith(by);
    question.eraseFromParent();
  }

  static void answer_clean(llvm::CallInst &question) {
    switch (question_of(question)) {
    case Question::is_corrupt:
    case Question::mark_of:
    case Question::id_if_stained:
      replace(question, llvm::Constant::getNullValue(question.getType()));
      return;
    case Question::was_read:
    case Question::was_given:
      replace(question, question.getArgOperand(0));
      return;
    case Question::none:
      return;
    }
  }

  static void answer(llvm::CallInst &question) {
    llvm::IRBuilder<> builder(&question);
    switch (question_of(question)) {
    case Question::is_corrupt:
      replace(question, builder.CreateICmpSLT(question.getArgOperand(0), builder.getInt64(0)));
      return;
    case Question::mark_of:
      replace(question,
              builder.CreateAnd(question.getArgOperand(0), builder.getInt64(CULPRIT_ID_CORRUPT)));
      return;
    case Question::id_if_stained: {
      llvm::InlineFunctionInfo information;
      llvm::InlineFunction(question, information);
      return;
    }
    case Question::was_read:
    case Question::was_given:
      replace(question, question.getArgOperand(0));
      return;
    case Question::none:
      return;
    }
  }

  llvm::Function &function_;
  llvm::SmallVector<llvm::CallInst *, 32> questions_;
  llvm::SetVector<llvm::Instruction *> sources_; // where the clean copy is left
  llvm::SmallVector<llvm::BasicBlock *, 32> clean_;
  llvm::ValueToValueMapTy copies_;
};

} // namespace

llvm::PreservedAnalyses CleanCopiesPass::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::SetVector<llvm::Function *> marking;
  for (llvm::Function &function : module) {
    llvm::SmallVector<llvm::CallInst *, 32> questions;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (question_of(instruction) != Question::none)
        questions.push_back(llvm::cast<llvm::CallInst>(&instruction));
    for (const llvm::Instruction *source : find_sources(questions))
      if (llvm::Function *callee = returned_by(*source))
        marking.insert(callee);
  }
  for (llvm::Function *function : marking)
    mark_result(*function);
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      CleanCopy(function).make();
  return llvm::PreservedAnalyses::none();
}

} // namespace culprit
