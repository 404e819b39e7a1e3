// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See clb.h.
#include "engine/access/clb.h"

#include "engine/build/file_bytes.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <set>
#include <unordered_set>

namespace culprit::access {
namespace {

constexpr unsigned kLowestBit = 2;
constexpr unsigned kIndexBits = 5;

uint32_t bit_of(uint64_t pc, size_t part) {
  return 1U << (pc >> (kLowestBit + part * kIndexBits) & ((1U << kIndexBits) - 1));
}

constexpr uint32_t kNothing = UINT32_MAX;

// The program as the simulation sees it: dense numbers of sites and objects, and who is in whose
// set.
class Tables {
public:
  Tables(const AccessRun &run, const AccessModel &model) : run_(run), model_(model) {
    for (const auto &[unit, tables] : *run.tables)
      for (const AccessSite &site : tables.sites)
        if (numbers_.emplace(site.id, static_cast<uint32_t>(sites_.size())).second)
          sites_.push_back(&site);
    for (const MetName &name : run.names) {
      const uint64_t object = object_key(name.name, model.call_chain);
      const auto known = objects_.emplace(object, static_cast<uint32_t>(objects_.size())).first;
      object_of_name_.push_back(known->second);
    }
    for (std::vector<BloomVector> &vectors : vectors_)
      vectors.resize(objects_.size());
    gather(false, model.runs == 0);
    gather(true, model.read_runs == 0);
    direct_.resize(sites_.size());
    for (size_t i = 0; i < sites_.size(); ++i)
      direct_[i] = sites_[i]->direct;
  }

  uint32_t site_of(uint32_t row) {
    if (row >= rows_.size())
      rows_.resize(std::min<size_t>(row, CULPRIT_RUN_RECORD_MAX) + 1, kNothing - 1);
    if (row >= rows_.size())
      return kNothing;
    if (rows_[row] == kNothing - 1) {
      const AccessSite *site = run_.site_of_row(row);
      rows_[row] = site == nullptr ? kNothing : numbers_.at(site->id);
    }
    return rows_[row];
  }
  uint32_t object_of(uint32_t name) {
    if (name == CULPRIT_NO_NAME)
      return kNothing;
    const auto [known, is_new] = names_.emplace(name, kNothing);
    if (is_new)
      if (const uint32_t place = run_.name_of(name); place != kNoName)
        known->second = object_of_name_[place];
    return known->second;
  }
  bool reads(uint32_t site) const { return sites_[site]->read; }
  bool is_direct(uint32_t site) const { return direct_[site]; }
  bool is_known(uint32_t site, uint32_t object) const {
    return known_.contains(uint64_t{site} << 32 | object);
  }
  // The set of an object, of writers alone or of readers, too.
  const BloomVector &set_of(uint32_t object, bool with_reads) const {
    return vectors_[with_reads ? 1 : 0][object];
  }

private:
  void add(uint64_t site_id, uint64_t object_key, bool read) {
    const auto site = numbers_.find(site_id);
    const auto object = objects_.find(object_key);
    if (site == numbers_.end() || object == objects_.end())
      return;
    known_.insert(uint64_t{site->second} << 32 | object->second);
    const uint64_t pc = uint64_t{site->second} << kLowestBit;
    vectors_[1][object->second].add(pc);
    if (!read)
      vectors_[0][object->second].add(pc);
  }

  void gather(bool read, bool from_run) {
    if (from_run) {
      for (const Met &met : run_.pairs)
        if (met.site->read == read)
          add(met.site->id, object_key(run_.names[met.name].name, model_.call_chain), read);
      return;
    }
    const auto add_pair = [&](const PairKey &pair) {
      const auto site = numbers_.find(pair.first);
      const auto name = model_.name_facts.find(pair.second);
      if (site != numbers_.end() && sites_[site->second]->read == read &&
          name != model_.name_facts.end())
        add(pair.first, object_key(name->second, model_.call_chain), read);
    };
    for (const auto &[pair, facts] : model_.pairs)
      add_pair(pair);
    for (const PairKey &pair : model_.accepted)
      add_pair(pair);
  }

  const AccessRun &run_;
  const AccessModel &model_;
  std::vector<const AccessSite *> sites_; // the position is the number
  std::unordered_map<uint64_t, uint32_t> numbers_;
  std::unordered_map<uint64_t, uint32_t> objects_;
  std::vector<uint32_t> object_of_name_; // by position in AccessRun::names
  std::unordered_set<uint64_t> known_;
  std::array<std::vector<BloomVector>, 2> vectors_;
  std::vector<bool> direct_;
  std::vector<uint32_t> rows_;
  std::unordered_map<uint32_t, uint32_t> names_;
};

struct Simulated {
  ClbColumn column;
  Clb clb;
};

} // namespace

void BloomVector::add(uint64_t pc) {
  for (size_t part = 0; part < words.size(); ++part)
    words[part] |= bit_of(pc, part);
}

bool BloomVector::has(uint64_t pc) const {
  for (size_t part = 0; part < words.size(); ++part)
    if ((words[part] & bit_of(pc, part)) == 0)
      return false;
  return true;
}

Clb::Answer Clb::look(uint64_t address, uint64_t pc) {
  const auto entry = std::ranges::find_if(
      entries_, [&](const Entry &one) { return address >= one.start && address < one.end; });
  if (entry == entries_.end())
    return Answer::miss;
  if (!entry->set.has(pc))
    return Answer::refused;
  std::rotate(entries_.begin(), entry, entry + 1);
  return Answer::filtered;
}

void Clb::insert(uint64_t start, uint64_t end, uint64_t object, const BloomVector &set) {
  if (capacity_ == 0)
    return;
  const auto known = std::ranges::find_if(
      entries_, [&](const Entry &one) { return one.start == start && one.end == end; });
  if (known != entries_.end())
    entries_.erase(known);
  else if (entries_.size() == capacity_)
    entries_.pop_back();
  entries_.insert(entries_.begin(), Entry{start, end, object, set});
}

void Clb::lives(uint64_t start, uint64_t end, uint64_t object) {
  std::erase_if(entries_, [&](const Entry &one) {
    return one.start < end && start < one.end &&
           (one.start != start || one.end != end || one.object != object);
  });
}

ClbReport measure_clb(std::span<const culprit_event> events, const AccessRun &run,
                      const AccessModel &model, const AccessSettings &settings) {
  Tables tables(run, model);
  ClbReport report;
  report.events = events.size();
  report.reads_from_run = model.read_runs == 0;
  report.monitored_bytes = run.watch ? run.watch->watched_bytes : 0;
  std::set<size_t> sizes = {0, 4, 8, 16, 32};
  sizes.insert(settings.clb_entries);
  std::vector<Simulated> simulated;
  for (const bool reads : {false, true})
    for (const size_t entries : sizes)
      simulated.push_back({{entries, reads, 0, 0, 0}, Clb(entries)});
  std::unordered_set<uint64_t> suspects;
  for (const culprit_event &event : events) {
    const uint32_t site = tables.site_of(event.row);
    const uint32_t object = site == kNothing ? kNothing : tables.object_of(event.name);
    if (object == kNothing || event.end <= event.start) {
      ++report.unmonitored;
      continue;
    }
    const bool read = tables.reads(site);
    const bool known = tables.is_known(site, object);
    if (!known && suspects.insert(uint64_t{site} << 32 | object).second) {
      const size_t pruned = tables.is_direct(site) && settings.prune ? 0 : 1;
      ++report.read_alarms_before_pruning;
      report.read_alarms_after_pruning += pruned;
      report.alarms_before_pruning += read ? 0 : 1;
      report.alarms_after_pruning += read ? 0 : pruned;
    }
    const uint64_t pc = uint64_t{site} << kLowestBit;
    for (Simulated &one : simulated) {
      if (read && !one.column.reads)
        continue;
      ++one.column.before;
      one.clb.lives(event.start, event.end, object);
      if (one.clb.look(event.address, pc) == Clb::Answer::filtered) {
        one.column.false_positives += known ? 0 : 1;
        continue;
      }
      ++one.column.after;
      if (known)
        one.clb.insert(event.start, event.end, object, tables.set_of(object, one.column.reads));
    }
  }
  for (const Simulated &one : simulated)
    report.columns.push_back(one.column);
  return report;
}

Result<ClbReport> measure_clb(const std::filesystem::path &path, const AccessRun &run,
                              const AccessModel &model, const AccessSettings &settings) {
  auto file = build::FileBytes::map(path);
  if (!file)
    return std::unexpected(file.error());
  // A process that died while writing leaves a part of an event at the end.
  const std::string_view bytes = file->view();
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignof(culprit_event) != 0)
    return fail(fmt::format("{}: cannot be mapped", path.string()));
  std::span events(reinterpret_cast<const culprit_event *>(bytes.data()),
                   bytes.size() / sizeof(culprit_event));
  // Its room is handed out before it is written, so there may be zeroes, too.
  while (!events.empty() && events.back().name == CULPRIT_NO_NAME)
    events = events.first(events.size() - 1);
  return measure_clb(events, run, model, settings);
}

} // namespace culprit::access
