// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/live_run.h"

#include "engine/heap/own_code.h"
#include "engine/heap/point_record.h"
#include "engine/monitor/start_code.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace culprit::monitor {

namespace {

constexpr size_t kStacks = 512; // that differ; the runtime writes some thousands at most

using Frames = std::vector<std::tuple<std::string, unsigned, std::string>>;

Frames key_of(const std::vector<heap::Place> &frames) {
  Frames key;
  for (const heap::Place &place : frames)
    key.emplace_back(place.file, place.line, place.function);
  return key;
}

} // namespace

LiveRun::LiveRun(const Target &target, std::filesystem::path run_file)
    : target_(target), follower_(std::move(run_file)) {}

void LiveRun::add(run::Stack stack) {
  target_.drop_own_frames(stack, modules_);
  std::vector<uint64_t> key = {stack.metric, stack.high ? 1U : 0U, stack.when};
  key.insert(key.end(), stack.addresses.begin(), stack.addresses.end());
  auto known = stacks_.find(key);
  if (known == stacks_.end()) {
    if (stacks_.size() >= kStacks)
      return;
    if (!symbolizer_)
      symbolizer_.emplace(target_.symbolizer(modules_));
    LiveStack made{.metric = stack.metric, .high = stack.high, .when = stack.when, .frames = {}};
    for (const uint64_t address : stack.addresses)
      for (const symbolize::Place &place : symbolizer_->return_address(address))
        if (!is_start_code(place.function) && !heap::is_library(place.function, place.file))
          made.frames.push_back({place.file, place.line, place.column, place.function});
    known = stacks_.emplace(std::move(key), std::move(made)).first;
  }
  ++known->second.count;
  known->second.index = std::max(known->second.index, stack.index);
}

LiveRun::News LiveRun::look() {
  News news;
  do {
    auto records = follower_.look();
    if (!records)
      break;
    for (run::Record &record : *records) {
      if (const auto *point = std::get_if<run::MetricPoint>(&record.what)) {
        heap::Point made = heap::point_of(point->numbers);
        if (made.index <= last_index_)
          continue;
        made.work = std::max(made.work, last_work_);
        last_index_ = made.index;
        last_work_ = made.work;
        news.points.push_back(made);
      } else if (auto *module = std::get_if<run::Module>(&record.what)) {
        modules_.push_back(std::move(*module));
        symbolizer_.reset();
      } else if (auto *stack = std::get_if<run::Stack>(&record.what)) {
        add(std::move(*stack));
        news.stacks = true;
      }
    }
  } while (follower_.behind());
  return news;
}

std::vector<LiveStack> LiveRun::stacks() const {
  // Addresses that differ may be the same place.
  std::map<std::tuple<unsigned, bool, unsigned, Frames>, LiveStack> folded;
  std::map<unsigned, uint32_t> latest; // by metric
  for (const auto &[key, stack] : stacks_) {
    if (stack.frames.empty())
      continue;
    auto &same = folded
                     .try_emplace({stack.metric, stack.high, stack.when, key_of(stack.frames)},
                                  LiveStack{stack.metric, stack.high, stack.when, stack.frames})
                     .first->second;
    same.count += stack.count;
    same.index = std::max(same.index, stack.index);
    uint32_t &last = latest[stack.metric];
    last = std::max(last, stack.index);
  }
  std::vector<LiveStack> all;
  all.reserve(folded.size());
  for (auto &[key, stack] : folded)
    all.push_back(std::move(stack));
  std::ranges::sort(all, [&](const LiveStack &a, const LiveStack &b) {
    if (a.metric != b.metric)
      return latest[a.metric] != latest[b.metric] ? latest[a.metric] > latest[b.metric]
                                                  : a.metric < b.metric;
    if (std::tie(a.when, a.high) != std::tie(b.when, b.high))
      return std::tie(a.when, a.high) < std::tie(b.when, b.high);
    return a.count != b.count ? a.count > b.count : key_of(a.frames) < key_of(b.frames);
  });
  return all;
}

} // namespace culprit::monitor
