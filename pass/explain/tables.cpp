// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/explain/tables.h"

#include "abi/explain.h"
#include "abi/sites.h"
#include "pass/debug_types.h"
#include "pass/embedded_frame.h"
#include "pass/hooks.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace culprit {

namespace {

llvm::Constant *number(llvm::LLVMContext &context, unsigned bits, uint64_t value) {
  return llvm::ConstantInt::get(llvm::IntegerType::get(context, bits), value);
}

struct GlobalName {
  std::string name;
  std::string function;
  std::string key;
  const llvm::DIType *type = nullptr;
};

constexpr size_t kShownText = 40;

// "list.c" with its quotes, as a reader would see the constant; empty: it is no text.
std::string quoted(const llvm::GlobalVariable &global) {
  const auto *data = llvm::dyn_cast<llvm::ConstantDataSequential>(global.getInitializer());
  if (data == nullptr || !data->isCString())
    return "";
  const llvm::StringRef text = data->getAsCString();
  return "\"" + text.take_front(kShownText).str() + (text.size() > kShownText ? "…\"" : "\"");
}

GlobalName name_of(const llvm::GlobalVariable &global) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> found;
  global.getDebugInfo(found);
  std::string name = global.getName().split(".llvm.").first.str();
  if (found.empty())
    return {llvm::demangle(name), "", name};
  const llvm::DIGlobalVariable &source = *found.front()->getVariable();
  if (!source.getName().empty())
    name = source.getName().str();
  const std::string function = function_around(source.getScope()).str();
  std::string key = source.getLinkageName().empty() ? name : source.getLinkageName().str();
  if (source.isLocalToUnit())
    key += file_key(*global.getParent(), source.getFilename()) + "@" + function;
  return {name, function, std::move(key), source.getType()};
}

// One of a library's that the program names (std::cin, optind) is part of what the program sees. As
// large as its declaration says; of some that says nothing.
bool is_librarys(const llvm::GlobalVariable &global) {
  return global.isDeclaration() && !global.isConstant() && !global.isThreadLocal() &&
         !global.hasExternalWeakLinkage() && !global.getName().starts_with("__");
}

bool is_variable(const llvm::GlobalVariable &global) {
  return (!global.isDeclaration() || is_librarys(global)) &&
         !global.hasAvailableExternallyLinkage() && !global.hasAppendingLinkage() &&
         global.getAddressSpace() == 0 && global.getValueType()->isSized() &&
         global.getSection() != "llvm.metadata" && !global.getName().starts_with("llvm.") &&
         !global.getName().starts_with("culprit.");
}

} // namespace

ExplainTables::ExplainTables(llvm::Module &module)
    : module_(module), types_([this](llvm::StringRef text) { return number_of(text); }) {
  number_of("");
  sites_.push_back({});
}

unsigned ExplainTables::number_of(llvm::StringRef text) {
  const auto [known, is_new] = numbers_.try_emplace(text, numbers_.size());
  if (is_new)
    strings_.push_back(llvm::json::fixUTF8(text));
  return known->second;
}

unsigned ExplainTables::add_name(llvm::StringRef name, llvm::StringRef function,
                                 const llvm::DIType *type) {
  names_.push_back(llvm::json::Array{number_of(name), number_of(function), types_.of(type)});
  return static_cast<unsigned>(names_.size());
}

unsigned ExplainTables::add_site(const Site &site) {
  const SourcePlace place = place_of(*site.at);
  const uint64_t id = ids_.of_site(*site.at, site.kind);
  const unsigned flags =
      (site.kind == SiteKind::point ? CULPRIT_SITE_POINT : 0U) |
      (site.allocation.empty() ? 0U : CULPRIT_SITE_ALLOCATES) |
      (llvm::StringRef(place.file).starts_with(CULPRIT_SYSTEM_FILES) ? CULPRIT_SITE_SYSTEM : 0U);
  sites_.push_back({id, 0, 0, static_cast<uint16_t>(flags)});
  points_.push_back(llvm::json::Array{hex(id), number_of(place.file), place.line, place.column,
                                      number_of(place.function), site.ways,
                                      number_of(site.allocation)});
  return static_cast<unsigned>(points_.size());
}

void ExplainTables::set_counters(unsigned site, llvm::ArrayRef<unsigned> counters) {
  sites_[site].first_counter = static_cast<uint32_t>(counters_.size());
  sites_[site].counters = static_cast<uint16_t>(counters.size());
  counters_.insert(counters_.end(), counters.begin(), counters.end());
}

llvm::GlobalVariable *ExplainTables::table(llvm::StringRef name, llvm::Type *row,
                                           llvm::ArrayRef<llvm::Constant *> rows) {
  auto *type = llvm::ArrayType::get(row, rows.size());
  return new llvm::GlobalVariable(module_, type, /*isConstant=*/true,
                                  llvm::GlobalValue::InternalLinkage,
                                  llvm::ConstantArray::get(type, rows), "culprit." + name);
}

llvm::GlobalVariable &ExplainTables::add_function(const llvm::Function &function, uint32_t size,
                                                  unsigned counters, llvm::ArrayRef<Local> locals) {
  llvm::LLVMContext &context = module_.getContext();
  auto *wide = llvm::Type::getInt64Ty(context);
  auto *half = llvm::Type::getInt32Ty(context);
  auto *pointer = llvm::PointerType::get(context, 0);
  const std::string key = function_key(function);
  std::vector<llvm::Constant *> rows;
  unsigned first = 0;
  auto *row = llvm::StructType::get(context, {wide, half, half});
  for (const Local &local : locals) {
    const unsigned numbered = add_name(local.name, source_name(function), local.type);
    first = first == 0 ? numbered : first;
    rows.push_back(llvm::ConstantStruct::get(
        row, {number(context, 64, ids_.of(key + ":local:" + local.name)),
              number(context, 32, local.offset), number(context, 32, local.size)}));
  }
  auto *type = llvm::StructType::get(context, {wide, half, half, half, half, pointer});
  return *new llvm::GlobalVariable(
      module_, type, /*isConstant=*/true, llvm::GlobalValue::InternalLinkage,
      llvm::ConstantStruct::get(type, {number(context, 64, ids_.of_function(function)),
                                       number(context, 32, size), number(context, 32, counters),
                                       number(context, 32, locals.size()),
                                       number(context, 32, first), table("locals", row, rows)}),
      "culprit.function");
}

llvm::Constant *ExplainTables::global_row(llvm::GlobalObject &object) {
  llvm::LLVMContext &context = module_.getContext();
  auto *row = llvm::StructType::get(
      context, {llvm::PointerType::get(context, 0), llvm::Type::getInt64Ty(context),
                llvm::Type::getInt64Ty(context), llvm::Type::getInt32Ty(context),
                llvm::Type::getInt32Ty(context)});
  uint64_t id = 0;
  uint64_t size = 1;
  unsigned named = 0;
  unsigned kind = CULPRIT_REGION_CODE;
  if (auto *function = llvm::dyn_cast<llvm::Function>(&object)) {
    id = ids_.of(function_key(*function) + ":code");
    named = add_name(source_name(*function), "", nullptr);
  } else {
    auto &global = llvm::cast<llvm::GlobalVariable>(object);
    size = module_.getDataLayout().getTypeAllocSize(global.getValueType());
    kind = global.isConstant() ? CULPRIT_REGION_CONSTANT : CULPRIT_REGION_GLOBAL;
    const GlobalName name = name_of(global);
    std::string key = name.key + ":global";
    // A text has no name of its own; its number would move with every text before it.
    if (global.isConstant() && global.hasPrivateLinkage()) {
      key = "text:";
      llvm::raw_string_ostream stream(key);
      global.getInitializer()->printAsOperand(stream, /*PrintType=*/true);
    }
    id = ids_.of(key);
    const std::string text = global.isConstant() ? quoted(global) : std::string();
    named = add_name(text.empty() ? name.name : text, name.function, name.type);
  }
  // A thread-local variable's address is known when the program runs: see fill_thread_locals.
  llvm::Constant *address = object.isThreadLocal()
                                ? llvm::ConstantPointerNull::get(llvm::PointerType::get(context, 0))
                                : static_cast<llvm::Constant *>(&object);
  return llvm::ConstantStruct::get(row,
                                   {address, number(context, 64, size), number(context, 64, id),
                                    number(context, 32, kind), number(context, 32, named)});
}

llvm::GlobalVariable *ExplainTables::globals_table(uint64_t &count) {
  std::vector<llvm::Constant *> rows;
  for (llvm::GlobalVariable &global : module_.globals())
    if (is_variable(global) &&
        module_.getDataLayout().getTypeAllocSize(global.getValueType()) != 0) {
      if (global.isThreadLocal())
        thread_locals_.emplace_back(rows.size(), &global);
      rows.push_back(global_row(global));
    }
  for (llvm::Function &function : module_)
    if (!function.isIntrinsic() && !function.hasAvailableExternallyLinkage() &&
        !function.hasExternalWeakLinkage() && function.hasAddressTaken() &&
        !function.getName().starts_with("__culprit_"))
      rows.push_back(global_row(function));
  count = rows.size();
  llvm::Type *row =
      rows.empty() ? llvm::Type::getInt64Ty(module_.getContext()) : rows[0]->getType();
  return table("globals", row, rows);
}

// Those of the thread that runs the first constructor: the one that is looked at.
void ExplainTables::fill_thread_locals(llvm::IRBuilder<> &builder, llvm::GlobalVariable &rows) {
  for (const auto &[row, global] : thread_locals_) {
    rows.setConstant(false);
    llvm::Value *place = builder.CreateConstInBoundsGEP2_32(rows.getValueType(), &rows, 0, row);
    builder.CreateStore(builder.CreateThreadLocalAddress(global), place);
  }
}

llvm::GlobalVariable *ExplainTables::sites_table() {
  llvm::LLVMContext &context = module_.getContext();
  auto *row = llvm::StructType::get(
      context, {llvm::Type::getInt64Ty(context), llvm::Type::getInt32Ty(context),
                llvm::Type::getInt16Ty(context), llvm::Type::getInt16Ty(context)});
  std::vector<llvm::Constant *> rows;
  rows.reserve(sites_.size());
  for (const Row &site : sites_)
    rows.push_back(llvm::ConstantStruct::get(
        row, {number(context, 64, site.id), number(context, 32, site.first_counter),
              number(context, 16, site.counters), number(context, 16, site.flags)}));
  return table("sites", row, rows);
}

uint64_t ExplainTables::embed_tables() {
  llvm::json::Array types = types_.take(); // adds to the strings
  std::string payload;
  llvm::raw_string_ostream(payload)
      << llvm::json::Value(llvm::json::Object{{CULPRIT_SITES_STRINGS, std::move(strings_)},
                                              {CULPRIT_SITES_POINTS, std::move(points_)},
                                              {CULPRIT_SITES_NAMES, std::move(names_)},
                                              {CULPRIT_SITES_TYPES, std::move(types)}});
  const uint64_t id = hash(payload);
  embed_sites(module_, id, payload);
  return id;
}

void ExplainTables::emit() {
  llvm::LLVMContext &context = module_.getContext();
  auto *wide = llvm::Type::getInt64Ty(context);
  auto *pointer = llvm::PointerType::get(context, 0);
  uint64_t globals = 0;
  llvm::GlobalVariable *global_rows = globals_table(globals);
  std::vector<llvm::Constant *> counters;
  counters.reserve(counters_.size());
  for (const uint32_t counter : counters_)
    counters.push_back(number(context, 32, counter));
  llvm::GlobalVariable *counter_rows = table("counters", llvm::Type::getInt32Ty(context), counters);
  const uint64_t count = sites_.size();
  llvm::GlobalVariable *site_rows = sites_table();
  const uint64_t id = embed_tables();
  auto *type = llvm::StructType::get(context, {wide, pointer, wide, pointer, pointer, wide});
  auto *unit = new llvm::GlobalVariable(
      module_, type, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
      llvm::ConstantStruct::get(type,
                                {number(context, 64, id), site_rows, number(context, 64, count),
                                 counter_rows, global_rows, number(context, 64, globals)}),
      "culprit.explain_unit");
  auto *constructor =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                             llvm::GlobalValue::InternalLinkage, "culprit.register", module_);
  constructor->addFnAttr(llvm::Attribute::NoUnwind);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", constructor));
  fill_thread_locals(builder, *global_rows);
  Hooks(module_).call(builder, Hooks::register_explain, {unit});
  builder.CreateRetVoid();
  llvm::appendToGlobalCtors(module_, constructor, /*Priority=*/0);
}

} // namespace culprit
