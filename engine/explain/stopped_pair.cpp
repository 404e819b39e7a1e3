// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See stopped_pair.h.
#include "engine/explain/stopped_pair.h"

#include "engine/explain/replacement.h"

#include <algorithm>

namespace culprit::explain {
namespace {

// What was written before the run was stopped: all but what it writes from there on.
std::string before(const std::string &whole, const std::string &rest) {
  return whole.ends_with(rest) ? whole.substr(0, whole.size() - rest.size()) : std::string();
}

Result<End> undisturbed(Stopped &run) {
  auto ends = run.test({std::string()});
  if (!ends)
    return std::unexpected(ends.error());
  return std::move(ends->front());
}

} // namespace

Result<std::unique_ptr<StoppedPair>> StoppedPair::open(const Run &passing, const Run &failing,
                                                       uint64_t index,
                                                       const PairSettings &settings) {
  Target::StopOptions options{settings.scratch, settings.patience, settings.changes_files};
  auto right = failing.target.stop(failing.request, index, options);
  if (!right)
    return std::unexpected(right.error());
  options.roomy_for = &(*right)->snapshot();
  auto left = passing.target.stop(passing.request, index, options);
  if (!left)
    return std::unexpected(left.error());
  std::unique_ptr<StoppedPair> pair(new StoppedPair(passing, failing, settings));
  pair->passing_ = std::move(*left);
  pair->failing_ = std::move(*right);
  if (auto compared = pair->compare_ends(); !compared)
    return std::unexpected(compared.error());
  pair->find_differences();
  return pair;
}

Result<void> StoppedPair::compare_ends() {
  auto passed = undisturbed(*passing_);
  if (!passed)
    return std::unexpected(passed.error());
  passed_ = std::move(*passed);
  if (!settings_.endless.empty()) { // nothing new is seen by waiting once more
    ends_differ_ = passed_.how == End::How::ended;
    return {};
  }
  auto failed = undisturbed(*failing_);
  if (!failed)
    return std::unexpected(failed.error());
  failed_ = std::move(*failed);
  if (settings_.oracle.empty()) {
    ends_differ_ = !is_same_end(passed_, target().tables, failed_, source().tables);
    return {};
  }
  auto verdict = ask(failed_);
  if (!verdict)
    return std::unexpected(verdict.error());
  ends_differ_ = *verdict == Verdict::fails;
  return {};
}

void StoppedPair::find_differences() {
  if (settings_.alike == Alike::path) {
    by_path_ = compare_by_path(target(), source());
    differences_.reserve(by_path_.size());
    for (const PathDifference &each : by_path_)
      differences_.push_back(each.at);
    return;
  }
  std::optional<Naming> naming; // looks at all memory: only if it is needed
  const auto is_number = [&](const Place &place) {
    if (!naming)
      naming.emplace(target(), source());
    return naming->is_number(place);
  };
  for (const Difference &each :
       join_halves(compare(target().snapshot, source().snapshot), is_number))
    if (is_replaceable(each, target().snapshot, source().snapshot))
      differences_.push_back(each);
}

std::string StoppedPair::patch_of(const Subset &subset) const {
  if (settings_.alike == Alike::path) {
    std::vector<PathDifference> chosen;
    chosen.reserve(subset.size());
    for (const size_t each : subset)
      chosen.push_back(by_path_[each]);
    return make_patch(chosen, target().snapshot, source().snapshot);
  }
  std::vector<Difference> chosen;
  chosen.reserve(subset.size());
  for (const size_t each : subset)
    chosen.push_back(differences_[each]);
  return make_patch(chosen, target().snapshot, source().snapshot);
}

// The whole run: what it wrote before it was stopped, and what it writes from there on.
Result<Verdict> StoppedPair::ask(const End &end) const {
  if (end.how != End::How::ended && !goes_round(end))
    return Verdict::unresolved;
  return ask_oracle(settings_.oracle,
                    {end.how == End::How::ended ? launch::status_of_wait(end.status)
                                                : launch::Status{launch::Ending::timed_out, 0},
                     before(settings_.passing_out, passed_.out) + end.out,
                     before(settings_.passing_err, passed_.err) + end.err},
                    settings_.scratch);
}

// As the failing run does, which never ends.
bool StoppedPair::goes_round(const End &end) const {
  const Site *site = end.how == End::How::endless ? target().tables.site(end.site) : nullptr;
  return site != nullptr && std::ranges::binary_search(settings_.endless, site->id);
}

Result<Verdict> StoppedPair::judge(const End &end) const {
  if (!settings_.oracle.empty())
    return ask(end);
  if (goes_round(end) || is_same_end(end, target().tables, failed_, source().tables))
    return Verdict::fails;
  return is_same_end(end, target().tables, passed_, target().tables) ? Verdict::passes
                                                                     : Verdict::unresolved;
}

Result<std::vector<Verdict>> StoppedPair::test(const std::vector<Subset> &subsets) {
  std::vector<Verdict> verdicts;
  for (size_t from = 0; from < subsets.size(); from += Stopped::kMostAtOnce) {
    std::vector<std::string> patches;
    for (size_t i = from; i < std::min(from + Stopped::kMostAtOnce, subsets.size()); ++i)
      patches.push_back(patch_of(subsets[i]));
    auto ends = passing_->test(patches);
    if (!ends)
      return std::unexpected(ends.error());
    for (const End &end : *ends) {
      auto verdict = judge(end);
      if (!verdict)
        return std::unexpected(verdict.error());
      verdicts.push_back(*verdict);
    }
  }
  return verdicts;
}

std::vector<NamedValue> StoppedPair::describe(const std::vector<Difference> &chosen) const {
  if (settings_.alike == Alike::index)
    return Naming(target(), source()).describe(chosen);
  std::vector<NamedValue> all;
  for (const Difference &each : chosen)
    if (const auto found = std::ranges::find(by_path_, each, &PathDifference::at);
        found != by_path_.end())
      all.push_back(found->describe(target().snapshot, source().snapshot));
  return all;
}

PathCounts StoppedPair::count_by_path() const {
  return count(settings_.alike == Alike::path ? by_path_ : compare_by_path(target(), source()));
}

} // namespace culprit::explain
