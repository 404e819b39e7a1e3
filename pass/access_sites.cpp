// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/access_sites.h"

#include "abi/access.h"
#include "abi/sites.h"
#include "pass/source_place.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace culprit {

namespace {

llvm::json::Object describe_site(const AccessSite &site) {
  llvm::json::Object object{{"id", hex(site.id)}};
  auto text = [&](llvm::StringRef key, llvm::StringRef value) {
    if (!value.empty())
      object[key] = llvm::json::fixUTF8(value);
  };
  text("file", site.file);
  if (site.line != 0)
    object["line"] = site.line;
  if (site.column != 0)
    object["column"] = site.column;
  text("function", site.function);
  if (site.is_read)
    object["read"] = true;
  if (site.is_direct)
    object["direct"] = true;
  text("callee", site.callee);
  return object;
}

uint64_t key_of(const Row &row) {
  return static_cast<uint64_t>(row.site) << 32 | row.alignment.value() << 16 |
         static_cast<uint64_t>(row.size) << 8 | row.flags;
}

} // namespace

unsigned AccessSites::site(const llvm::Instruction &instruction, llvm::StringRef callee,
                           unsigned flags) {
  SourcePlace place = place_of(instruction);
  const bool is_read = (flags & CULPRIT_ROW_READ) != 0;
  const bool is_direct = (flags & CULPRIT_ROW_DIRECT) != 0;
  const llvm::DILocation *location = location_of(instruction);
  const OwnCaller own = location != nullptr ? own_callers_.of(*location) : OwnCaller();
  if (own.call != nullptr) {
    place = place_of(*own.call);
    callee = own.callee;
  }
  // As in SiteTable: neither the folder nor the lines of other functions are part of the id.
  std::string text;
  llvm::raw_string_ostream(text) << llvm::sys::path::filename(place.file) << '\0' << place.function
                                 << '\0' << place.relative_line << '\0' << place.column << '\0'
                                 << (is_read ? "read" : "write") << '\0' << callee;
  // A container's own members by name, and its elements by pointer: the latter can go astray.
  if (own.call != nullptr && is_direct)
    text += '\0';
  const auto [known, is_new] =
      by_key_.try_emplace(place.file + '\0' + text, static_cast<unsigned>(sites_.size()));
  if (is_new)
    sites_.push_back({hash(text), place.file, place.line, place.column, place.function,
                      callee.str(), is_read, is_direct});
  else if (!is_direct)
    sites_[known->second].is_direct = false;
  return known->second;
}

unsigned AccessSites::row(const llvm::Instruction &instruction, llvm::StringRef callee,
                          unsigned size, unsigned flags, llvm::Align alignment) {
  const Row row{site(instruction, callee, flags), static_cast<uint8_t>(size),
                static_cast<uint8_t>(flags), std::min(alignment, llvm::Align(CULPRIT_GRANULE))};
  const auto [known, is_new] =
      by_row_.try_emplace(key_of(row), static_cast<unsigned>(rows_.size()));
  if (is_new)
    rows_.push_back(row);
  return known->second;
}

unsigned AccessSites::joint_row(unsigned first, llvm::ArrayRef<JoinedRow> others) {
  const auto [known, is_new] =
      joint_.try_emplace({first, others.vec()}, static_cast<unsigned>(rows_.size()));
  if (is_new) {
    Row row = rows_[first];
    row.flags |= CULPRIT_ROW_JOINT;
    rows_.insert(rows_.end(), 2, row);
  }
  return known->second;
}

void AccessSites::describe(llvm::json::Object &tables) const {
  llvm::json::Array accesses;
  for (const AccessSite &site : sites_)
    accesses.push_back(describe_site(site));
  llvm::json::Array rows;
  for (const Row &row : rows_)
    rows.push_back(llvm::json::Object{
        {"site", row.site}, {"size", unsigned{row.size}}, {"flags", unsigned{row.flags}}});
  tables[CULPRIT_SITES_ACCESSES] = std::move(accesses);
  tables[CULPRIT_SITES_ROWS] = std::move(rows);
}

llvm::Constant *AccessSites::row_infos(llvm::Module &module) const {
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *byte = llvm::Type::getInt8Ty(context);
  llvm::Type *half = llvm::Type::getInt16Ty(context);
  llvm::Type *number = llvm::Type::getInt32Ty(context);
  auto *type = llvm::StructType::get(context, {byte, byte, half, number});
  static_assert(sizeof(culprit_row_info) == 8);
  std::vector<llvm::Constant *> infos;
  infos.reserve(rows_.size());
  for (const Row &row : rows_)
    infos.push_back(llvm::ConstantStruct::get(
        type, {llvm::ConstantInt::get(byte, row.size), llvm::ConstantInt::get(byte, row.flags),
               llvm::ConstantInt::get(half, row.alignment.value()),
               llvm::ConstantInt::get(number, row.site)}));
  return llvm::ConstantArray::get(llvm::ArrayType::get(type, infos.size()), infos);
}

} // namespace culprit
