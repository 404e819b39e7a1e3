// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See history.h.
#include "engine/access/history.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit::access {
namespace {

void add(std::string &text, std::string_view part) {
  const uint64_t size = part.size();
  text.append(reinterpret_cast<const char *>(&size), sizeof size);
  text.append(part);
}

// Of two descriptions of one thing the greater, so that the order does not matter.
template <typename Key, typename T> void unite(std::map<Key, T> &to, const std::map<Key, T> &from) {
  for (const auto &[key, value] : from) {
    auto [known, is_new] = to.try_emplace(key, value);
    if (!is_new && known->second < value)
      known->second = value;
  }
}

} // namespace

std::string content_key(const RunPairs &run) {
  std::string text;
  add(text, run.build_id);
  add(text, run.arguments);
  add(text, run.input);
  text += run.reads ? 'r' : 'w';
  for (const RunPair &pair : run.pairs) {
    text.append(reinterpret_cast<const char *>(&pair.site), sizeof pair.site);
    text.append(reinterpret_cast<const char *>(&pair.name), sizeof pair.name);
  }
  const llvm::XXH128_hash_t hash = llvm::xxh3_128bits(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

Summary summarize(const AccessRun &run) {
  Summary summary;
  summary.run.reads = run.reads;
  summary.run.periods = run.periods;
  summary.run.watched_bytes = run.watch ? run.watch->watched_bytes : 0;
  const auto key_at = [&](uint32_t name) -> uint64_t {
    if (name == kNoName)
      return 0;
    summary.names.try_emplace(run.names[name].key, run.names[name].name);
    return run.names[name].key;
  };
  for (const Met &met : run.pairs) {
    // A pair that was met happened at least once, counted or not.
    summary.run.pairs.push_back({met.site->id, key_at(met.name), std::max<uint64_t>(met.count, 1),
                                 key_at(met.before), key_at(met.previous), met.direct});
    auto [known, is_new] = summary.sites.try_emplace(met.site->id, *met.site);
    if (!is_new && known->second < *met.site)
      known->second = *met.site;
  }
  std::ranges::sort(summary.run.pairs);
  return summary;
}

void add_run(History &history, const Summary &summary) {
  history.runs.insert_or_assign(content_key(summary.run), summary.run);
  unite(history.sites, summary.sites);
  unite(history.names, summary.names);
}

void add_program(History &history, const AccessTables &tables) {
  for (const auto &[unit, table] : tables)
    for (const AccessSite &site : table.sites)
      history.program.insert(site.id);
}

History merge(const History &a, const History &b) {
  History merged = a;
  unite(merged.runs, b.runs);
  unite(merged.sites, b.sites);
  unite(merged.names, b.names);
  merged.accepted.insert(b.accepted.begin(), b.accepted.end());
  merged.program.insert(b.program.begin(), b.program.end());
  return merged;
}

std::vector<std::string> ordered_keys(const History &history) {
  std::vector<std::string> keys;
  keys.reserve(history.runs.size());
  for (const auto &[key, run] : history.runs)
    keys.push_back(key);
  std::ranges::sort(keys, [&](const std::string &a, const std::string &b) {
    const std::string &first = history.runs.at(a).arguments;
    const std::string &second = history.runs.at(b).arguments;
    return first != second ? first < second : a < b;
  });
  return keys;
}

} // namespace culprit::access
