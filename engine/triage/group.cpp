// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/triage/group.h"

#include "engine/triage/inputs.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace culprit::triage {

namespace {

constexpr size_t kIdDigits = 8;

bool blamed_on_the_same(const Link &a, const Link &b) {
  if (a.causes.empty() || b.causes.empty())
    return a.causes.empty() && b.causes.empty();
  return a.causes.front() == b.causes.front();
}

bool same(const Link &a, const Link &b) { return a.crash == b.crash && blamed_on_the_same(a, b); }

// Counted from the end of the chain.
const Link *from_end(const Record &record, size_t position) {
  return position < record.chain.size() ? &record.chain[record.chain.size() - 1 - position]
                                        : nullptr;
}

void compare_chains(Group &group, std::span<const Record> records) {
  auto all = [&](size_t position, bool (*alike)(const Link &, const Link &)) {
    const Link *first = from_end(records[group.members.front()], position);
    return first != nullptr && std::ranges::all_of(group.members, [&](size_t member) {
             const Link *link = from_end(records[member], position);
             return link != nullptr && alike(*first, *link);
           });
  };
  while (all(group.common, same))
    ++group.common;
  group.same_causes_before = all(group.common, blamed_on_the_same);
}

} // namespace

std::string_view class_of(std::string_view error) {
  if (error == "use-after-free" || error == "double-free")
    return "freed";
  return error == "uninitialised-read" ? "unwritten" : "written";
}

std::string group_id(std::string_view identity, std::string_view error) {
  return digest_text(fmt::format("group\n{}\n{}", identity, class_of(error))).substr(0, kIdDigits);
}

std::string group_id(const Record &record) {
  return group_id(record.chain.back().causes.front(), record.error);
}

std::vector<Group> group(std::span<const Record> records) {
  std::map<std::string, Group> by_id;
  for (size_t i = 0; i < records.size(); ++i)
    if (records[i].located())
      by_id[group_id(records[i])].members.push_back(i);
  std::vector<Group> groups;
  for (auto &[id, group] : by_id) {
    group.id = id;
    compare_chains(group, records);
    std::set<std::vector<std::string>> stacks;
    for (const size_t member : group.members)
      stacks.insert(records[member].frames);
    group.frame_groups = stacks.size();
    groups.push_back(std::move(group));
  }
  std::ranges::sort(groups, [](const Group &a, const Group &b) {
    return a.members.size() != b.members.size() ? a.members.size() > b.members.size() : a.id < b.id;
  });
  return groups;
}

size_t frame_groups(std::span<const Record> records) {
  std::set<std::vector<std::string>> stacks;
  for (const Record &record : records)
    if (record.located())
      stacks.insert(record.frames);
  return stacks.size();
}

} // namespace culprit::triage
