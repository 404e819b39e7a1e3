// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/explain.h"

#include "engine/heap/own_code.h"
#include "engine/monitor/start_code.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace culprit::monitor {

namespace {

// Each point of the run that is asked about costs one execution: most findings of a run show at the
// point of the first, too, and what follows the first few is seldom a second bug.
constexpr size_t kExecutions = 3;

// The program's own code first, each part in the order it had.
std::vector<heap::Suspect> own_code_first(const std::vector<heap::Suspect> &suspects) {
  std::vector<heap::Suspect> ordered;
  for (const bool library : {false, true})
    for (const heap::Suspect &suspect : suspects)
      if (heap::is_library_file(suspect.place.file) == library)
        ordered.push_back(suspect);
  return ordered;
}

// Another execution of the case; `exact` if it did the same up to the point.
struct Repeated {
  heap::HeapRun run;
  bool exact = true;
};

class Executions {
public:
  Executions(const heap::HeapRun &run, const Again &again, std::vector<std::string> &remarks)
      : run_(run), again_(again), remarks_(remarks) {}

  // Null: not executed.
  const Repeated *at(uint32_t point) {
    if (!again_ || gave_up_)
      return nullptr;
    if (const auto found = known_.find(point); found != known_.end())
      return &found->second;
    if (known_.size() >= kExecutions)
      return nullptr;
    auto run = again_(point);
    if (!run) {
      gave_up_ = true;
      remarks_.push_back(fmt::format("who wrote the objects is not known: {}", run.error().what));
      return nullptr;
    }
    std::string difference = first_difference(run_, *run, point);
    const bool exact = difference.empty();
    if (difference_.empty())
      difference_ = std::move(difference);
    return &known_.emplace(point, Repeated{std::move(*run), exact}).first->second;
  }

  // An execution made for another finding that shows this one too, as it is there.
  std::optional<std::pair<heap::Finding, const Repeated *>>
  that_shows(const heap::Finding &finding) const {
    for (const auto &[point, repeated] : known_) {
      heap::Finding there = finding;
      there.worst_index = point;
      if (const auto shown = shown_again(there, repeated.run))
        return std::pair(*shown, &repeated);
    }
    return std::nullopt;
  }

  // What is known of a finding whose execution did not repeat.
  void was_shown(bool shown) { (shown ? shown_ : lost_) = true; }

  // If the executions differ, says so, and what that means.
  void remark() {
    if (shown_)
      remarks_.push_back(fmt::format("the run does not repeat exactly ({}); who wrote the objects "
                                     "is told by another execution that shows the same",
                                     difference_));
    else if (lost_)
      remarks_.push_back(fmt::format(
          "the run does not repeat ({}); who wrote the objects is not known", difference_));
  }

private:
  const heap::HeapRun &run_;
  const Again &again_;
  std::vector<std::string> &remarks_;
  std::map<uint32_t, Repeated> known_;
  std::string difference_;
  bool gave_up_ = false;
  bool shown_ = false;
  bool lost_ = false;
};

// Where a finding shows: in the run itself, or in another execution.
struct Shown {
  heap::Finding finding;
  const heap::HeapRun *run;
  const heap::HeapRun *again; // null: not executed again, or it does not show there
};

Shown where_shown(const heap::Finding &finding, const heap::HeapRun &run, Executions &executions) {
  if (const auto known = executions.that_shows(finding))
    return {known->first, &known->second->run, &known->second->run};
  const Repeated *again = executions.at(finding.worst_index);
  if (again == nullptr || again->exact)
    return {finding, &run, again == nullptr ? nullptr : &again->run};
  auto shown = shown_again(finding, again->run);
  if (!shown)
    if (const auto point = surest_point(finding, run, again->run)) {
      heap::Finding there = finding;
      there.worst_index = *point;
      if (const Repeated *third = executions.at(*point)) {
        shown = shown_again(there, third->run);
        again = third;
      }
    }
  executions.was_shown(shown.has_value());
  return shown ? Shown{*shown, &again->run, &again->run} : Shown{finding, &run, nullptr};
}

} // namespace

std::string first_difference(const heap::HeapRun &run, const heap::HeapRun &again,
                             uint32_t point_index) {
  const auto was = std::ranges::find(run.points, point_index, &heap::Point::index);
  const auto is = std::ranges::find(again.points, point_index, &heap::Point::index);
  if (was == run.points.end())
    return {};
  if (is == again.points.end())
    return fmt::format("it ended after {} of {} metric points", again.points.size(),
                       run.points.size());
  if (was->live_objects != is->live_objects)
    return fmt::format("metric point {} had {} live objects, then {}", point_index,
                       was->live_objects, is->live_objects);
  if (was->cells != is->cells)
    return fmt::format("the objects of metric point {} are linked in another way", point_index);
  return {};
}

Explanation explain(const heap::Verdict &verdict, const heap::HeapRun &run,
                    const heap::HeapModel &model, symbolize::Symbolizer &symbolizer,
                    const Again &again) {
  Explanation explanation;
  const heap::Symbolizer names = [&](uint64_t address) {
    std::vector<std::string> functions;
    for (const symbolize::Place &place : symbolizer.return_address(address)) {
      // The insides of a library would fill a line each.
      if (is_start_code(place.function) || heap::is_library(place.function, place.file))
        continue;
      functions.push_back(place.function);
      if (!place.file.empty())
        explanation.places.try_emplace(
            place.function, heap::Place{place.file, place.line, place.column, place.function});
    }
    return functions;
  };
  Executions executions(run, again, explanation.remarks);
  for (const heap::Finding &finding : verdict.findings) {
    Explained explained;
    explained.stacks = heap::fold_stacks(run, finding, names);
    const Shown shown = where_shown(finding, run, executions);
    explained.blame = heap::blame(shown.finding, *shown.run, model, shown.again);
    if (shown.again != nullptr)
      explained.around = heap::neighbourhoods(shown.finding, *shown.run, model, *shown.again);
    heap::add_stack_suspects(explained.blame, explained.stacks);
    // A function known from stacks alone has no place yet.
    for (heap::Suspect &suspect : explained.blame.suspects)
      if (const auto known = explanation.places.find(suspect.place.function);
          suspect.place.file.empty() && known != explanation.places.end())
        suspect.place = known->second;
    explained.blame.suspects = own_code_first(explained.blame.suspects);
    explanation.findings.push_back(std::move(explained));
  }
  executions.remark();
  return explanation;
}

} // namespace culprit::monitor
