// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/sites.h"

#include "abi/frame.h"
#include "abi/monitor.h"
#include "abi/sites.h"
#include "pass/call_graph.h"
#include "pass/embedded_frame.h"
#include "pass/hooks.h"
#include "pass/source_place.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <cstddef>

namespace culprit {

namespace {

constexpr unsigned kBaseField = 2; // of culprit_unit

llvm::StringRef name_of(SiteKind kind) {
  switch (kind) {
  case SiteKind::call:
    return "call";
  case SiteKind::alloc:
    return "alloc";
  case SiteKind::store:
    return "store";
  case SiteKind::free:
    return "free";
  }
  return "";
}

constexpr size_t kMaxInlinedAt = 12; // library code is inlined deeply; beyond this, nobody is named

std::vector<InlinedAt> inlined_callers(const llvm::DILocation &location) {
  std::vector<InlinedAt> callers;
  for (const llvm::DILocation *at = location.getInlinedAt();
       at != nullptr && callers.size() < kMaxInlinedAt; at = at->getInlinedAt())
    callers.push_back({function_at(*at).str(), file_of(*at), at->getLine(), at->getColumn()});
  return callers;
}

bool leads(SiteKind kind) { return kind == SiteKind::call || kind == SiteKind::alloc; }

llvm::json::Object describe(const Site &site) {
  llvm::json::Object object{{"id", hex(site.id)}, {"kind", name_of(site.kind)}};
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
  text("callee", site.callee);
  text("type", site.type);
  if (!site.from.empty()) {
    llvm::json::Array names;
    for (const std::string &name : site.from)
      names.push_back(llvm::json::fixUTF8(name));
    object["from"] = std::move(names);
  }
  if (site.is_wrapper)
    object["wrapper"] = true;
  if (!site.at.empty()) {
    llvm::json::Array callers;
    for (const InlinedAt &caller : site.at)
      callers.push_back(llvm::json::Object{{"function", llvm::json::fixUTF8(caller.function)},
                                           {"file", llvm::json::fixUTF8(caller.file)},
                                           {"line", caller.line},
                                           {"column", caller.column}});
    object["at"] = std::move(callers);
  }
  return object;
}

} // namespace

llvm::StringRef called_name(const llvm::CallBase &call) {
  const llvm::Function *function = called_function(call);
  return function != nullptr ? source_name(*function) : "";
}

SiteTable::SiteTable(llvm::Module &module) : module_(module) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *number = llvm::Type::getInt32Ty(context);
  auto *type = llvm::StructType::get(context, {llvm::Type::getInt64Ty(context), number, number});
  unit_ = new llvm::GlobalVariable(module, type, /*isConstant=*/false,
                                   llvm::GlobalValue::InternalLinkage,
                                   llvm::Constant::getNullValue(type), "culprit.unit");
  unit_->setAlignment(llvm::Align(alignof(culprit_unit)));
}

SiteTable::Handle SiteTable::add_site(Site site, unsigned relative_line, unsigned ordinal) {
  // A tree that is built in another folder has the same ids, so the folder is no part of them; nor
  // are lines of other functions.
  std::string place;
  llvm::raw_string_ostream place_text(place);
  place_text << llvm::sys::path::filename(site.file) << '\0' << site.function << '\0'
             << relative_line << '\0' << site.column << '\0' << name_of(site.kind) << '\0'
             << site.callee << '\0' << ordinal;
  std::string key = site.file;
  llvm::raw_string_ostream key_text(key);
  for (const InlinedAt &caller : site.at) {
    place_text << '\0' << caller.function << '\0' << caller.column;
    key_text << '\0' << caller.file << '\0' << caller.line;
  }
  key_text << '\0' << place;
  std::vector<Site> &list = leads(site.kind) ? leading_ : other_;
  const Handle next{leads(site.kind), static_cast<unsigned>(list.size())};
  const auto [known, is_new] = by_key_.try_emplace(key, next);
  if (is_new) {
    site.id = hash(place);
    list.push_back(std::move(site));
  }
  return known->second;
}

SiteTable::Handle SiteTable::add(SiteKind kind, const llvm::Instruction &instruction,
                                 llvm::StringRef callee) {
  const SourcePlace place = place_of(instruction);
  Site site{};
  site.kind = kind;
  site.callee = callee.str();
  site.file = place.file;
  site.line = place.line;
  site.column = place.column;
  site.function = place.function;
  if (const llvm::DILocation *location = location_of(instruction); location && !leads(kind))
    site.at = inlined_callers(*location);
  if (place.line != 0)
    return add_site(std::move(site), place.relative_line, 0);
  const llvm::Function *function = instruction.getFunction();
  if (function_ != function) {
    function_ = function;
    ordinal_ = 0;
  }
  return add_site(std::move(site), 0, ++ordinal_);
}

SiteTable::Handle SiteTable::add_inlined_call(const llvm::DILocation &location,
                                              llvm::StringRef callee) {
  Site site{};
  site.kind = SiteKind::call;
  site.callee = callee.str();
  site.file = file_of(location);
  site.line = location.getLine();
  site.column = location.getColumn();
  site.function = function_at(location).str();
  const llvm::DISubprogram *subprogram = location.getScope()->getSubprogram();
  return add_site(std::move(site), location.getLine() - subprogram->getLine(), 0);
}

Site &SiteTable::operator[](Handle handle) {
  return handle.leads_to_allocation ? leading_[handle.index] : other_[handle.index];
}

unsigned SiteTable::number(Handle handle) const {
  return handle.leads_to_allocation ? handle.index
                                    : static_cast<unsigned>(leading_.size()) + handle.index;
}

llvm::Value *SiteTable::runtime_number(llvm::IRBuilder<> &builder, Handle handle) {
  llvm::Value *field = builder.CreateStructGEP(unit_->getValueType(), unit_, kBaseField);
  llvm::Value *base = Hooks::unsanitized(builder.CreateLoad(builder.getInt32Ty(), field));
  return builder.CreateAdd(base, builder.getInt32(number(handle)));
}

llvm::Value *SiteTable::context_number(llvm::IRBuilder<> &builder, Handle handle) {
  // Little-endian: the low half of the base is at its address.
  llvm::Value *field = builder.CreateStructGEP(unit_->getValueType(), unit_, kBaseField);
  llvm::Value *base = Hooks::unsanitized(builder.CreateLoad(builder.getInt16Ty(), field));
  llvm::Value *sum =
      builder.CreateAdd(base, builder.getInt16(static_cast<uint16_t>(number(handle))));
  return builder.CreateZExt(sum, builder.getInt64Ty());
}

SiteTable::Emitted SiteTable::emit(llvm::json::Object tables) {
  llvm::json::Array list;
  uint64_t id = CULPRIT_FRAME_CHECKSUM_SEED;
  for (const std::vector<Site> *part : {&leading_, &other_})
    for (const Site &site : *part) {
      list.push_back(describe(site));
      id = culprit_frame_checksum(id, &site.id, sizeof(site.id));
    }
  // Two units without sites, or of the same sources, are still two units.
  const llvm::StringRef source = module_.getSourceFileName();
  id = culprit_frame_checksum(id, source.data(), source.size());

  const bool has_tables = !tables.empty();
  tables[CULPRIT_SITES_LIST] = std::move(list);
  std::string payload;
  llvm::raw_string_ostream(payload) << llvm::json::Value(std::move(tables));
  // Flavours have the same sites and other rows: a run file of one must not be read by another's.
  if (has_tables)
    id = culprit_frame_checksum(id, payload.data(), payload.size());
  embed_sites(module_, id, payload);

  llvm::LLVMContext &context = module_.getContext();
  llvm::Type *wide = llvm::Type::getInt64Ty(context);
  llvm::Type *narrow = llvm::Type::getInt32Ty(context);
  unit_->setInitializer(
      llvm::ConstantStruct::get(llvm::cast<llvm::StructType>(unit_->getValueType()),
                                {llvm::ConstantInt::get(wide, id),
                                 llvm::ConstantInt::get(narrow, leading_.size() + other_.size()),
                                 llvm::ConstantInt::get(narrow, 0)}));

  auto *constructor =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                             llvm::GlobalValue::InternalLinkage, "culprit.register", module_);
  constructor->addFnAttr(llvm::Attribute::NoUnwind);
  constructor->addFnAttr("frame-pointer", "all");
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", constructor));
  Hooks(module_).call(builder, Hooks::register_unit, {unit_});
  builder.CreateRetVoid();
  llvm::appendToGlobalCtors(module_, constructor, /*Priority=*/0);
  return {id, constructor};
}

} // namespace culprit
