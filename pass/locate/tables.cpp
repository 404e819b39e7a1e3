// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/tables.h"

#include "abi/access.h"
#include "abi/locate.h"
#include "abi/sites.h"
#include "pass/embedded_frame.h"
#include "pass/hooks.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <cstddef>

namespace culprit {

LocateTables::LocateTables(llvm::Module &module) : module_(module) {
  auto *empty = llvm::ArrayType::get(llvm::Type::getInt64Ty(module.getContext()), 0);
  attention_ = new llvm::GlobalVariable(
      module, empty, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
      llvm::ConstantAggregateZero::get(empty), "culprit.sizeless");
  number_of("");
}

unsigned LocateTables::number_of(llvm::StringRef text) {
  const auto [known, is_new] = numbers_.try_emplace(text, numbers_.size());
  if (is_new)
    strings_.push_back(llvm::json::fixUTF8(text));
  return known->second;
}

unsigned LocateTables::add_definition(const Definition &definition) {
  llvm::json::Array leaves;
  for (const std::string &leaf : definition.leaves)
    leaves.push_back(number_of(leaf));
  definitions_.push_back(llvm::json::Array{
      number_of(definition.kind), number_of(definition.place.file), definition.place.line,
      definition.place.column, number_of(definition.place.function), number_of(definition.variable),
      number_of(definition.callee), std::move(leaves)});
  if (definition.size != 0 || !definition.object.empty() || definition.marks != 0)
    for (const uint64_t each :
         {definition.size, uint64_t{number_of(definition.object)}, uint64_t{definition.marks}})
      definitions_.back().getAsArray()->push_back(each);
  if (definitions_.size() >= CULPRIT_MAX_DEFINITIONS)
    llvm::report_fatal_error("culprit: the program has too many definitions");
  return static_cast<unsigned>(definitions_.size());
}

unsigned LocateTables::add_place(const Place &place) {
  llvm::json::Array leaves;
  for (const LeafName &leaf : place.leaves)
    leaves.push_back(llvm::json::Array{number_of(leaf.name), number_of(leaf.role)});
  places_.push_back(llvm::json::Array{
      number_of(place.kind), number_of(place.place.file), place.place.line, place.place.column,
      number_of(place.place.function), place.size, number_of(place.callee), std::move(leaves)});
  return static_cast<unsigned>(places_.size());
}

void LocateTables::add_global(llvm::GlobalVariable &variable, uint64_t size, unsigned definition) {
  globals_.push_back({&variable, size, definition});
}

unsigned LocateTables::definition_of(const llvm::GlobalVariable &variable) const {
  for (const InitialDefinition &each : globals_)
    if (each.variable == &variable)
      return each.definition;
  return 0;
}

llvm::Constant *LocateTables::globals_table() {
  llvm::LLVMContext &context = module_.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *wide = llvm::Type::getInt64Ty(context);
  auto *number = llvm::Type::getInt32Ty(context);
  static_assert(offsetof(culprit_global_definition, definition) == 16 &&
                sizeof(culprit_global_definition) == 24);
  auto *row = llvm::StructType::get(context, {pointer, wide, number, number});
  std::vector<llvm::Constant *> rows;
  rows.reserve(globals_.size());
  for (const InitialDefinition &each : globals_)
    rows.push_back(llvm::ConstantStruct::get(
        row, {each.variable, llvm::ConstantInt::get(wide, each.size),
              llvm::ConstantInt::get(number, each.definition), llvm::ConstantInt::get(number, 0)}));
  auto *type = llvm::ArrayType::get(row, rows.size());
  return new llvm::GlobalVariable(module_, type, /*isConstant=*/true,
                                  llvm::GlobalValue::InternalLinkage,
                                  llvm::ConstantArray::get(type, rows), "culprit.globals");
}

uint64_t LocateTables::embed_tables() {
  std::string payload;
  llvm::raw_string_ostream(payload)
      << llvm::json::Value(llvm::json::Object{{CULPRIT_SITES_STRINGS, std::move(strings_)},
                                              {CULPRIT_SITES_DEFINITIONS, std::move(definitions_)},
                                              {CULPRIT_SITES_PLACES, std::move(places_)}});
  const uint64_t id = hash(payload);
  embed_sites(module_, id, payload);
  return id;
}

void LocateTables::emit(unsigned features) {
  llvm::LLVMContext &context = module_.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *wide = llvm::Type::getInt64Ty(context);
  auto *number = llvm::Type::getInt32Ty(context);

  const uint64_t definitions = definitions_.size();
  const uint64_t places = places_.size();
  auto *counted = llvm::ArrayType::get(wide, definitions + 1);
  auto *attention = new llvm::GlobalVariable(
      module_, counted, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
      llvm::ConstantAggregateZero::get(counted), CULPRIT_ATTENTION_SYMBOL);
  attention_->replaceAllUsesWith(attention);
  attention_->eraseFromParent();
  attention_ = attention;

  const uint64_t id = embed_tables();
  static_assert(offsetof(culprit_locate_unit, definitions) == 16 &&
                offsetof(culprit_locate_unit, globals) == 24 && sizeof(culprit_locate_unit) == 40);
  auto *type = llvm::StructType::get(context, {wide, pointer, number, number, pointer, wide});
  auto *unit = new llvm::GlobalVariable(
      module_, type, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
      llvm::ConstantStruct::get(type, {llvm::ConstantInt::get(wide, id), attention,
                                       llvm::ConstantInt::get(number, definitions),
                                       llvm::ConstantInt::get(number, places), globals_table(),
                                       llvm::ConstantInt::get(wide, globals_.size())}),
      "culprit.locate_unit");

  auto *constructor =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                             llvm::GlobalValue::InternalLinkage, "culprit.register", module_);
  constructor->addFnAttr(llvm::Attribute::NoUnwind);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", constructor));
  Hooks(module_).call(builder, Hooks::register_locate, {unit});
  builder.CreateRetVoid();
  llvm::appendToGlobalCtors(module_, constructor, /*Priority=*/0);

  auto *byte = llvm::Type::getInt8Ty(context);
  module_.getOrInsertGlobal(CULPRIT_FEATURES_SYMBOL, byte, [&] {
    return new llvm::GlobalVariable(
        module_, byte, /*isConstant=*/true, llvm::GlobalValue::WeakAnyLinkage,
        llvm::ConstantInt::get(byte, features & 0xffU), CULPRIT_FEATURES_SYMBOL);
  });
}

} // namespace culprit
