// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/explain.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>

namespace culprit::monitor {

namespace {

// Each point of the run that is asked about costs one execution: most findings of a run share
// theirs, and what follows the first few is seldom a second bug.
constexpr size_t kExecutions = 3;

// What calls main in every program says nothing about this one.
bool is_start_code(std::string_view function) {
  return function == "_start" || function.starts_with("__libc_start_");
}

// Headers of the system: code that nobody mends, however much it wrote.
bool is_library(const heap::Place &place) {
  const std::string file = std::filesystem::path(place.file).lexically_normal().string();
  return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/");
}

// The program's own code first, each part in the order it had.
std::vector<heap::Suspect> own_code_first(const std::vector<heap::Suspect> &suspects) {
  std::vector<heap::Suspect> ordered;
  for (const bool library : {false, true})
    for (const heap::Suspect &suspect : suspects)
      if (is_library(suspect.place) == library)
        ordered.push_back(suspect);
  return ordered;
}

class Executions {
public:
  Executions(const heap::HeapRun &run, const Again &again, std::vector<std::string> &remarks)
      : run_(run), again_(again), remarks_(remarks) {}

  // Null: not executed, or not worth looking at.
  const heap::HeapRun *at(uint32_t point) {
    if (!again_ || gave_up_)
      return nullptr;
    if (const auto found = known_.find(point); found != known_.end())
      return &found->second;
    if (known_.size() >= kExecutions)
      return nullptr;
    auto run = again_(point);
    if (!run) {
      give_up(fmt::format("who wrote the objects is not known: {}", run.error().what));
      return nullptr;
    }
    if (const std::string difference = first_difference(run_, *run, point); !difference.empty()) {
      give_up(fmt::format("the run does not repeat ({}); who wrote the objects is not known",
                          difference));
      return nullptr;
    }
    return &known_.emplace(point, std::move(*run)).first->second;
  }

private:
  void give_up(std::string why) {
    gave_up_ = true;
    remarks_.push_back(std::move(why));
  }

  const heap::HeapRun &run_;
  const Again &again_;
  std::vector<std::string> &remarks_;
  std::map<uint32_t, heap::HeapRun> known_;
  bool gave_up_ = false;
};

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
      if (is_start_code(place.function))
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
    explained.blame = heap::blame(finding, run, model, executions.at(finding.worst_index));
    heap::add_stack_suspects(explained.blame, explained.stacks);
    // A function known from stacks alone has no place yet.
    for (heap::Suspect &suspect : explained.blame.suspects)
      if (const auto known = explanation.places.find(suspect.place.function);
          suspect.place.file.empty() && known != explanation.places.end())
        suspect.place = known->second;
    explained.blame.suspects = own_code_first(explained.blame.suspects);
    explanation.findings.push_back(std::move(explained));
  }
  return explanation;
}

} // namespace culprit::monitor
