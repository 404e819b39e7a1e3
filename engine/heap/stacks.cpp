// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Call stacks kept while a metric moved, folded by frequency; see blame.h.
#include "engine/heap/blame.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace culprit::heap {
namespace {

constexpr size_t kMaxFolded = 20;       // of each part
constexpr size_t kMaxStackSuspects = 3; // functions named for nothing but being there
constexpr double kInclusive = 0.3;      // what being further out on the stack weighs

std::vector<FoldedStack> fold(const std::map<std::vector<std::string>, uint64_t> &counts) {
  std::vector<FoldedStack> folded;
  uint64_t all = 0;
  for (const auto &[frames, count] : counts) {
    folded.push_back({frames, count, 0});
    all += count;
  }
  for (FoldedStack &stack : folded)
    stack.share = static_cast<double>(stack.count) / static_cast<double>(all);
  std::ranges::sort(folded, [](const FoldedStack &a, const FoldedStack &b) {
    return a.count != b.count ? a.count > b.count : a.frames < b.frames;
  });
  if (folded.size() > kMaxFolded)
    folded.resize(kMaxFolded);
  return folded;
}

bool is_of(const run::Stack &stack, const Finding &finding) {
  if (finding.metric == nullptr || finding.metric->kind != MetricKind::degree || finding.of_site)
    return false;
  return stack.metric == finding.metric->degree && stack.high == finding.high;
}

} // namespace

FoldedStacks fold_stacks(const HeapRun &run, const Finding &finding, const Symbolizer &symbolize) {
  // Metrics move together; stacks of another one are better than none.
  const bool own = std::ranges::any_of(
      run.stacks, [&](const run::Stack &stack) { return is_of(stack, finding); });
  std::map<std::vector<std::string>, uint64_t> parts[CULPRIT_STACK_AFTER + 1];
  std::map<uint64_t, std::vector<std::string>> names; // the same addresses come again and again
  for (const run::Stack &stack : run.stacks) {
    if ((own && !is_of(stack, finding)) || stack.when > CULPRIT_STACK_AFTER)
      continue;
    std::vector<std::string> frames;
    for (const uint64_t address : stack.addresses) {
      auto known = names.find(address);
      if (known == names.end())
        known = names.emplace(address, symbolize(address)).first;
      frames.insert(frames.end(), known->second.begin(), known->second.end());
    }
    if (!frames.empty())
      ++parts[stack.when][frames];
  }
  return {fold(parts[CULPRIT_STACK_BEFORE]), fold(parts[CULPRIT_STACK_CROSSED]),
          fold(parts[CULPRIT_STACK_AFTER])};
}

void add_stack_suspects(Blame &blame, const FoldedStacks &stacks) {
  struct Weight {
    double weight = 0;
    uint64_t count = 0;
  };
  std::map<std::string, Weight> functions;
  uint64_t all = 0;
  for (const auto *part : {&stacks.before, &stacks.during})
    for (const FoldedStack &stack : *part) {
      all += stack.count;
      std::map<std::string, double> here; // recursion counts once
      for (size_t i = 0; i < stack.frames.size(); ++i)
        here.try_emplace(stack.frames[i], i == 0 ? 1.0 : kInclusive / static_cast<double>(i));
      for (const auto &[function, weight] : here) {
        functions[function].weight += weight * static_cast<double>(stack.count);
        functions[function].count += stack.count;
      }
    }
  std::vector<std::pair<std::string, Weight>> ordered(functions.begin(), functions.end());
  std::ranges::sort(ordered, [](const auto &a, const auto &b) {
    return a.second.weight != b.second.weight ? a.second.weight > b.second.weight
                                              : a.first < b.first;
  });
  size_t added = 0;
  for (const auto &[function, weight] : ordered) {
    const bool known = std::ranges::any_of(
        blame.suspects, [&](const Suspect &suspect) { return suspect.place.function == function; });
    if (known || function == "main" || added == kMaxStackSuspects)
      continue;
    blame.suspects.push_back(
        {{{}, 0, 0, function},
         Role::on_stack,
         weight.count,
         all,
         all == 0 ? 0 : 0.05 * weight.weight / static_cast<double>(all),
         fmt::format("on {} of {} stacks while the metric moved", weight.count, all)});
    ++added;
  }
}

} // namespace culprit::heap
