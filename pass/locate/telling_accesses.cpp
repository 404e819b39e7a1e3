// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/telling_accesses.h"

#include "abi/locate.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/MDBuilder.h"

#include <string>
#include <vector>

namespace culprit {

namespace {

constexpr size_t kTold = 3; // leaves: more would leave too few registers for the program

// How the machine moves a value of this type; null: not by one instruction of these.
struct Move {
  const char *load = nullptr;
  const char *store = nullptr;
  bool is_floating = false;
};

Move move_of(const llvm::Type &type) {
  if (type.isPointerTy())
    return {"movq", "movq"};
  if (type.isFloatTy())
    return {"movss", "movss", true};
  if (type.isDoubleTy())
    return {"movsd", "movsd", true};
  if (!type.isIntegerTy())
    return {};
  switch (type.getIntegerBitWidth()) {
  case 8:
    return {"movzbl", "movb"};
  case 16:
    return {"movzwl", "movw"};
  case 32:
    return {"movl", "movl"};
  case 64:
    return {"movq", "movq"};
  default:
    return {};
  }
}

bool has_feature(const llvm::Function &function, llvm::StringRef feature) {
  return function.getFnAttribute("target-features").getValueAsString().contains(feature);
}

// What the row says of the leaves, and the operands that this takes.
struct Operands {
  std::string text;
  std::string constraints;
  llvm::SmallVector<llvm::Value *, 8> values;
  bool reads_memory = false; // when it is asked

  Operands(llvm::ArrayRef<ToldLeaf> leaves, unsigned first) {
    for (const ToldLeaf &leaf : leaves) {
      text += text.empty() ? "" : ";";
      for (const auto &[i, term] : llvm::enumerate(leaf.terms)) {
        if (i > 0)
          text += i == 1 ? "?" + std::to_string(leaf.limit) + "|" : "|";
        add(term, first);
      }
    }
  }

private:
  void add(const ToldTerm &term, unsigned first) {
    if (term.is_memory)
      text += "@" + std::to_string(term.size) + ":" + std::to_string(term.offset) + ":";
    reads_memory |= term.is_memory;
    text += "$" + std::to_string(first + values.size());
    constraints += term.is_memory ? ",r" : ",ri";
    values.push_back(term.value);
  }
};

// The instruction, and its row behind it.
std::string text_of(llvm::StringRef instruction, unsigned place, llvm::StringRef leaves) {
  return ("1:\t" + instruction +
          "\t$1, $0\n\t.pushsection " CULPRIT_ACCESSES_SECTION
          ",\"aR\",@progbits\n\t.balign 4\n\t.long 1b-., " +
          llvm::Twine(place) + "\n\t.asciz \"" + leaves + "\"\n\t.balign 4\n\t.popsection")
      .str();
}

llvm::CallInst *emit(llvm::IRBuilder<> &builder, llvm::Type *result, const std::string &text,
                     const std::string &constraints, llvm::ArrayRef<llvm::Value *> arguments,
                     llvm::Type *element, llvm::MemoryEffects effects) {
  llvm::SmallVector<llvm::Type *, 8> types;
  for (const llvm::Value *argument : arguments)
    types.push_back(argument->getType());
  auto *code =
      llvm::InlineAsm::get(llvm::FunctionType::get(result, types, false), text, constraints,
                           /*hasSideEffects=*/true);
  llvm::CallInst *call = builder.CreateCall(code, arguments);
  llvm::LLVMContext &context = builder.getContext();
  call->addParamAttr(0, llvm::Attribute::get(context, llvm::Attribute::ElementType, element));
  call->addParamAttr(0, llvm::Attribute::NoCapture);
  call->setDoesNotThrow();
  call->setMemoryEffects(effects | llvm::MemoryEffects::inaccessibleMemOnly());
  return call;
}

// Ids that stand in memory must be there by then.
llvm::MemoryEffects effects_of(llvm::ModRefInfo access, const Operands &told) {
  const auto own = llvm::MemoryEffects::argMemOnly(access);
  return told.reads_memory ? own | llvm::MemoryEffects::readOnly() : own;
}

void make_telling_load(llvm::LoadInst &load, unsigned place, llvm::ArrayRef<ToldLeaf> leaves,
                       const Move &move, llvm::StringRef prefix) {
  llvm::IRBuilder<> builder(&load);
  llvm::Type *type = load.getType();
  // A part of a register is read as a whole one: writing a part would wait for the rest.
  const unsigned bits = type->isIntegerTy() ? type->getIntegerBitWidth() : 0;
  const bool is_part = bits != 0 && bits < 32;
  const Operands told(leaves, 2);
  llvm::SmallVector<llvm::Value *, 8> arguments{load.getPointerOperand()};
  arguments.append(told.values);
  llvm::CallInst *call =
      emit(builder, is_part ? builder.getInt32Ty() : type,
           text_of((prefix + move.load).str(), place, told.text),
           std::string(move.is_floating ? "=x" : "=r") + ",*m" + told.constraints, arguments, type,
           effects_of(llvm::ModRefInfo::Ref, told));
  llvm::Value *value = call;
  if (is_part) {
    call->setMetadata(llvm::LLVMContext::MD_range,
                      llvm::MDBuilder(builder.getContext())
                          .createRange(llvm::APInt(32, 0), llvm::APInt(32, 1U << bits)));
    value = builder.CreateTrunc(call, type);
  }
  value->takeName(&load);
  load.replaceAllUsesWith(value);
  load.eraseFromParent();
}

void make_telling_store(llvm::StoreInst &store, unsigned place, llvm::ArrayRef<ToldLeaf> leaves,
                        const Move &move, llvm::StringRef prefix) {
  llvm::IRBuilder<> builder(&store);
  llvm::Type *type = store.getValueOperand()->getType();
  const Operands told(leaves, 2);
  llvm::SmallVector<llvm::Value *, 8> arguments{store.getPointerOperand(), store.getValueOperand()};
  arguments.append(told.values);
  emit(builder, builder.getVoidTy(), text_of((prefix + move.store).str(), place, told.text),
       std::string("=*m,") +
           (move.is_floating      ? "x"
            : type->isPointerTy() ? "r"
                                  : "re") +
           told.constraints,
       arguments, type, effects_of(llvm::ModRefInfo::Mod, told));
  store.eraseFromParent();
}

llvm::Type *type_of(const llvm::Instruction &access) {
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&access))
    return load->isSimple() && load->getPointerAddressSpace() == 0 ? load->getType() : nullptr;
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&access))
    return store->isSimple() && store->getPointerAddressSpace() == 0
               ? store->getValueOperand()->getType()
               : nullptr;
  return nullptr;
}

} // namespace

bool can_tell(const llvm::Instruction &access, size_t leaves) {
  const llvm::Type *type = type_of(access);
  if (type == nullptr || leaves > kTold)
    return false;
  const Move move = move_of(*type);
  return move.load != nullptr && !(move.is_floating && has_feature(*access.getFunction(), "-sse2"));
}

bool is_telling(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto *code =
      call != nullptr ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  return code != nullptr &&
         llvm::StringRef(code->getAsmString()).contains(CULPRIT_ACCESSES_SECTION);
}

bool is_told_id(const llvm::Instruction &instruction, unsigned operand) {
  if (!is_telling(instruction))
    return false;
  const auto &access = llvm::cast<llvm::CallInst>(instruction);
  const unsigned own = access.getType()->isVoidTy() ? 2 : 1; // address and value
  return operand >= own && operand < access.arg_size() &&
         access.getArgOperand(operand)->getType()->isIntegerTy(64);
}

void tell_from_cells(llvm::CallInst &access,
                     llvm::ArrayRef<std::pair<unsigned, llvm::Value *>> operands, unsigned cells) {
  const auto *old = llvm::cast<llvm::InlineAsm>(access.getCalledOperand());
  llvm::SmallVector<llvm::StringRef, 8> parts;
  llvm::StringRef(old->getConstraintString()).split(parts, ',');
  std::vector<std::string> constraints(parts.begin(), parts.end());
  auto [code, leaves] = llvm::StringRef(old->getAsmString()).split(".asciz \"");
  std::string text = leaves.str();
  llvm::SmallVector<llvm::Value *, 8> arguments(access.args());
  for (const auto &[operand, address] : operands) {
    // A result counts as the first operand.
    const unsigned number = operand + (access.getType()->isVoidTy() ? 0 : 1);
    const std::string name = "$" + std::to_string(number);
    size_t at = text.find(name);
    while (at != std::string::npos && llvm::isDigit(text[at + name.size()]))
      at = text.find(name, at + 1);
    assert(at != std::string::npos);
    text.insert(at, "*" + std::to_string(cells) + ":");
    constraints[number] = "r";
    arguments[operand] = address;
  }
  llvm::SmallVector<llvm::Type *, 8> types;
  for (const llvm::Value *argument : arguments)
    types.push_back(argument->getType());
  auto *telling = llvm::InlineAsm::get(llvm::FunctionType::get(access.getType(), types, false),
                                       (code + ".asciz \"" + text).str(),
                                       llvm::join(constraints, ","), /*hasSideEffects=*/true);
  llvm::CallInst *call = llvm::IRBuilder<>(&access).CreateCall(telling, arguments);
  call->setAttributes(access.getAttributes());
  call->setMemoryEffects(access.getMemoryEffects() | llvm::MemoryEffects::readOnly());
  call->copyMetadata(access);
  call->takeName(&access);
  access.replaceAllUsesWith(call);
  access.eraseFromParent();
}

void make_telling(llvm::Instruction &access, unsigned place, llvm::ArrayRef<ToldLeaf> leaves) {
  const Move move = move_of(*type_of(access));
  // Instructions of two generations of vector registers are not to be mixed.
  const llvm::StringRef prefix =
      move.is_floating && has_feature(*access.getFunction(), "+avx") ? "v" : "";
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&access))
    make_telling_load(*load, place, leaves, move, prefix);
  else
    make_telling_store(llvm::cast<llvm::StoreInst>(access), place, leaves, move, prefix);
}

} // namespace culprit
