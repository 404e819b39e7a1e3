// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locals.h"

#include "pass/debug_types.h"
#include "pass/source_place.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/IntrinsicInst.h"

namespace culprit {

namespace {

constexpr uint64_t kReturnSlotSize = 8;
constexpr llvm::StringLiteral kNameless = "(temporary)";

bool is_watched(const llvm::AllocaInst &place, const llvm::StackSafetyGlobalInfo &safety) {
  return place.getAddressSpace() == 0 && !place.isSwiftError() && !place.isUsedWithInAlloca() &&
         place.getAllocatedType()->isSized() && !place.getAllocatedType()->isScalableTy() &&
         !safety.isSafe(place);
}

// Of the right size if the number of elements is constant; else 0.
uint64_t constant_size(const llvm::AllocaInst &place) {
  const auto size = place.getAllocationSize(place.getModule()->getDataLayout());
  return size && place.isStaticAlloca() ? size->getFixedValue() : 0;
}

// Does the record say that the variable *is* at the address? (Otherwise it holds the address.)
bool says_where(const llvm::DbgVariableRecord &record) {
  const llvm::DIExpression &expression = *record.getExpression();
  const unsigned length = expression.getNumElements();
  const unsigned plain = expression.isFragment() ? length - 3 : length;
  switch (record.getType()) {
  case llvm::DbgVariableRecord::LocationType::Declare:
    return plain == 0;
  case llvm::DbgVariableRecord::LocationType::Value:
    return plain == 1 && expression.getElement(0) == llvm::dwarf::DW_OP_deref;
  default:
    return false;
  }
}

const llvm::DbgVariableRecord *find_record(llvm::AllocaInst &place) {
  // With assignments tracked, the record of the first one stands for the variable.
  for (const llvm::DbgVariableRecord *record : llvm::at::getDVRAssignmentMarkers(&place))
    if (record->getAddress() == &place && record->getAddressExpression()->getNumElements() == 0)
      return record;
  llvm::SmallVector<llvm::DbgVariableIntrinsic *> intrinsics;
  llvm::SmallVector<llvm::DbgVariableRecord *> records;
  llvm::findDbgUsers(intrinsics, &place, &records);
  for (const llvm::DbgVariableRecord *record : records)
    if (says_where(*record))
      return record;
  return nullptr;
}

// The variable that holds the address of memory from alloca().
const llvm::DILocalVariable *holder(llvm::AllocaInst &place) {
  llvm::SmallVector<llvm::DbgVariableIntrinsic *> intrinsics;
  llvm::SmallVector<llvm::DbgVariableRecord *> records;
  llvm::findDbgUsers(intrinsics, &place, &records);
  for (const llvm::DbgVariableRecord *record : records)
    if (record->getType() == llvm::DbgVariableRecord::LocationType::Value &&
        record->getExpression()->getNumElements() == 0)
      return record->getVariable();
  return nullptr;
}

// Where a variable without a name begins to live, or is used first.
const llvm::Instruction &beginning(const llvm::AllocaInst &place) {
  const llvm::Instruction *first = nullptr;
  for (const llvm::User *user : place.users()) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
    if (instruction == nullptr || !instruction->getDebugLoc())
      continue;
    const auto *marker = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
    if (marker != nullptr && marker->getIntrinsicID() == llvm::Intrinsic::lifetime_start)
      return *marker;
    const unsigned line = instruction->getDebugLoc().getLine();
    if (line != 0 && (first == nullptr || line < first->getDebugLoc().getLine()))
      first = instruction;
  }
  return first != nullptr ? *first : place;
}

Variable describe(llvm::AllocaInst &place, Layouts &layouts) {
  Variable variable{};
  variable.kind = VariableKind::local;
  variable.size = constant_size(place);
  const llvm::DbgVariableRecord *record = find_record(place);
  if (record == nullptr) {
    const llvm::Instruction &begins = beginning(place);
    const SourcePlace where = place_of(begins);
    variable.name = kNameless.str();
    variable.function = where.function;
    variable.file = where.file;
    variable.line = where.line;
    if (const auto *pointer = place.isStaticAlloca() ? nullptr : holder(place))
      variable.name = "*" + pointer->getName().str();
    return variable;
  }
  const llvm::DILocalVariable &source = *record->getVariable();
  variable.name = source.getName().str();
  variable.function = function_around(source.getScope()).str();
  variable.file = path_of(source.getDirectory(), source.getFilename());
  variable.line = source.getLine();
  const uint32_t layout = layouts.of(source.getType());
  if (const auto part = record->getExpression()->getFragmentInfo()) {
    const llvm::StringRef member = layouts.member_at(layout, part->OffsetInBits / 8);
    if (!member.empty())
      variable.name += "." + member.str();
    return variable;
  }
  variable.type = name_of(source.getType());
  if (layout != 0 && variable.size % layouts.all()[layout - 1].size == 0)
    variable.layout = layout;
  return variable;
}

} // namespace

std::vector<WatchedLocal> find_locals(llvm::Function &function,
                                      const llvm::StackSafetyGlobalInfo &safety, Layouts &layouts) {
  std::vector<WatchedLocal> found;
  if (function.isPresplitCoroutine())
    return found;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block) {
      auto *place = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (place == nullptr || !is_watched(*place, safety))
        continue;
      if (place->isStaticAlloca() && constant_size(*place) == 0)
        continue; // an empty struct
      found.push_back({place, describe(*place, layouts)});
    }
  return found;
}

Variable return_slot(const llvm::Function &function) {
  Variable variable{};
  variable.kind = VariableKind::return_slot;
  variable.function = source_name(function).str();
  variable.size = kReturnSlotSize;
  if (const llvm::DISubprogram *subprogram = function.getSubprogram()) {
    variable.file = path_of(subprogram->getDirectory(), subprogram->getFilename());
    variable.line = subprogram->getLine();
  }
  return variable;
}

} // namespace culprit
