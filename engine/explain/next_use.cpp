// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See next_use.h.
#include "engine/explain/next_use.h"

#include <algorithm>
#include <unordered_map>

namespace culprit::explain {
namespace {

// What is used later than that is not near.
constexpr size_t kMostEvents = 2'000'000;

bool overlaps(const culprit_trace_event &event, const Difference &place) {
  return place.size == 0 || (event.offset < place.at.offset + place.size &&
                             place.at.offset < event.offset + event.size);
}

bool covers(const culprit_trace_event &event, const Difference &place) {
  return place.size != 0 && event.offset <= place.at.offset &&
         place.at.offset + place.size <= event.offset + event.size;
}

} // namespace

std::vector<size_t> by_next_use(const std::vector<Difference> &differences, const Trace &trace,
                                size_t position) {
  std::unordered_map<uint64_t, std::vector<size_t>> waiting; // by region
  for (size_t i = 0; i < differences.size(); ++i)
    waiting[differences[i].at.region].push_back(i);
  std::vector<size_t> order;
  std::vector<size_t> written_over;
  const size_t end = std::min(trace.size(), position + kMostEvents);
  for (size_t at = position; at < end && !waiting.empty(); ++at) {
    const culprit_trace_event &event = trace[at];
    const auto here = is_point(event) ? waiting.end() : waiting.find(event.index);
    if (here == waiting.end())
      continue;
    std::erase_if(here->second, [&](size_t each) {
      const bool is_read = !writes(event) && overlaps(event, differences[each]);
      const bool is_gone = writes(event) && covers(event, differences[each]);
      if (is_read)
        order.push_back(each);
      if (is_gone)
        written_over.push_back(each);
      return is_read || is_gone;
    });
    if (here->second.empty())
      waiting.erase(here);
  }
  std::vector<size_t> unread;
  for (const auto &[region, all] : waiting)
    unread.insert(unread.end(), all.begin(), all.end());
  std::ranges::sort(unread);
  order.insert(order.end(), unread.begin(), unread.end());
  order.insert(order.end(), written_over.begin(), written_over.end());
  return order;
}

} // namespace culprit::explain
