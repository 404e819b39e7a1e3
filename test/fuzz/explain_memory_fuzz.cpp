// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes are a snapshot or an error, and a trace or an error. A snapshot differs from itself in
// nothing; of two that differ, a patch can be made.
#include "engine/explain/alignment.h"
#include "engine/explain/replacement.h"

#include <cstdlib>

using namespace culprit::explain;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  if (const auto trace = parse_trace(bytes, 16))
    if (align(*trace, *trace).points.size() > trace->size())
      std::abort();
  const auto snapshot = parse_snapshot(bytes);
  if (!snapshot)
    return 0;
  if (!compare(*snapshot, *snapshot).empty())
    std::abort();
  Snapshot other;
  for (Region region : snapshot->regions()) {
    if (region.bytes && !region.bytes->empty())
      region.bytes->front() = static_cast<char>(~region.bytes->front());
    if (region.index % 3 != 0) // some are missing
      other.add(std::move(region));
  }
  std::vector<Difference> chosen;
  for (const Difference &each : compare(other, *snapshot))
    if (is_replaceable(each, other, *snapshot))
      chosen.push_back(each);
  (void)make_patch(chosen, other, *snapshot);
  return 0;
}
