// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See usual_writers.h.
#include "engine/heap/usual_writers.h"

#include "engine/heap/series.h"

#include <array>
#include <map>

namespace culprit::heap {
namespace {

constexpr uint64_t kLeastObjects = 16; // of a site: fewer are no habit
constexpr double kLeastShare = 0.01;
constexpr uint32_t kNoSite = ~0U;

struct Gathered {
  uint64_t objects = 0;
  std::array<std::map<uint64_t, uint64_t>, kWriterRoles> writers; // objects by writer
};

} // namespace

std::vector<SiteWriters> usual_writers(const HeapRun &again) {
  std::map<uint64_t, Gathered> sites;
  if (again.blame.empty())
    return {};
  for (const culprit_blame_row &row : again.blame.back().rows) {
    const auto context = again.contexts.find(row.context);
    if (context == again.contexts.end() || context->second.site >= again.sites.size())
      continue;
    Gathered &site = sites[again.sites[context->second.site].id];
    site.objects += row.count;
    const std::array<uint32_t, kWriterRoles> numbers = {row.linked, row.unlinked, row.wrote,
                                                        row.changed};
    for (size_t role = 0; role < kWriterRoles; ++role)
      if (const Site *writer = numbers[role] == kNoSite ? nullptr : again.numbers.at(numbers[role]))
        site.writers[role][writer->id] += row.count;
  }
  std::vector<SiteWriters> result;
  for (const auto &[id, site] : sites) {
    if (id == 0 || site.objects < kLeastObjects)
      continue;
    SiteWriters writers{id, {}};
    for (uint32_t role = 0; role < kWriterRoles; ++role)
      for (const auto &[writer, objects] : site.writers[role]) {
        const double share = static_cast<double>(objects) / static_cast<double>(site.objects);
        if (share >= kLeastShare)
          writers.writers.push_back({writer, role, static_cast<float>(share)});
      }
    if (!writers.writers.empty())
      result.push_back(std::move(writers));
  }
  return result;
}

} // namespace culprit::heap
