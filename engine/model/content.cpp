// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a model holds, apart from how it is stored; see model.h.
#include "engine/model/model.h"

#include "engine/model/site_row.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace culprit::model {
namespace {

// Length and bytes, so that no two different runs give the same text.
void add(std::string &text, std::string_view part) {
  const uint64_t size = part.size();
  text.append(reinterpret_cast<const char *>(&size), sizeof size);
  text.append(part);
}

} // namespace

std::string content_key(const heap::RunSummary &run) {
  std::string text;
  add(text, run.build_id);
  add(text, run.arguments);
  add(text, run.input);
  for (const heap::MetricSeries &series : run.series) {
    add(text, series.metric);
    add(text, {reinterpret_cast<const char *>(series.values.data()),
               series.values.size() * sizeof(float)});
  }
  const llvm::XXH128_hash_t hash = llvm::xxh3_128bits(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

Contents merge(const Contents &a, const Contents &b) {
  Contents merged = a;
  for (const auto &[key, run] : b.runs) {
    // What the key does not cover (it follows from the rest, unless settings differed) decides, so
    // that merging does not depend on the order.
    auto [known, is_new] = merged.runs.try_emplace(key, run);
    const auto rank = [](const heap::RunSummary &one) {
      return std::pair(!one.writers.empty(), run_text(one)); // knowing the writers is knowing more
    };
    if (!is_new && rank(known->second) < rank(run))
      known->second = run;
  }
  for (const auto &[id, site] : b.sites) {
    auto [known, is_new] = merged.sites.try_emplace(id, site);
    if (!is_new)
      known->second = std::max(known->second, site);
  }
  for (const auto &[id, path] : b.builds) {
    auto [known, is_new] = merged.builds.try_emplace(id, path);
    if (!is_new)
      known->second = std::max(known->second, path);
  }
  merged.access = access::merge(a.access, b.access);
  return merged;
}

std::vector<std::string> ordered_keys(const Contents &contents) {
  std::vector<std::string> keys;
  keys.reserve(contents.runs.size());
  for (const auto &[key, run] : contents.runs)
    keys.push_back(key);
  std::ranges::sort(keys, [&](const std::string &a, const std::string &b) {
    const std::string &first = contents.runs.at(a).arguments;
    const std::string &second = contents.runs.at(b).arguments;
    return first != second ? first < second : a < b;
  });
  return keys;
}

std::vector<heap::RunSummary> ordered_runs(const Contents &contents) {
  std::vector<heap::RunSummary> runs;
  for (const std::string &key : ordered_keys(contents))
    runs.push_back(contents.runs.at(key));
  return runs;
}

Result<Overlap> overlap_with(const Contents &contents, const heap::SiteTables &program,
                             const heap::HeapSettings &settings,
                             const std::filesystem::path &path) {
  std::set<uint64_t> ids;
  for (const auto &[unit, sites] : program)
    for (const heap::Site &site : sites)
      if (site.kind == heap::SiteKind::call || site.kind == heap::SiteKind::alloc)
        ids.insert(site.id);
  Overlap overlap{0, ids.size()};
  for (const uint64_t id : ids)
    overlap.known += contents.sites.contains(id) ? 1 : 0;
  // A program without allocation sites of its own is like every other.
  if (overlap.total == 0 || contents.sites.empty())
    return overlap;
  if (static_cast<double>(overlap.known) <
      settings.program_overlap * static_cast<double>(overlap.total))
    return fail(fmt::format("{}: model of another program ({} of {} allocation sites known)",
                            path.string(), overlap.known, overlap.total),
                "name the right model with --model, or train a new one");
  return overlap;
}

} // namespace culprit::model
