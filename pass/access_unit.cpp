// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/access_unit.h"

#include "abi/access.h"
#include "pass/hooks.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

#include <cstddef>

namespace culprit {

namespace {

constexpr unsigned kRowBaseField = 3; // of culprit_access_unit

llvm::StructType *type_of_unit(llvm::LLVMContext &context) {
  llvm::Type *wide = llvm::Type::getInt64Ty(context);
  llvm::Type *number = llvm::Type::getInt32Ty(context);
  llvm::Type *pointer = llvm::PointerType::get(context, 0);
  static_assert(offsetof(culprit_access_unit, row_base) == 20 &&
                offsetof(culprit_access_unit, row) == 48 && sizeof(culprit_access_unit) == 80);
  return llvm::StructType::get(context,
                               {wide, pointer, number, number, number, number, number, number,
                                number, number, pointer, pointer, pointer, pointer});
}

} // namespace

AccessUnit::AccessUnit(llvm::Module &module, llvm::GlobalVariable &unit, bool is_main)
    : module_(module), unit_(unit), is_main_(is_main) {
  llvm::StructType *type = type_of_unit(module.getContext());
  variable_ = new llvm::GlobalVariable(module, type, /*isConstant=*/false,
                                       llvm::GlobalValue::InternalLinkage,
                                       llvm::Constant::getNullValue(type), "culprit.access_unit");
  variable_->setAlignment(llvm::Align(alignof(culprit_access_unit)));
}

llvm::Value *AccessUnit::row_base(llvm::IRBuilder<> &builder) {
  if (is_main_)
    return builder.getInt32(0);
  llvm::Value *field = builder.CreateStructGEP(variable_->getValueType(), variable_, kRowBaseField);
  return Hooks::unsanitized(builder.CreateLoad(builder.getInt32Ty(), field));
}

llvm::Value *AccessUnit::runtime_row(llvm::IRBuilder<> &builder, unsigned row) {
  if (is_main_)
    return builder.getInt32(row);
  return builder.CreateAdd(row_base(builder), builder.getInt32(row));
}

void AccessUnit::set_table(llvm::StringRef name, llvm::json::Array table) {
  tables_[name] = std::move(table);
}

llvm::json::Object AccessUnit::tables() {
  sites_.describe(tables_);
  return std::move(tables_);
}

void AccessUnit::emit(const SiteTable::Emitted &emitted) {
  llvm::LLVMContext &context = module_.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  auto number = [&](uint64_t value) {
    return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value);
  };
  auto address = [&](const Array &array) -> llvm::Constant * {
    return array.first != nullptr ? array.first : llvm::ConstantPointerNull::get(pointer);
  };
  Array rows;
  if (sites_.rows() != 0) {
    llvm::Constant *infos = sites_.row_infos(module_);
    auto *table =
        new llvm::GlobalVariable(module_, infos->getType(), /*isConstant=*/true,
                                 llvm::GlobalValue::InternalLinkage, infos, "culprit.rows");
    table->setAlignment(llvm::Align(alignof(culprit_row_info)));
    rows = {table, sites_.rows()};
  }
  variable_->setInitializer(llvm::ConstantStruct::get(
      llvm::cast<llvm::StructType>(variable_->getValueType()),
      {llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), emitted.id), &unit_,
       number(is_main_ ? 1 : 0), number(0), number(rows.count), number(globals_.count),
       number(layouts_.count), number(site_layouts_.count), number(gaps_), number(0), address(rows),
       address(globals_), address(layouts_), address(site_layouts_)}));
  llvm::IRBuilder<> builder(emitted.constructor->getEntryBlock().getTerminator());
  Hooks(module_).call(builder, Hooks::register_access, {variable_});
}

} // namespace culprit
