// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/explain_access.h"

#include "engine/heap/own_code.h"
#include "engine/heap/sites.h"
#include "engine/monitor/start_code.h"

#include <algorithm>

namespace culprit::monitor {

Frames frames_from(const access::AccessSite &site, std::span<const symbolize::Place> symbolized) {
  const std::string function = heap::short_function(site.function);
  Frames frames = {{site.file, site.line, site.column, function}};
  // Frames above the site's function are the runtime's; a deep one of that name is a caller.
  constexpr size_t kAbove = 4;
  const auto near = symbolized.first(std::min(kAbove, symbolized.size()));
  if (const auto own = std::ranges::find(near, function, &symbolize::Place::function);
      own != near.end())
    symbolized = symbolized.subspan(static_cast<size_t>(own - near.begin()) + 1);
  for (const symbolize::Place &place : symbolized)
    if (!is_start_code(place.function) && !heap::is_library(place.function, place.file))
      frames.push_back({place.file, place.line, place.column, place.function});
  return frames;
}

std::vector<Frames> access_stacks(std::span<const access::Finding> findings,
                                  const access::AccessRun &run, symbolize::Symbolizer &symbolizer) {
  std::vector<Frames> stacks;
  for (const access::Finding &finding : findings) {
    const access::Met &met = run.pairs[finding.lead().pair];
    std::vector<symbolize::Place> places;
    for (const uint64_t address : met.stack)
      for (const symbolize::Place &place : symbolizer.return_address(address))
        places.push_back(place);
    stacks.push_back(frames_from(*met.site, places));
  }
  return stacks;
}

} // namespace culprit::monitor
