// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See shared_cell.h.
#include "engine/locate/shared_cell.h"

#include "engine/locate/member_names.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace culprit::locate {
namespace {

constexpr int kMost = 8; // members of a cell that are gone back by

// Of the values that have this id.
std::set<std::string_view> used_members(const Step &step, uint64_t id) {
  std::set<std::string_view> members;
  const size_t leaves = std::min<size_t>(step.place->leaves.size(), CULPRIT_LEAVES);
  for (size_t i = 0; i < leaves; ++i)
    if (const std::string_view member = member_of(step.place->leaves[i].name);
        step.crash.numbers.leaves[i] == id && !member.empty())
      members.insert(member);
  return members;
}

} // namespace

Result<std::optional<Suspect>> writer_of_member(const Step &step, const Tables &tables,
                                                const LeaveOut &leave_out) {
  if (!step.place || step.suspects.empty())
    return std::nullopt;
  const Suspect &blamed = step.suspects.front();
  if (blamed.candidate.part != Part::source || blamed.candidate.origin || !blamed.definition ||
      !wrote_part_of_cell(*blamed.definition) || member_of(blamed.definition->variable).empty())
    return std::nullopt;
  const std::set<std::string_view> used = used_members(step, blamed.candidate.id);
  if (used.empty() || used.contains(member_of(blamed.definition->variable)))
    return std::nullopt;
  if (auto without = leave_out(blamed.candidate.id); !without)
    return std::unexpected(without.error());
  else if (!without->left || !without->crashes) // it is the reason, whatever it wrote
    return std::nullopt;
  uint64_t id = blamed.before;
  for (int i = 0; i < kMost && id != 0 && !is_corrupt(id) && time_of(id) != 0; ++i) {
    auto definition = tables.definition(definition_of(id));
    if (!definition || !wrote_part_of_cell(*definition))
      return std::nullopt;
    auto without = leave_out(id);
    if (!without)
      return std::unexpected(without.error());
    if (!without->left)
      return std::nullopt;
    if (!without->crashes && used.contains(member_of(definition->variable))) {
      Suspect writer = blamed;
      writer.candidate.id = id;
      writer.candidate.suppress = false;
      writer.definition = std::move(definition);
      writer.count = without->left->count;
      writer.address = without->left->address;
      writer.before = without->left->before;
      writer.stack = without->left->stack;
      return writer;
    }
    id = without->left->before;
  }
  return std::nullopt;
}

} // namespace culprit::locate
