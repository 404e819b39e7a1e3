// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/names.h"

#include "abi/access.h"
#include "abi/sites.h"
#include "pass/globals.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cstddef>

namespace culprit {

namespace {

llvm::StructType *type_of_variable(llvm::LLVMContext &context) {
  static_assert(offsetof(culprit_variable, unit) == 16 &&
                offsetof(culprit_variable, layout) == 28 &&
                offsetof(culprit_variable, tags) == 40 && sizeof(culprit_variable) == 56);
  llvm::Type *wide = llvm::Type::getInt64Ty(context);
  llvm::Type *number = llvm::Type::getInt32Ty(context);
  llvm::Type *pointer = llvm::PointerType::get(context, 0);
  return llvm::StructType::get(context,
                               {pointer, wide, pointer, number, number, wide, wide, pointer});
}

llvm::StructType *type_of_layout(llvm::LLVMContext &context) {
  static_assert(offsetof(culprit_layout, rest) == 12 && offsetof(culprit_layout, starts) == 16 &&
                sizeof(culprit_layout) == 32);
  llvm::Type *number = llvm::Type::getInt32Ty(context);
  llvm::Type *pointer = llvm::PointerType::get(context, 0);
  return llvm::StructType::get(context, {number, number, number, number, pointer, pointer});
}

llvm::StringRef name_of(VariableKind kind) {
  switch (kind) {
  case VariableKind::global:
    return "global";
  case VariableKind::local:
    return "local";
  case VariableKind::return_slot:
    return "return";
  case VariableKind::outside:
    return "outside";
  }
  return "";
}

llvm::json::Object describe(const Variable &variable) {
  llvm::json::Object object{{"kind", name_of(variable.kind)}};
  auto text = [&](llvm::StringRef key, llvm::StringRef value) {
    if (!value.empty())
      object[key] = llvm::json::fixUTF8(value);
  };
  text("name", variable.name);
  text("function", variable.function);
  text("file", variable.file);
  text("type", variable.type);
  if (variable.line != 0)
    object["line"] = variable.line;
  if (variable.size != 0)
    object["size"] = variable.size;
  if (variable.layout != 0)
    object["layout"] = variable.layout - 1;
  if (variable.is_internal)
    object["internal"] = true;
  return object;
}

llvm::json::Object describe(const Layout &layout) {
  llvm::json::Array members;
  for (const Member &member : layout.members) {
    llvm::json::Object object{{"name", llvm::json::fixUTF8(member.name)}, {"start", member.start}};
    if (member.is_array)
      object["array"] = true;
    members.push_back(std::move(object));
  }
  llvm::json::Object object{{"size", layout.size}, {"members", std::move(members)}};
  if (!layout.type.empty())
    object["type"] = llvm::json::fixUTF8(layout.type);
  if (layout.rest != 0)
    object["rest"] = layout.rest;
  return object;
}

llvm::GlobalVariable *define(llvm::Module &module, llvm::Constant *value, bool is_constant,
                             llvm::Align alignment, llvm::StringRef name) {
  auto *variable = new llvm::GlobalVariable(module, value->getType(), is_constant,
                                            llvm::GlobalValue::InternalLinkage, value, name);
  variable->setAlignment(alignment);
  return variable;
}

} // namespace

Names::Names(llvm::Module &module, AccessUnit &unit, const RecordTypes &types,
             const Wrappers &wrappers)
    : module_(module), unit_(unit), block_layouts_(layouts_, types, wrappers),
      variables_(find_globals(module, layouts_)) {
  const std::vector<Variable> gaps = gaps_behind(variables_);
  variables_.insert(variables_.end(), gaps.begin(), gaps.end());
  gaps_ = static_cast<unsigned>(gaps.size());
  globals_ = variables_.size();
}

llvm::Constant *Names::local(const Variable &variable, uint64_t gap) {
  std::string key;
  llvm::raw_string_ostream(key) << name_of(variable.kind) << '\0' << variable.function << '\0'
                                << variable.name << '\0' << variable.file << '\0' << variable.line
                                << '\0' << variable.size << '\0' << variable.type << '\0'
                                << variable.layout << '\0' << gap;
  llvm::Constant *&known = locals_[key];
  if (known == nullptr) {
    known = define(module_, variable_constant(variable, variables_.size()), /*is_constant=*/false,
                   llvm::Align(alignof(culprit_variable)), "culprit.local");
    variables_.push_back(variable);
  }
  return known;
}

llvm::StringSet<> Names::told_apart() const {
  std::vector<uint32_t> layouts = block_layouts_.all();
  for (size_t i = 0; i < globals_; ++i)
    layouts.push_back(variables_[i].layout);
  llvm::StringSet<> records;
  for (const uint32_t number : layouts)
    if (number != 0 && layouts_.all()[number - 1].rest == 0)
      for (const std::string &record : layouts_.all()[number - 1].records)
        records.insert(record);
  return records;
}

llvm::Constant *Names::variable_constant(const Variable &variable, size_t index) {
  llvm::LLVMContext &context = module_.getContext();
  llvm::Type *wide = llvm::Type::getInt64Ty(context);
  llvm::Type *number = llvm::Type::getInt32Ty(context);
  llvm::Constant *address = llvm::ConstantPointerNull::get(llvm::PointerType::get(context, 0));
  if (variable.address != nullptr)
    address = variable.address;
  return llvm::ConstantStruct::get(
      type_of_variable(context),
      {address, llvm::ConstantInt::get(wide, variable.size), &unit_.variable(),
       llvm::ConstantInt::get(number, index), llvm::ConstantInt::get(number, variable.layout),
       llvm::ConstantInt::get(wide, 0), llvm::ConstantInt::get(wide, 0),
       llvm::ConstantPointerNull::get(llvm::PointerType::get(context, 0))});
}

llvm::Constant *Names::numbers(const std::vector<uint32_t> &list, llvm::StringRef name) {
  return define(module_, llvm::ConstantDataArray::get(module_.getContext(), list),
                /*is_constant=*/true, llvm::Align(alignof(uint32_t)), name);
}

void Names::emit_globals() {
  if (globals_ == 0)
    return;
  std::vector<llvm::Constant *> entries;
  entries.reserve(globals_);
  for (size_t i = 0; i < globals_; ++i)
    entries.push_back(variable_constant(variables_[i], i));
  auto *type = llvm::ArrayType::get(type_of_variable(module_.getContext()), entries.size());
  unit_.set_globals(define(module_, llvm::ConstantArray::get(type, entries), /*is_constant=*/false,
                           llvm::Align(alignof(culprit_variable)), "culprit.globals"),
                    static_cast<unsigned>(entries.size()), gaps_);
}

void Names::emit_layouts() {
  if (layouts_.all().empty())
    return;
  llvm::StructType *type = type_of_layout(module_.getContext());
  auto number = [&](uint64_t value) {
    return llvm::ConstantInt::get(llvm::Type::getInt32Ty(module_.getContext()), value);
  };
  std::vector<llvm::Constant *> entries;
  llvm::json::Array table;
  for (const Layout &layout : layouts_.all()) {
    std::vector<uint32_t> starts;
    std::vector<uint32_t> members;
    for (const MemberRange &range : layout.ranges) {
      starts.push_back(range.start);
      members.push_back(range.member);
    }
    entries.push_back(llvm::ConstantStruct::get(
        type, {number(layout.size), number(starts.size()), number(layout.members.size()),
               number(layout.rest), numbers(starts, "culprit.starts"),
               numbers(members, "culprit.members")}));
    table.push_back(describe(layout));
  }
  auto *array = llvm::ArrayType::get(type, entries.size());
  unit_.set_layouts(define(module_, llvm::ConstantArray::get(array, entries), /*is_constant=*/true,
                           llvm::Align(alignof(culprit_layout)), "culprit.layouts"),
                    static_cast<unsigned>(entries.size()));
  unit_.set_table(CULPRIT_SITES_LAYOUTS, std::move(table));
}

void Names::emit(const SiteTable &sites) {
  emit_globals();
  emit_layouts();
  const std::vector<uint32_t> by_site = block_layouts_.by_number(sites);
  if (!by_site.empty())
    unit_.set_site_layouts(numbers(by_site, "culprit.site_layouts"),
                           static_cast<unsigned>(by_site.size()));
  llvm::json::Array table;
  for (const Variable &variable : variables_)
    table.push_back(describe(variable));
  unit_.set_table(CULPRIT_SITES_VARIABLES, std::move(table));
}

} // namespace culprit
