// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/layout.h"

#include "abi/layout.h"
#include "abi/sites.h"
#include "pass/embedded_frame.h"
#include "pass/locate/moved_globals.h"
#include "pass/locate/variable_names.h"
#include "pass/locate/worth_moving.h"
#include "pass/source_place.h"

#include "llvm/IR/Constants.h"
#include "llvm/Support/raw_ostream.h"

#include <cstddef>
#include <set>

namespace culprit {

namespace {

llvm::Align alignment_of(const llvm::GlobalVariable &global) {
  return global.getAlign().value_or(global.getParent()->getDataLayout().getPreferredAlign(&global));
}

std::string name_of(const llvm::GlobalVariable &global) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> found;
  global.getDebugInfo(found);
  return found.empty() ? global.getName().str() : found.front()->getVariable()->getName().str();
}

} // namespace

LayoutTable::LayoutTable(llvm::Module &module, Hooks &hooks)
    : module_(module), hooks_(hooks), globals_(movable_globals(module)), alone_(alone(module)) {
  auto *empty = llvm::ArrayType::get(llvm::Type::getInt64Ty(module.getContext()), 0);
  table_ = new llvm::GlobalVariable(module, empty, /*isConstant=*/false,
                                    llvm::GlobalValue::InternalLinkage,
                                    llvm::ConstantAggregateZero::get(empty), "culprit.endless");
  has_global_buffer_ = llvm::any_of(globals_, [](const llvm::GlobalVariable *global) {
    return is_buffer(*global->getValueType());
  });
}

void LayoutTable::consider(llvm::Function &function, const Plan &plan) {
  const uint64_t number = numbers_.size();
  numbers_[&function] = number;
  add_address_variables(plan, addresses_);
  const VariableNames names(function);
  for (const auto &[place, home] : plan.homes)
    if (const llvm::DILocalVariable *variable = names.variable(*place))
      locals_[place] = {variable->getName().str(), plan.variables.lookup(place)};
}

void LayoutTable::demote(llvm::Function &function, Plan &plan) {
  const bool has_buffer = llvm::any_of(plan.homes, [](const auto &each) {
    return each.second == Home::frame && is_buffer(*each.first->getAllocatedType());
  });
  if (!has_buffer && !(has_global_buffer_ && alone_.contains(&function)))
    return;
  for (auto &[place, home] : plan.homes)
    if (home == Home::promoted && addresses_.contains(place) && locals_.contains(place)) {
      home = Home::frame;
      demoted_.insert(place);
    }
}

unsigned LayoutTable::flags_of(const llvm::Value &variable, const llvm::Type &type) const {
  return (is_buffer(type) ? CULPRIT_LAYOUT_BUFFER : 0U) |
         (type.isPointerTy() || addresses_.contains(&variable) ? CULPRIT_LAYOUT_ADDRESS : 0U);
}

uint64_t LayoutTable::add_frame(const llvm::Function &function, const FrameLayout &frame) {
  const uint64_t first = globals_.size() + frames_.size();
  frames_.push_back(frame.size);
  frames_.push_back(frame.sentinel);
  static_assert(CULPRIT_LAYOUT_FRAME_HEAD == 2);
  llvm::json::Array variables;
  for (const FrameVariable &each : frame.variables) {
    frames_.push_back(each.offset);
    const auto *place = llvm::dyn_cast<llvm::AllocaInst>(each.place);
    const unsigned flags =
        place == nullptr ? CULPRIT_LAYOUT_ARGUMENT : flags_of(*place, *place->getAllocatedType());
    const auto local = locals_.find(each.place);
    const bool is_named = local != locals_.end();
    variables.push_back(
        llvm::json::Array{llvm::json::fixUTF8(is_named ? local->second.name : each.name), each.size,
                          each.alignment.value(), flags, is_named ? local->second.definition : 0U});
  }
  described_frames_.push_back(llvm::json::Array{
      llvm::json::fixUTF8(source_name(function)), number_of(function), first,
      frame.alignment.value(), alone_.contains(&function) ? CULPRIT_LAYOUT_ALONE : 0U,
      std::move(variables)});
  return first;
}

llvm::Value *LayoutTable::look_up(llvm::IRBuilder<> &builder, uint64_t entry) {
  auto *type = builder.getInt64Ty();
  return builder.CreateLoad(type, builder.CreateConstGEP1_64(type, table_, entry));
}

llvm::GlobalVariable *LayoutTable::array(llvm::ArrayRef<llvm::Constant *> rows, llvm::Type *type,
                                         llvm::StringRef name, bool is_constant) {
  auto *whole = llvm::ArrayType::get(type, rows.size());
  return new llvm::GlobalVariable(module_, whole, is_constant, llvm::GlobalValue::InternalLinkage,
                                  llvm::ConstantArray::get(whole, rows), name);
}

llvm::json::Array LayoutTable::described_globals(const LocateTables &tables) const {
  llvm::json::Array described;
  for (const llvm::GlobalVariable *global : globals_) {
    std::set<uint64_t> functions;
    llvm::SmallVector<const llvm::User *> users(global->user_begin(), global->user_end());
    while (!users.empty()) {
      const llvm::User *user = users.pop_back_val();
      if (const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user))
        functions.insert(number_of(*instruction->getFunction()));
      else if (!llvm::isa<llvm::GlobalValue>(user))
        users.append(user->user_begin(), user->user_end());
    }
    llvm::json::Array numbers;
    for (const uint64_t function : functions)
      numbers.push_back(function);
    described.push_back(llvm::json::Array{
        llvm::json::fixUTF8(name_of(*global)),
        module_.getDataLayout().getTypeAllocSize(global->getValueType()).getFixedValue(),
        alignment_of(*global).value(), flags_of(*global, *global->getValueType()),
        tables.definition_of(*global), std::move(numbers)});
  }
  return described;
}

// Functions say that they are entered.
void LayoutTable::note_entries() {
  llvm::LLVMContext &context = module_.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  llvm::GlobalVariable *entered = module_.getGlobalVariable("culprit.entered", true);
  for (const auto &[function, number] : numbers_) {
    llvm::BasicBlock &entry = const_cast<llvm::Function *>(function)->getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.begin());
    llvm::Value *bytes = builder.CreateLoad(pointer, entered);
    builder.CreateStore(builder.getInt8(1),
                        builder.CreateConstGEP1_64(builder.getInt8Ty(), bytes, number));
  }
}

llvm::GlobalVariable *LayoutTable::pointers_table() {
  llvm::LLVMContext &context = module_.getContext();
  auto *wide = llvm::Type::getInt64Ty(context);
  auto number = [&](uint64_t value) { return llvm::ConstantInt::get(wide, value); };
  static_assert(offsetof(culprit_moved_pointer, addend) == 16);
  auto *row = llvm::StructType::get(context, {wide, wide, wide});
  llvm::DenseMap<const llvm::GlobalVariable *, uint64_t> positions;
  for (size_t i = 0; i < globals_.size(); ++i)
    positions[globals_[i]] = i;
  std::vector<llvm::Constant *> rows;
  for (const MovedPointer &each : moved_pointers(module_, globals_)) {
    llvm::Constant *holder = llvm::ConstantExpr::getPtrToInt(each.holder, wide);
    rows.push_back(llvm::ConstantStruct::get(
        row, {llvm::ConstantExpr::getAdd(holder, number(each.offset)),
              number(positions.lookup(each.global)), number(static_cast<uint64_t>(each.addend))}));
  }
  return array(rows, row, "culprit.moved_pointers", true);
}

void LayoutTable::emit(const LocateTables &tables) {
  llvm::LLVMContext &context = module_.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *wide = llvm::Type::getInt64Ty(context);
  auto *byte = llvm::Type::getInt8Ty(context);
  llvm::json::Array described = described_globals(tables);
  look_up_globals(globals_, *table_);
  // Before there is any address of theirs that must not change.
  llvm::GlobalVariable *pointers = pointers_table();
  const uint64_t pointer_count =
      llvm::cast<llvm::ArrayType>(pointers->getValueType())->getNumElements();

  static_assert(sizeof(culprit_moved_global) == 16);
  auto *row = llvm::StructType::get(context, {pointer, wide});
  std::vector<llvm::Constant *> rows;
  rows.reserve(globals_.size());
  for (llvm::GlobalVariable *global : globals_)
    rows.push_back(llvm::ConstantStruct::get(
        row, {global, llvm::ConstantInt::get(wide, module_.getDataLayout().getTypeAllocSize(
                                                       global->getValueType()))}));
  llvm::GlobalVariable *images = array(rows, row, "culprit.images", true);

  std::vector<llvm::Constant *> entries;
  entries.reserve(globals_.size() + frames_.size());
  for (llvm::GlobalVariable *global : globals_)
    entries.push_back(llvm::ConstantExpr::getPtrToInt(global, wide));
  for (const uint64_t entry : frames_)
    entries.push_back(llvm::ConstantInt::get(wide, entry));
  llvm::GlobalVariable *table = array(entries, wide, "culprit.layout", false);
  table_->replaceAllUsesWith(table);
  table_->eraseFromParent();
  table_ = table;

  auto *flags = llvm::ArrayType::get(byte, numbers_.size());
  auto *own = new llvm::GlobalVariable(
      module_, flags, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
      llvm::ConstantAggregateZero::get(flags), "culprit.entered_here");
  auto *entered =
      new llvm::GlobalVariable(module_, pointer, /*isConstant=*/false,
                               llvm::GlobalValue::InternalLinkage, own, "culprit.entered");
  note_entries();

  static_assert(offsetof(culprit_layout_unit, functions) == 56 &&
                sizeof(culprit_layout_unit) == 64);
  auto *type =
      llvm::StructType::get(context, {pointer, wide, pointer, wide, pointer, wide, pointer, wide});
  auto count = [&](uint64_t number) { return llvm::ConstantInt::get(wide, number); };
  auto *unit = new llvm::GlobalVariable(
      module_, type, /*isConstant=*/true, llvm::GlobalValue::InternalLinkage,
      llvm::ConstantStruct::get(type,
                                {table, count(entries.size()), images, count(globals_.size()),
                                 pointers, count(pointer_count), entered, count(numbers_.size())}),
      "culprit.layout_unit");
  llvm::BasicBlock &start = module_.getFunction("culprit.register")->getEntryBlock();
  llvm::IRBuilder<> builder(&start, start.begin());
  hooks_.call(builder, Hooks::register_layout, {unit});

  std::string payload;
  llvm::raw_string_ostream(payload) << llvm::json::Value(
      llvm::json::Object{{CULPRIT_LAYOUT_GLOBALS, std::move(described)},
                         {CULPRIT_LAYOUT_FRAMES, std::move(described_frames_)}});
  embed_sites(module_, 0, payload);
}

} // namespace culprit
