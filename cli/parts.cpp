// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/parts.h"

#include "abi/features.h"

#include <algorithm>
#include <initializer_list>
#include <variant>

namespace culprit::cli {

std::string_view flavour_of(Parts parts) {
  unsigned features = parts.heap ? CULPRIT_FEATURE_HEAP : 0;
  if (parts.access)
    features |= CULPRIT_FEATURE_ACCESS | (parts.reads ? CULPRIT_FEATURE_READS : 0U) |
                (parts.counts ? CULPRIT_FEATURE_COUNTS : 0U);
  for (const InstrumentedFlavour &each : flavour_features::kAll)
    if (each.features == features)
      return each.name;
  return "monitor"; // not reached: parts has heap, access or both
}

std::vector<std::string_view> flavours_of(const run::RunFile &file, bool reads) {
  Parts wrote{.heap = false, .access = false, .reads = reads, .counts = false};
  for (const run::Record &record : file.records) {
    wrote.heap |= std::holds_alternative<run::MetricPoint>(record.what);
    wrote.access |= std::holds_alternative<run::AccessUnit>(record.what);
    wrote.counts |= std::holds_alternative<run::AccessCounts>(record.what);
  }
  std::vector<std::string_view> flavours;
  auto add = [&](Parts parts) {
    if (const std::string_view name = flavour_of(parts);
        std::ranges::find(flavours, name) == flavours.end())
      flavours.push_back(name);
  };
  if (!wrote.access) { // a run without metric points, too, is one of the monitor
    wrote.heap = true;
    add(wrote);
    return flavours;
  }
  // A run that died early has no metric point, whatever it watched.
  for (const bool heap : wrote.heap ? std::initializer_list<bool>{true}
                                    : std::initializer_list<bool>{false, true})
    for (const bool also_reads : {reads, !reads})
      for (const bool counts : wrote.counts ? std::initializer_list<bool>{true}
                                            : std::initializer_list<bool>{false, true})
        add({.heap = heap, .access = true, .reads = also_reads, .counts = counts});
  return flavours;
}

} // namespace culprit::cli
