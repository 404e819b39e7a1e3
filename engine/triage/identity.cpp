// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/triage/identity.h"

#include "engine/triage/inputs.h"

#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace culprit::triage {

namespace {

using locate::Definition;
using locate::Tables;

// All but the line and column.
std::string words_of(const Definition &definition) {
  std::string words = fmt::format(
      "{}\n{}\n{}\n{}\n{}\n", std::filesystem::path(definition.at.file).filename().string(),
      definition.at.function, name_of(definition.kind), definition.variable, definition.callee);
  for (const std::string &leaf : definition.leaves)
    words += leaf + "\n";
  return words;
}

// Quick to tell apart: a program has a million.
bool may_be_alike(const Tables &tables, const Tables::DefinitionRow &a,
                  const Tables::DefinitionRow &b) {
  auto same = [&tables](uint32_t x, uint32_t y) {
    return x == y || tables.strings[x] == tables.strings[y];
  };
  return a.kind == b.kind && a.leaves == b.leaves && same(a.function, b.function) &&
         same(a.variable, b.variable) && same(a.callee, b.callee) && same(a.file, b.file);
}

} // namespace

std::string Identities::definition(uint32_t number) {
  const auto it = tables_.definition(number);
  if (!it)
    return digest_text("unknown");
  const std::scoped_lock lock(mutex_);
  const auto [entry, is_new] = definitions_.try_emplace(number);
  if (!is_new)
    return entry->second;
  const std::string words = words_of(*it);
  const Tables::DefinitionRow &row = tables_.definitions[number - 1];
  std::set<std::pair<uint32_t, uint32_t>> before;
  for (uint32_t other = 1; other <= tables_.definitions.size(); ++other) {
    const Tables::DefinitionRow &candidate = tables_.definitions[other - 1];
    if (std::pair(candidate.line, candidate.column) < std::pair(row.line, row.column) &&
        may_be_alike(tables_, candidate, row) && words_of(*tables_.definition(other)) == words)
      before.emplace(candidate.line, candidate.column);
  }
  entry->second = digest_text(fmt::format("definition {}\n{}", before.size(), words));
  return entry->second;
}

std::string Identities::place(uint32_t number) {
  const auto it = tables_.place(number);
  if (!it)
    return digest_text("unknown");
  std::string words =
      fmt::format("place\n{}\n{}\n{}\n{}\n", std::filesystem::path(it->at.file).filename().string(),
                  it->at.function, name_of(it->kind), it->callee);
  for (const locate::Leaf &leaf : it->leaves)
    words += leaf.name + "\n";
  return digest_text(words);
}

std::vector<std::vector<std::string>> Identities::of(const std::vector<locate::Step> &chain) {
  std::vector<std::vector<std::string>> all;
  for (const locate::Step &step : chain) {
    auto &names = all.emplace_back();
    for (const locate::Suspect &suspect : step.suspects)
      names.push_back(suspect.definition ? definition(locate::definition_of(suspect.candidate.id))
                                         : place(step.crash.numbers.place));
  }
  return all;
}

} // namespace culprit::triage
