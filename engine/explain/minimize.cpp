// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See minimize.h.
#include "engine/explain/minimize.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

namespace culprit::explain {
namespace {

// So many parts of nearly equal size.
std::vector<Subset> parts_of(const Subset &whole, size_t parts) {
  std::vector<Subset> all;
  all.reserve(parts);
  for (size_t i = 0; i < parts; ++i)
    all.emplace_back(whole.begin() + static_cast<ptrdiff_t>(whole.size() * i / parts),
                     whole.begin() + static_cast<ptrdiff_t>(whole.size() * (i + 1) / parts));
  return all;
}

Subset without(const Subset &whole, const Subset &part) {
  Subset rest;
  std::ranges::set_difference(whole, part, std::back_inserter(rest));
  return rest;
}

} // namespace

Subset minimize(size_t count, const Test &test, const std::function<bool()> &enough) {
  Subset current(count);
  std::iota(current.begin(), current.end(), 0);
  std::map<Subset, Verdict> known;
  bool stopped = false;
  const auto fails = [&](const Subset &subset) {
    if (subset.empty())
      return false;
    if (const auto found = known.find(subset); found != known.end())
      return found->second == Verdict::fails;
    stopped = stopped || (enough && enough());
    if (stopped)
      return false;
    const Verdict verdict = test(subset);
    known.emplace(subset, verdict);
    return verdict == Verdict::fails;
  };
  size_t parts = 2;
  while (current.size() >= 2 && !stopped) {
    const std::vector<Subset> all = parts_of(current, parts);
    if (const auto one = std::ranges::find_if(all, fails); one != all.end()) {
      current = *one;
      parts = 2;
      continue;
    }
    const auto rest = std::ranges::find_if(
        all, [&](const Subset &part) { return fails(without(current, part)); });
    if (rest != all.end()) {
      current = without(current, *rest);
      parts = std::max<size_t>(parts - 1, 2);
      continue;
    }
    if (parts >= current.size())
      break;
    parts = std::min(parts * 2, current.size());
  }
  return current;
}

} // namespace culprit::explain
