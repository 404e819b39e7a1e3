// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See run.h.
#include "engine/access/run.h"

#include "abi/access.h"
#include "engine/heap/own_code.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <unordered_map>

namespace culprit::access {
namespace {

std::unexpected<Error> contradicts(const std::string &what) {
  return fail(what, "the run file is damaged; run the target again to make a new one");
}

// What the records refer to by number.
struct Gathered {
  std::vector<run::Unit> units;
  std::map<uint32_t, uint64_t> chains; // context → its call sites
  std::map<uint32_t, culprit_record_name> names;
  std::vector<const run::AccessMet *> met;
  std::vector<const run::AccessCounts *> counts;
};

Result<void> gather(const run::Record &record, AccessRun &run, Gathered &found) {
  if (const auto *unit = std::get_if<run::Unit>(&record.what))
    found.units.push_back(*unit);
  else if (const auto *context = std::get_if<run::Context>(&record.what))
    found.chains[context->number] = context->chain;
  else if (const auto *module = std::get_if<run::Module>(&record.what))
    run.modules.push_back(*module);
  else if (const auto *access_unit = std::get_if<run::AccessUnit>(&record.what)) {
    run.watched = true;
    const auto table = run.tables->find(access_unit->id);
    // A table of another length is of another build of the unit: its numbers would be wrong.
    if (table != run.tables->end() && table->second.rows.size() == access_unit->rows)
      run.unit_of_row_base.insert_or_assign(access_unit->row_base, access_unit->id);
  } else if (const auto *name = std::get_if<run::ObjectName>(&record.what)) {
    const auto [known, is_new] = found.names.emplace(name->numbers.number, name->numbers);
    if (!is_new && std::memcmp(&known->second, &name->numbers, sizeof name->numbers) != 0)
      return contradicts(fmt::format("name {} has two meanings", name->numbers.number));
  } else if (const auto *met = std::get_if<run::AccessMet>(&record.what))
    found.met.push_back(met);
  else if (const auto *counts = std::get_if<run::AccessCounts>(&record.what))
    found.counts.push_back(counts);
  else if (const auto *period = std::get_if<run::Period>(&record.what))
    run.periods =
        std::max(run.periods, period->period == UINT32_MAX ? period->period : period->period + 1);
  else if (const auto *watch = std::get_if<run::Watch>(&record.what))
    run.watch = watch->numbers;
  return {};
}

void describe_block(MetName &met, uint64_t chain, const heap::SiteNumbers &numbers) {
  met.chain = numbers.chain(chain);
  for (const heap::Site *site : met.chain)
    met.name.chain.push_back(site == nullptr ? 0 : site->id);
  if (const heap::Site *site = heap::allocation_site(met.chain))
    met.name.type = site->type;
  if (const heap::Site *site = heap::own_allocation_site(met.chain)) {
    met.name.function = site->function;
    met.name.file = site->file;
    met.name.line = site->line;
  }
}

NameKind kind_of(const Variable &variable) {
  switch (variable.kind) {
  case VariableKind::global:
    return NameKind::global;
  case VariableKind::local:
    return NameKind::local;
  case VariableKind::return_slot:
    return NameKind::return_slot;
  case VariableKind::outside:
    return NameKind::outside;
  }
  return NameKind::global;
}

// Nothing: a variable or member that no table has.
std::optional<MetName> resolve(const culprit_record_name &raw, const AccessRun &run,
                               const Gathered &found, const heap::SiteNumbers &numbers) {
  MetName met;
  met.name.kind = static_cast<NameKind>(raw.kind);
  const auto unit = run.tables->find(raw.unit);
  if (raw.kind == CULPRIT_NAME_HEAP || raw.kind == CULPRIT_NAME_OUTSIDE ||
      raw.kind == CULPRIT_NAME_FREED) {
    const auto chain = found.chains.find(raw.object);
    describe_block(met, chain == found.chains.end() ? 0 : chain->second, numbers);
  } else {
    if (unit == run.tables->end() || raw.object >= unit->second.variables.size())
      return std::nullopt;
    const Variable &variable = unit->second.variables[raw.object];
    // The runtime cannot tell a variable from the gap behind one, nor a local from the slot of a
    // return address; the table can.
    met.name.kind = kind_of(variable);
    met.name.symbol = variable.name;
    met.name.function = variable.function;
    met.name.file = variable.file;
    met.name.line = variable.line;
    met.name.type = variable.type;
    met.name.internal = variable.internal;
    met.name.member = variable.member;
  }
  if (raw.layout != 0) {
    if (unit == run.tables->end() || raw.layout > unit->second.layouts.size())
      return std::nullopt;
    const Layout &layout = unit->second.layouts[raw.layout - 1];
    if (met.name.type.empty())
      met.name.type = layout.type;
    if (raw.member != CULPRIT_NO_MEMBER) {
      if (raw.member >= layout.members.size())
        return std::nullopt;
      met.name.member = layout.members[raw.member].name;
      // A member without a name is told from its neighbours by where it is.
      if (met.name.member.empty())
        met.name.member = fmt::format("+{}", layout.members[raw.member].start);
    }
  }
  met.key = key_of(met.name);
  return met;
}

// Numbers with one identity are one name.
void resolve_names(AccessRun &run, const Gathered &found) {
  const heap::SiteNumbers numbers(*run.heap_sites, found.units);
  std::unordered_map<std::string, uint32_t> by_identity;
  for (const auto &[number, raw] : found.names) {
    auto met = resolve(raw, run, found, numbers);
    if (!met)
      continue;
    const auto [known, is_new] =
        by_identity.emplace(identity_of(met->name), static_cast<uint32_t>(run.names.size()));
    if (is_new)
      run.names.push_back(std::move(*met));
    run.name_numbers.emplace(number, known->second);
  }
}

struct PairPlace {
  uint64_t site;
  uint32_t name;
  bool operator==(const PairPlace &) const = default;
};
struct PlaceHash {
  size_t operator()(const PairPlace &place) const {
    return static_cast<size_t>((place.site ^ place.name) * 0x9e3779b97f4a7c15u);
  }
};
using Places = std::unordered_map<PairPlace, size_t, PlaceHash>;

void add_met(AccessRun &run, const run::AccessMet &record, Places &places) {
  const culprit_record_access &raw = record.numbers;
  const AccessSite *site = run.site_of_row(raw.row);
  const uint32_t name = run.name_of(raw.name);
  if (site == nullptr || name == kNoName || raw.period >= run.periods) {
    ++run.unresolved;
    return;
  }
  const auto [place, is_new] = places.emplace(PairPlace{site->id, name}, run.pairs.size());
  if (is_new)
    run.pairs.push_back({site,
                         name,
                         site->direct,
                         0,
                         {},
                         raw.address,
                         raw.start,
                         raw.size,
                         raw.length,
                         run.name_of(raw.before),
                         run.name_of(raw.previous),
                         raw.work,
                         record.addresses});
  Met &met = run.pairs[place->second];
  const auto period = std::ranges::lower_bound(met.periods, raw.period);
  if (period == met.periods.end() || *period != raw.period)
    met.periods.insert(period, raw.period);
}

} // namespace

const AccessRow *AccessRun::row(uint32_t row) const {
  auto unit = unit_of_row_base.upper_bound(row);
  if (unit == unit_of_row_base.begin())
    return nullptr;
  --unit;
  const std::vector<AccessRow> &rows = tables->at(unit->second).rows;
  return row - unit->first < rows.size() ? &rows[row - unit->first] : nullptr;
}

const AccessSite *AccessRun::site_of_row(uint32_t number) const {
  const AccessRow *found = row(number);
  if (found == nullptr)
    return nullptr;
  const auto unit = std::prev(unit_of_row_base.upper_bound(number));
  return &tables->at(unit->second).sites[found->site];
}

uint32_t AccessRun::name_of(uint32_t number) const {
  const auto found = name_numbers.find(number);
  return found == name_numbers.end() ? kNoName : found->second;
}

Result<AccessRun> access_run(const run::RunFile &file, SharedTables tables,
                             heap::SharedSites heap_sites) {
  AccessRun run;
  run.tables = tables ? std::move(tables) : std::make_shared<const AccessTables>();
  run.heap_sites = heap_sites ? std::move(heap_sites) : std::make_shared<const heap::SiteTables>();
  run.reads = watches_reads(*run.tables);
  Gathered found;
  for (const run::Record &record : file.records)
    if (auto gathered = gather(record, run, found); !gathered)
      return std::unexpected(gathered.error());
  resolve_names(run, found);
  Places places;
  for (const run::AccessMet *met : found.met)
    add_met(run, *met, places);
  for (const run::AccessCounts *counts : found.counts) {
    run.counted = true;
    for (const culprit_count_row &row : counts->rows) {
      const AccessSite *site = run.site_of_row(row.row);
      const uint32_t name = run.name_of(row.name);
      const auto place = site == nullptr ? places.end() : places.find(PairPlace{site->id, name});
      // Counted, but not told as a pair: a record was lost.
      if (place == places.end()) {
        ++run.unresolved;
        continue;
      }
      uint64_t &count = run.pairs[place->second].count;
      count = row.count > UINT64_MAX - count ? UINT64_MAX : count + row.count;
    }
  }
  return run;
}

} // namespace culprit::access
