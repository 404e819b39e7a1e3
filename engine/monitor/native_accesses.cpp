// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/native_accesses.h"

#include "abi/access.h"
#include "engine/access/names.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/xxhash.h"

#include <fmt/format.h>

namespace culprit::monitor {

namespace {

// "libm.so.6 4711": the same wherever the file was loaded. Empty: in no file.
std::string place_in_file(const symbolize::Symbolizer &symbolizer, uint64_t address) {
  const symbolize::Mapping *mapping = symbolizer.mapping_of(address);
  return mapping == nullptr
             ? std::string()
             : fmt::format("{} {}", mapping->file.filename().string(), address - mapping->base);
}

access::AccessSite describe(const culprit_record_native_access &raw, uint64_t id,
                            symbolize::Symbolizer &symbolizer) {
  // An instruction is looked up like a call that returns behind its first byte.
  const symbolize::Place &place =
      symbolizer.return_address(raw.is_call != 0 ? raw.address : raw.address + 1).front();
  access::AccessSite site;
  site.id = id;
  site.file = place.file;
  site.line = place.line;
  site.column = place.column;
  site.function = place.function;
  site.read = (raw.flags & CULPRIT_ROW_READ) != 0;
  site.direct = (raw.flags & CULPRIT_ROW_DIRECT) != 0;
  if (raw.is_call != 0 && raw.inside != 0)
    site.callee = library_function(symbolizer.return_address(raw.inside + 1).front().function);
  return site;
}

access::Variable return_slot(const run::NativeVariable &told, symbolize::Symbolizer &symbolizer) {
  // The function itself, not one whose copy it may begin with.
  const symbolize::Place &place = symbolizer.return_address(told.numbers.address + 1).back();
  access::Variable variable;
  variable.kind = access::VariableKind::return_slot;
  // Without debug information the tool's symbol is all there is.
  variable.function = place.file.empty() ? llvm::demangle(told.symbol) : place.function;
  variable.file = place.file;
  variable.line = place.line;
  variable.size = told.numbers.size;
  if (told.numbers.kind == CULPRIT_NATIVE_SAVED)
    variable.member = access::kSavedRegisters;
  if (const symbolize::Mapping *mapping = symbolizer.mapping_of(told.numbers.address);
      variable.file.empty() && mapping != nullptr)
    variable.file = mapping->file.filename().string();
  return variable;
}

access::Variable described(const run::NativeObject &told) {
  access::Variable variable;
  variable.kind = told.numbers.kind == CULPRIT_NATIVE_LOCAL ? access::VariableKind::local
                                                            : access::VariableKind::global;
  variable.name = told.name;
  variable.function = told.function;
  variable.file = told.file;
  variable.line = told.numbers.line;
  variable.size = told.numbers.size;
  variable.type = told.type;
  variable.internal = told.numbers.internal != 0;
  variable.member = told.member;
  return variable;
}

} // namespace

std::string library_function(std::string_view symbol) {
  while (symbol.starts_with('_'))
    symbol.remove_prefix(1);
  for (const std::string_view variant : {"_avx", "_sse", "_ssse", "_evex", "_erms", "_chk"})
    if (const size_t at = symbol.find(variant); at != std::string_view::npos && at > 0)
      symbol = symbol.substr(0, at);
  return std::string(symbol);
}

access::SharedTables NativeAccesses::of(run::RunFile &file, symbolize::Symbolizer symbolizer) {
  access::AccessTables tables;
  access::UnitTables &unit = tables[CULPRIT_NATIVE_UNIT];
  const std::lock_guard held(lock_);
  for (const run::Record &record : file.records) {
    if (const auto *met = std::get_if<run::NativeAccess>(&record.what)) {
      const culprit_record_native_access &raw = met->numbers;
      if (raw.row != unit.rows.size())
        continue; // they come in order; one that does not leads nowhere
      const std::string place = place_in_file(symbolizer, raw.address);
      const uint64_t id = llvm::xxh3_64bits(
          fmt::format("{} {}{}", place, raw.is_call, raw.flags & CULPRIT_ROW_READ));
      auto known = sites_.find(id);
      if (known == sites_.end())
        known = sites_.emplace(id, describe(raw, id, symbolizer)).first;
      unit.rows.push_back({static_cast<uint32_t>(unit.sites.size()),
                           static_cast<uint8_t>(std::min<unsigned>(raw.size, UINT8_MAX)),
                           static_cast<uint8_t>(raw.flags)});
      unit.sites.push_back(known->second);
    }
    if (const auto *told = std::get_if<run::NativeObject>(&record.what)) {
      if (told->numbers.kind == CULPRIT_NATIVE_BLOCK) {
        if (told->numbers.number == unit.layouts.size())
          unit.layouts.push_back({told->type, told->numbers.size, 0, {{told->member, 0, false}}});
      } else if (told->numbers.number == unit.variables.size()) {
        unit.variables.push_back(described(*told));
      }
    }
    if (const auto *told = std::get_if<run::NativeVariable>(&record.what)) {
      if (told->numbers.number != unit.variables.size())
        continue;
      if (told->numbers.kind == CULPRIT_NATIVE_RETURN ||
          told->numbers.kind == CULPRIT_NATIVE_SAVED) {
        unit.variables.push_back(return_slot(*told, symbolizer));
        continue;
      }
      const std::string place = place_in_file(symbolizer, told->numbers.address);
      auto known = variables_.find(place);
      if (known == variables_.end())
        known = variables_.emplace(place, symbolizer.variable(told->numbers.address)).first;
      access::Variable variable;
      variable.name = told->symbol;
      variable.file = known->second.file;
      variable.line = known->second.line;
      variable.size = told->numbers.size;
      variable.internal = told->numbers.internal != 0;
      if (const symbolize::Mapping *mapping = symbolizer.mapping_of(told->numbers.address);
          variable.file.empty() && variable.internal && mapping != nullptr)
        variable.file = mapping->file.filename().string();
      unit.variables.push_back(std::move(variable));
    }
  }
  file.records.push_back(
      {.offset = 0,
       .thread = 0,
       .what = run::AccessUnit{CULPRIT_NATIVE_UNIT, 0, static_cast<uint32_t>(unit.rows.size())}});
  return std::make_shared<const access::AccessTables>(std::move(tables));
}

} // namespace culprit::monitor
