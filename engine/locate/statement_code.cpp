// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/locate/statement_code.h"

#include "engine/heap/sites.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace culprit::locate {

namespace {

namespace fs = std::filesystem;
using llvm::DWARFDebugLine;

std::optional<uint64_t> address_of_main(const llvm::object::ObjectFile &object) {
  for (const llvm::object::SymbolRef &symbol : object.symbols()) {
    auto name = symbol.getName();
    auto address = symbol.getAddress();
    const bool found = name && address && *name == "main";
    const uint64_t value = address ? *address : 0;
    if (!name)
      llvm::consumeError(name.takeError());
    if (!address)
      llvm::consumeError(address.takeError());
    if (found)
      return value;
  }
  return std::nullopt;
}

// The rows of one function that match, in the order of addresses.
struct InFunction {
  bool named = false; // it is the function asked for
  std::vector<uint64_t> at_column = {};
  std::vector<uint64_t> at_line = {};
};
using Functions = std::map<uint64_t, InFunction>; // by where their description is

bool is_named(const llvm::DWARFDie &function, const std::string &name) {
  const char *linkage = function.getLinkageName();
  const char *plain = function.getShortName();
  return (linkage != nullptr && (name == linkage || name == heap::short_function(linkage))) ||
         (plain != nullptr && name == plain);
}

void take_rows(llvm::DWARFContext &context, const DWARFDebugLine::LineTable &table,
               llvm::DWARFUnit &unit, const Location &at, Functions &into) {
  const fs::path wanted = fs::path(at.file).lexically_normal();
  std::map<uint64_t, bool> files; // whether it is the one
  auto is_wanted = [&](uint64_t file) {
    const auto [entry, is_new] = files.try_emplace(file, false);
    std::string name;
    if (is_new && table.getFileNameByIndex(
                      file, unit.getCompilationDir(),
                      llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath, name))
      entry->second = fs::path(name).lexically_normal() == wanted;
    return entry->second;
  };
  const DWARFDebugLine::Row *before = nullptr;
  for (const DWARFDebugLine::Row &row : table.Rows) {
    const bool continues = before != nullptr && !before->EndSequence && before->Line == row.Line &&
                           before->Column == row.Column && before->File == row.File;
    before = &row;
    if (row.EndSequence || continues || row.Line != at.line || !is_wanted(row.File))
      continue;
    const llvm::DWARFDie function = context.getDIEsForAddress(row.Address.Address).FunctionDIE;
    InFunction &found = into[function ? function.getOffset() : 0];
    found.named |= function && is_named(function, at.function);
    found.at_line.push_back(row.Address.Address);
    if (row.Column == at.column)
      found.at_column.push_back(row.Address.Address);
  }
}

} // namespace

Result<StatementCode> statement_code(const fs::path &executable, const Location &at) {
  auto file = llvm::object::ObjectFile::createObjectFile(executable.string());
  if (!file)
    return fail(fmt::format("{}: {}", executable.string(), llvm::toString(file.takeError())));
  const llvm::object::ObjectFile &object = *file->getBinary();
  const std::optional<uint64_t> start = address_of_main(object);
  if (!start)
    return fail(fmt::format("{}: it has no function main", executable.string()));
  const auto context = llvm::DWARFContext::create(object);
  Functions functions;
  for (const auto &unit : context->compile_units())
    if (const auto *table = context->getLineTableForUnit(unit.get()))
      take_rows(*context, *table, *unit, at, functions);

  const bool any_named =
      std::ranges::any_of(functions, [](const auto &one) { return one.second.named; });
  const bool exact = std::ranges::any_of(functions, [&](const auto &one) {
    return one.second.named == any_named && !one.second.at_column.empty();
  });
  StatementCode code{.exact = exact};
  for (const auto &[die, function] : functions) {
    const std::vector<uint64_t> &rows = exact ? function.at_column : function.at_line;
    if (function.named != any_named || rows.empty())
      continue;
    const uint64_t address = exact ? std::ranges::max(rows) : std::ranges::min(rows);
    code.from_main.push_back(static_cast<int64_t>(address - *start));
  }
  std::ranges::sort(code.from_main);
  return code;
}

} // namespace culprit::locate
