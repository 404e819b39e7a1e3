// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See minimize.h.
#include "engine/explain/minimize.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>

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

class Minimizer {
public:
  Minimizer(const Tests &tests, const MinimizeOptions &options)
      : tests_(tests), options_(options) {}

  // The first of these that fails; nothing: none does.
  std::optional<size_t> first_failing(const std::vector<Subset> &all) {
    for (size_t from = 0; from < all.size();) {
      size_t end = from;
      std::vector<Subset> asked;
      for (; end < all.size() && asked.size() < std::max<size_t>(options_.width, 1); ++end)
        if (!all[end].empty() && !known_.contains(all[end]))
          asked.push_back(all[end]);
      ask(asked);
      for (; from < end; ++from)
        if (const auto found = known_.find(all[from]);
            found != known_.end() && found->second == Verdict::fails)
          return from;
    }
    return std::nullopt;
  }

  bool is_stopped() const { return stopped_; }

private:
  void ask(const std::vector<Subset> &subsets) {
    if (subsets.empty())
      return;
    stopped_ = stopped_ || (options_.enough && options_.enough());
    if (stopped_)
      return;
    const std::vector<Verdict> verdicts = tests_(subsets);
    for (size_t i = 0; i < subsets.size() && i < verdicts.size(); ++i)
      known_.emplace(subsets[i], verdicts[i]);
  }

  const Tests &tests_;
  const MinimizeOptions &options_;
  std::map<Subset, Verdict> known_;
  bool stopped_ = false;
};

} // namespace

Subset minimize(size_t count, const Tests &tests, const MinimizeOptions &options) {
  Subset current(count);
  std::iota(current.begin(), current.end(), 0);
  Minimizer minimizer(tests, options);
  size_t parts = 2;
  while (current.size() >= 2 && !minimizer.is_stopped()) {
    const std::vector<Subset> all = parts_of(current, parts);
    if (const auto one = minimizer.first_failing(all)) {
      current = all[*one];
      parts = 2;
      continue;
    }
    std::vector<Subset> rests;
    rests.reserve(all.size());
    for (const Subset &part : all)
      rests.push_back(without(current, part));
    if (const auto rest = minimizer.first_failing(rests)) {
      current = rests[*rest];
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
