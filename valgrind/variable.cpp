// SPDX-License-Identifier: GPL-2.0-or-later
#include "valgrind/variable.h"

#include "valgrind/described.h"
#include "valgrind/memory.h"
#include "valgrind/names.h"

namespace culprit::deep {
namespace {

UInt number_of(Variable &variable, UInt member) {
  const UInt name = new_name();
  facts_of(name) = {
      .variable = &variable, .member = member, .chain = 0, .system = false, .told = false};
  return name;
}

Stretch member_stretch(const Variable &variable, SizeT offset) {
  const culprit_names_layout &layout = *variable.layout;
  const culprit_names_range *ranges = described_ranges(layout);
  if (layout.rest != 0 && offset >= layout.size) {
    const UInt last = ranges[layout.ranges - 1].member;
    return {variable.members[layout.rest - 1],
            last == layout.rest - 1 ? ranges[layout.ranges - 1].start : layout.size, variable.size};
  }
  const SizeT within = offset % layout.size;
  const SizeT element = offset - within;
  UInt low = 0;
  UInt high = layout.ranges;
  while (low + 1 < high) {
    const UInt middle = (low + high) / 2;
    (ranges[middle].start <= within ? low : high) = middle;
  }
  const UInt member = ranges[low].member;
  SizeT end = element + (low + 1 < layout.ranges ? ranges[low + 1].start : layout.size);
  if (low + 1 == layout.ranges && layout.rest == member + 1)
    end = variable.size;
  return {variable.members[member], element + ranges[low].start,
          end < variable.size ? end : variable.size};
}

} // namespace

SizeT period_of(SizeT size) {
  SizeT period = size;
  while (period % kGranule != 0)
    period *= 2;
  return period;
}

Variable *new_variable(const Variable &facts) {
  auto *made = static_cast<Variable *>(VG_(malloc)("culprit.variable", sizeof(Variable)));
  *made = facts;
  return made;
}

void number_names(Variable &variable) {
  if (variable.layout == nullptr) {
    if (variable.name == 0)
      variable.name = number_of(variable, kNoMember);
    return;
  }
  if (variable.members != nullptr)
    return;
  const UInt count = variable.layout->members;
  variable.members = static_cast<UInt *>(VG_(malloc)("culprit.members", count * sizeof(UInt)));
  for (UInt i = 0; i < count; ++i)
    variable.members[i] = number_of(variable, i);
}

Stretch stretch_of(const Variable &variable, SizeT offset) {
  if (variable.layout == nullptr)
    return {variable.name, 0, variable.size};
  return member_stretch(variable, offset);
}

void put_names(const Variable &variable, UInt *words, Addr start) {
  const auto until = [&](SizeT from, SizeT to) {
    for (SizeT at = from; at < to;) {
      const Stretch stretch = stretch_of(variable, at);
      const SizeT end = stretch.end < to ? stretch.end : to;
      name_bytes(words, start + at, end - at, stretch.name);
      at = end;
    }
  };
  // What is repeated is looked up once: the words come again after so many bytes.
  const SizeT period = variable.layout != nullptr && variable.layout->rest == 0
                           ? period_of(variable.layout->size)
                           : 0;
  if (period == 0 || variable.size < 3 * period)
    return until(0, variable.size);
  const SizeT first = 2 * period;
  const SizeT last = variable.size - (start + variable.size) % kGranule;
  until(0, first);
  const Addr from = (start + first) & ~static_cast<Addr>(kGranule - 1);
  for (Addr at = from; at < start + last; at += kGranule)
    words[at / kGranule] = words[(at - period) / kGranule];
  until(last, variable.size);
}

} // namespace culprit::deep
