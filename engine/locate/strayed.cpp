// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See strayed.h.
#include "engine/locate/strayed.h"

#include <algorithm>

namespace culprit::locate {

std::vector<uint64_t> copy_of(const Suspect &suspect, const Execution &execution) {
  // What the library writes it writes itself.
  if (suspect.candidate.part != Part::writer || !suspect.definition ||
      suspect.definition->kind == DefinitionKind::library)
    return {};
  const auto with = [&](uint64_t id) {
    return std::ranges::find(execution.astray, id,
                             [](const run::Astray &one) { return one.numbers.id; });
  };
  auto found = with(suspect.candidate.id);
  // What comes of a call that is left out has no id but that it is corrupt.
  if (found == execution.astray.end() && suspect.definition->kind != DefinitionKind::store)
    found = with(0);
  return found != execution.astray.end() ? found->addresses : std::vector<uint64_t>();
}

bool watches_damage(const Step &step) {
  const uint32_t kind = step.crash.numbers.kind;
  if ((kind != CULPRIT_CRASH_GUARD && kind != CULPRIT_CRASH_SMASHED) || step.suspects.empty())
    return false;
  const auto &definition = step.suspects.front().definition;
  return definition && definition->kind != DefinitionKind::store &&
         definition->kind != DefinitionKind::library;
}

std::vector<uint64_t> brought_by(const Suspect &suspect, const Step &step,
                                 const Execution &execution) {
  const Candidate &candidate = suspect.candidate;
  const bool is_pointer = candidate.role == Role::base || candidate.role == Role::pointer;
  const bool is_piece = step.assembled && step.assembled->id == candidate.id &&
                        candidate.part == Part::source && !candidate.origin && is_pointer;
  const bool is_copied = watches_damage(step) && candidate.part == Part::writer;
  if (!is_piece && !is_copied)
    return {};
  // What comes later than the crash did is of no interest.
  std::vector<uint64_t> last;
  for (const run::Brought &each : execution.brought)
    if (each.numbers.clock <= step.crash.numbers.clock)
      last = each.addresses;
  return last;
}

bool overran_variable(const Suspect &suspect, const Step &step, const Execution &execution) {
  if (suspect.candidate.part != Part::source || !suspect.definition ||
      step.crash.numbers.kind == CULPRIT_CRASH_GUARD)
    return false;
  const Definition &definition = *suspect.definition;
  const bool is_store =
      definition.kind == DefinitionKind::store && (definition.member || !definition.object.empty());
  return (is_store || definition.kind == DefinitionKind::library) &&
         std::ranges::any_of(execution.astray, [&](const run::Astray &one) {
           return one.numbers.id == suspect.candidate.id &&
                  (!is_store || suspect.address == 0 || one.numbers.address == suspect.address);
         });
}

ErrorKind overflow_by(const Definition &writer) {
  const bool is_member = writer.kind == DefinitionKind::library ? writer.size != 0 : writer.member;
  if (is_member)
    return ErrorKind::intra_object_overflow;
  return writer.local ? ErrorKind::stack_overflow : ErrorKind::global_overflow;
}

bool ran_over_array(const Candidate &earlier, const Suspect &suspect, const Step &step,
                    const Tables &tables) {
  const auto writer = tables.definition(definition_of(earlier.id));
  return earlier.part == Part::source && writer && suspect.definition &&
         writer->kind == DefinitionKind::library && !writer->object.empty() &&
         writer->object != suspect.definition->object &&
         step.crash.numbers.kind != CULPRIT_CRASH_GUARD;
}

} // namespace culprit::locate
