// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/variable_names.h"

#include "pass/debug_types.h"
#include "pass/source_place.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace culprit {

namespace {

constexpr unsigned kDepth = 8; // longer names say no more

// The member of a record at this offset; null: there is none with a name.
const llvm::DIDerivedType *member_at(const llvm::DICompositeType &record, uint64_t offset) {
  const llvm::DIDerivedType *best = nullptr;
  for (const llvm::DINode *node : record.getElements()) {
    const auto *member = llvm::dyn_cast<llvm::DIDerivedType>(node);
    if (member == nullptr || member->isStaticMember() ||
        (member->getTag() != llvm::dwarf::DW_TAG_member &&
         member->getTag() != llvm::dwarf::DW_TAG_inheritance))
      continue;
    const uint64_t start = member->getOffsetInBits() / 8;
    if (start <= offset && (best == nullptr || start > best->getOffsetInBits() / 8))
      best = member;
  }
  return best;
}

// Is there another member behind it? (In a union there is none.)
bool is_followed(const llvm::DICompositeType &record, const llvm::DIDerivedType &member) {
  return llvm::any_of(record.getElements(), [&](const llvm::DINode *node) {
    const auto *other = llvm::dyn_cast<llvm::DIDerivedType>(node);
    return other != nullptr && other->getTag() == llvm::dwarf::DW_TAG_member &&
           !other->isStaticMember() && other->getOffsetInBits() > member.getOffsetInBits();
  });
}

// Goes down from `type` to what lies `offset` bytes inside it; the text grows by members' names.
// True: that is where a member begins that has another one behind it.
bool descend(std::string &text, const llvm::DIType *&type, uint64_t offset, llvm::StringRef joint) {
  while (const llvm::DICompositeType *record = as_record(type)) {
    const llvm::DIDerivedType *member = member_at(*record, offset);
    if (member == nullptr)
      return false;
    offset -= member->getOffsetInBits() / 8;
    type = member->getBaseType();
    if (member->getTag() == llvm::dwarf::DW_TAG_inheritance || member->getName().empty()) {
      if (as_record(type) == nullptr)
        return false;
      continue; // the part of a base class or an anonymous union goes without a name
    }
    text += (joint + member->getName()).str();
    if (const llvm::DIType *item = array_element(type); item != nullptr && offset != 0) {
      text += "[]";
      type = item;
      if (const uint64_t size = bytes_of(item))
        offset %= size;
    }
    joint = ".";
    if (offset == 0)
      return is_followed(*record, *member);
  }
  return false;
}

} // namespace

VariableNames::VariableNames(llvm::Function &function)
    : layout_(function.getParent()->getDataLayout()) {
  auto note = [&](const llvm::Value *place, const llvm::DILocalVariable *variable) {
    if (const auto *local = llvm::dyn_cast_or_null<llvm::AllocaInst>(place))
      locals_.try_emplace(local, variable);
    else if (const auto *argument = llvm::dyn_cast_or_null<llvm::Argument>(place))
      arguments_.try_emplace(argument, variable);
  };
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    for (llvm::DbgVariableRecord &record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
      if (record.isDbgDeclare() && record.getNumVariableLocationOps() == 1)
        note(record.getVariableLocationOp(0), record.getVariable());
      // With assignments tracked, the first one stands for the variable.
      if (record.isDbgAssign() && record.getAddressExpression()->getNumElements() == 0)
        note(record.getAddress(), record.getVariable());
    }
    if (const auto *assigned = llvm::dyn_cast<llvm::DbgAssignIntrinsic>(&instruction);
        assigned != nullptr && assigned->getAddressExpression()->getNumElements() == 0)
      note(assigned->getAddress(), assigned->getVariable());
    if (const auto *declared = llvm::dyn_cast<llvm::DbgDeclareInst>(&instruction))
      note(declared->getAddress(), declared->getVariable());
  }
  // An argument goes by the name of the variable it is put into.
  for (const llvm::Argument &argument : function.args())
    for (const llvm::User *user : argument.users())
      if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
          store != nullptr && store->getValueOperand() == &argument)
        if (const auto *place = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand()))
          if (const auto *variable = locals_.lookup(place))
            arguments_.try_emplace(&argument, variable);
}

VariableNames::Named VariableNames::element(const llvm::GEPOperator &address, unsigned depth,
                                            bool is_base) const {
  const llvm::Value *base = address.getPointerOperand();
  const auto *outer = llvm::dyn_cast<llvm::GEPOperator>(base);
  const bool is_place = outer != nullptr || llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(base);
  Named named = outer != nullptr ? element(*outer, depth + 1, /*is_base=*/true)
                : is_place       ? lvalue(base, depth + 1)
                                 : rvalue(base, depth + 1);
  if (named.text.empty())
    return {};
  // A pointer's first index chooses among what it points to, a place's among the array's elements.
  llvm::StringRef joint = ".";
  if (!is_place) {
    named.type = pointee(named.type);
    joint = "->";
  }
  uint64_t offset = 0;
  bool is_first = true;
  bool is_element = false;
  for (auto step = llvm::gep_type_begin(address), end = llvm::gep_type_end(address); step != end;
       ++step) {
    const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(step.getOperand());
    is_element = step.getStructTypeOrNull() == nullptr && step.isSequential() && offset == 0;
    // A member is always chosen by a constant.
    if (llvm::StructType *record = step.getStructTypeOrNull();
        record != nullptr && constant != nullptr) {
      offset += layout_.getStructLayout(record)->getElementOffset(constant->getZExtValue());
    } else if (constant != nullptr && address.getSourceElementType()->isIntegerTy(8)) {
      offset += constant->getZExtValue();
    } else if (!is_first || constant == nullptr || !constant->isZero()) {
      descend(named.text, named.type, offset, joint);
      named.is_followed = false;
      named.text += "[]";
      joint = ".";
      offset = 0;
      if (const llvm::DIType *item = array_element(named.type))
        named.type = item;
    }
    is_first = false;
  }
  const size_t length = named.text.size();
  // Which member of the element is meant is for the next step to say.
  if (as_record(named.type) != nullptr && !(is_base && is_element && joint == "."))
    named.is_followed = descend(named.text, named.type, offset, joint);
  if (joint == "->" && named.text.size() == length)
    named.text = "*" + named.text;
  return named;
}

VariableNames::Named VariableNames::lvalue(const llvm::Value *address, unsigned depth) const {
  if (depth > kDepth)
    return {};
  if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(address)) {
    if (const llvm::DILocalVariable *variable = locals_.lookup(local))
      return {variable->getName().str(), variable->getType()};
    return {};
  }
  if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(address)) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> found;
    global->getDebugInfo(found);
    if (found.empty())
      return {global->hasPrivateLinkage() ? "" : global->getName().str(), nullptr};
    return {found.front()->getVariable()->getName().str(), found.front()->getVariable()->getType()};
  }
  if (const auto *computed = llvm::dyn_cast<llvm::GEPOperator>(address))
    return element(*computed, depth);
  Named named = rvalue(address, depth + 1);
  if (named.text.empty())
    return {};
  return {"*" + named.text, pointee(named.type)};
}

VariableNames::Named VariableNames::rvalue(const llvm::Value *value, unsigned depth) const {
  if (depth > kDepth)
    return {};
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(value))
    return lvalue(load->getPointerOperand(), depth + 1);
  if (const auto *argument = llvm::dyn_cast<llvm::Argument>(value)) {
    if (const llvm::DILocalVariable *variable = arguments_.lookup(argument))
      return {variable->getName().str(), variable->getType()};
    return {};
  }
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(value)) {
    const llvm::Function *callee = call->getCalledFunction();
    if (callee == nullptr || callee->isIntrinsic())
      return {};
    const llvm::DISubprogram *subprogram = callee->getSubprogram();
    return {((subprogram != nullptr ? subprogram->getName() : source_name(*callee)) + "()").str(),
            nullptr};
  }
  if (llvm::isa<llvm::CastInst, llvm::FreezeInst>(value))
    return rvalue(llvm::cast<llvm::Instruction>(value)->getOperand(0), depth + 1);
  return {};
}

uint64_t VariableNames::member_size(const llvm::Value *address, bool is_text) const {
  // An array goes by the address of its first element.
  while (const auto *first = llvm::dyn_cast<llvm::GEPOperator>(address)) {
    if (!first->getSourceElementType()->isArrayTy() || !first->hasAllZeroIndices())
      break;
    address = first->getPointerOperand();
  }
  Named named = lvalue(address, 0);
  for (unsigned depth = 0; is_text && depth < kDepth && as_record(named.type) != nullptr; ++depth)
    named.is_followed = descend(named.text, named.type, 0, ".");
  return named.is_followed && array_element(named.type) != nullptr ? bytes_of(named.type) : 0;
}

std::string VariableNames::at(const llvm::Value *address) const { return lvalue(address, 0).text; }
std::string VariableNames::of(const llvm::Value *value) const { return rvalue(value, 0).text; }

} // namespace culprit
