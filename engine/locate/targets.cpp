// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See targets.h.
#include "engine/locate/targets.h"

#include "engine/locate/tables.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit::locate {

namespace {
constexpr unsigned kMisses = 2; // then the whole definition
} // namespace

bool Targets::add(uint64_t id, bool onward) {
  Target &target = targets_[definition_of(id)];
  if (target.how == How::all)
    return false;
  const uint64_t time = time_of(id);
  const auto misses = missed_.find(definition_of(id));
  if (time == 0 || (misses != missed_.end() && misses->second >= kMisses)) {
    target = {.how = How::all}; // a declaration, an initial value: it has no executions to count
    return true;
  }
  if (std::ranges::find(target.times, time) != target.times.end())
    return false;
  if (target.how && time == target.fired)
    return false;
  if (target.how && time > target.fired) {
    // From its own execution on; and if that was not enough, altogether.
    if (target.how == How::from)
      target = {.how = How::all};
    else
      target.how = How::from;
    return true;
  }
  target.times.push_back(time);
  target.onward |= onward;
  return true;
}

Targets Targets::nth(uint32_t definition, uint64_t number) {
  Targets targets;
  targets.targets_[definition] = {.how = How::nth, .number = number};
  return targets;
}

Targets Targets::without(uint64_t id, uint64_t time) const {
  Targets fewer = *this;
  fewer.kept_ += fmt::format("{} k {}\n", definition_of(id), time);
  return fewer;
}

void Targets::watch(uint32_t definition, uint64_t address) {
  watched_ = fmt::format("{} w {}\n", definition, address);
}

std::map<uint64_t, Fired> Targets::executed(std::span<const Fired> fired) {
  std::map<uint64_t, Fired> met;
  watched_.clear();
  for (auto at = targets_.begin(); at != targets_.end();) {
    auto &[definition, target] = *at;
    std::optional<uint64_t> first;
    std::vector<uint64_t> counts;
    for (const Fired &one : fired) {
      if (definition_of(one.id) != definition)
        continue;
      const uint64_t time = time_of(one.id);
      first = std::min(first.value_or(time), time);
      if (std::ranges::find(target.times, time) == target.times.end())
        continue;
      counts.push_back(one.count);
      met.insert_or_assign(time << CULPRIT_ID_TIME_SHIFT | definition, one);
    }
    if (counts.size() < target.times.size())
      ++missed_[definition];
    target.times.clear();
    if (!counts.empty() && target.how != How::all) {
      const uint64_t least = std::ranges::min(counts);
      const bool several = target.onward || target.how.has_value() || counts.size() > 1;
      target.number = target.how ? std::min(target.number, least) : least;
      target.how = several ? How::from : How::nth;
    }
    target.onward = false;
    target.fired = first.value_or(0);
    at = target.how ? std::next(at) : targets_.erase(at);
  }
  return met;
}

std::optional<uint64_t> Targets::first_count(uint32_t definition) const {
  const auto found = targets_.find(definition);
  if (found == targets_.end() || !found->second.how || found->second.how == How::all)
    return std::nullopt;
  return found->second.number;
}

void Targets::merge(const Targets &other) {
  for (const auto &[definition, target] : other.targets_)
    targets_.try_emplace(definition, target);
}

Targets Targets::only(std::span<const uint32_t> definitions) const {
  Targets some;
  for (const uint32_t definition : definitions)
    if (const auto found = targets_.find(definition); found != targets_.end())
      some.targets_.insert(*found);
  return some;
}

std::string Targets::rows() const {
  std::string text;
  for (const auto &[definition, target] : targets_) {
    if (target.how)
      text += fmt::format("{} {} {}\n", definition, static_cast<char>(*target.how),
                          target.how == How::all ? 0 : target.number);
    for (const uint64_t time : target.times)
      text += fmt::format("{} {} {}\n", definition, target.onward ? 's' : 't', time);
  }
  return text + kept_ + watched_;
}

} // namespace culprit::locate
