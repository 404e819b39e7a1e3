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
  // Frames above the site's function are the runtime's, and those of library code inlined there,
  // however many; a deep one of that name is a caller.
  constexpr size_t kAbove = 4;
  size_t above = 0;
  for (size_t i = 0; i < symbolized.size() && above < kAbove; ++i) {
    if (symbolized[i].function == function) {
      symbolized = symbolized.subspan(i + 1);
      break;
    }
    above += heap::is_library(symbolized[i].function, symbolized[i].file) ? 0 : 1;
  }
  for (const symbolize::Place &place : symbolized) {
    // A smashed stack leads to addresses that no module has; nothing below is to be trusted.
    if (place.file.empty() && place.function.starts_with("0x"))
      break;
    if (!is_start_code(place.function) && !heap::is_library(place.function, place.file))
      frames.push_back({place.file, place.line, place.column, place.function});
  }
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

std::vector<Frames> note_stacks(std::span<const access::Finding> notes,
                                const access::AccessRun &run,
                                const std::function<symbolize::Symbolizer()> &symbolizer) {
  const auto is_librarys = [&](const access::Finding &note) {
    const access::AccessSite &site = *run.pairs[note.lead().pair].site;
    return heap::is_library(site.function, site.file);
  };
  if (std::ranges::none_of(notes, is_librarys))
    return {}; // debug information is slow to read, and a good run is to be no slower for a note
  symbolize::Symbolizer opened = symbolizer();
  return access_stacks(notes, run, opened);
}

} // namespace culprit::monitor
