// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See naming.h.
#include "engine/locate/naming.h"

#include "engine/heap/own_code.h"
#include "engine/locate/arrangement.h"

#include <algorithm>
#include <filesystem>

namespace culprit::locate {
namespace {

namespace fs = std::filesystem;

bool is_of_the_runtime(const symbolize::Place &place) {
  return place.function.starts_with("culprit::") || place.function.starts_with("__culprit_") ||
         place.function.starts_with("(anonymous namespace)::__culprit");
}

bool is_inside_a_library(const Suspect &suspect) {
  return suspect.definition && !suspect.stack.empty() &&
         heap::is_library_file(suspect.definition->at.file);
}

// `delete p` of what has a virtual destructor frees in code that the compiler has made, at the line
// of the class.
bool is_in_deleting_destructor(const Suspect &suspect) {
  return suspect.definition && !suspect.stack.empty() &&
         suspect.definition->kind == DefinitionKind::free &&
         suspect.definition->at.function.ends_with("D0Ev");
}

bool is_asked_for(const Suspect &suspect) {
  return is_inside_a_library(suspect) || is_in_deleting_destructor(suspect);
}

// What a step was executed in; in the program's own order, `otherwise`.
Target::Which flavour_of(const Step &step, Target::Which otherwise) {
  if (step.origins || needs_origins(step.layout))
    return Target::Which::origins;
  return step.layout.empty() || has_other_contents(step.layout) ? otherwise
                                                                : Target::Which::reorder;
}

bool is_copied(const Suspect &suspect) { return suspect.definition && !suspect.copied.empty(); }

} // namespace

Naming::Naming(const Target &target) : target_(target) {
  uint32_t last = 0;
  const Tables &tables = target.tables();
  for (const Tables::PlaceRow &place : tables.places)
    if (place.file != last) {
      last = place.file;
      files_.insert(fs::path(tables.strings[last]).lexically_normal().string());
    }
}

bool Naming::is_source(const std::string &file) const {
  return files_.contains(fs::path(file).lexically_normal().string());
}

bool Naming::is_own(const symbolize::Place &place) const {
  return !is_of_the_runtime(place) && !heap::is_library_file(place.file) && is_source(place.file);
}

std::optional<Location> Naming::own_place(symbolize::Symbolizer &symbolizer,
                                          const std::vector<uint64_t> &stack,
                                          const Location &not_here) const {
  std::optional<Location> implicit;
  for (const uint64_t address : stack) {
    const std::vector<symbolize::Place> &places = symbolizer.return_address(address);
    for (size_t i = 0; i < places.size(); ++i) {
      const symbolize::Place &place = places[i];
      if (!is_own(place) || (place.line == not_here.line && place.file == not_here.file))
        continue;
      Location own{place.file, place.line, place.column, place.function};
      if (!symbolizer.is_implicit(address, i))
        return own;
      if (!implicit)
        implicit = std::move(own);
    }
  }
  return implicit;
}

// What a container does is done for the line of the program that asked for it: that is where to
// look.
void Naming::name_callers(Step &step, symbolize::Symbolizer &symbolizer) const {
  for (Suspect &suspect : step.suspects) {
    if (!is_asked_for(suspect))
      continue;
    if (auto caller = own_place(symbolizer, suspect.stack, suspect.definition->at)) {
      suspect.inside = suspect.definition->at;
      suspect.definition->at = std::move(*caller);
    }
  }
}

// A copy has no definition of its own: where it overran a block is told by the execution in which
// it was left out.
void Naming::name_copy(Step &step, symbolize::Symbolizer &symbolizer) const {
  const auto found = std::ranges::find_if(step.suspects, is_copied);
  if (found == step.suspects.end())
    return;
  auto place = own_place(symbolizer, found->copied);
  const Location &defined = found->definition->at;
  if (!place || (place->line == defined.line && place->file == defined.file))
    return;
  Suspect copy{.candidate = found->candidate, .definition = Definition{}, .count = {}};
  copy.candidate.suppress = false;
  copy.definition->at = std::move(*place);
  found->candidate.part = Part::source;
  step.suspects.insert(step.suspects.begin(), std::move(copy));
}

void Naming::name(Step &step) const {
  if (std::ranges::none_of(step.suspects, [](const Suspect &suspect) {
        return is_asked_for(suspect) || is_copied(suspect);
      }))
    return;
  symbolize::Symbolizer symbolizer =
      target_.symbolizer(step.suspect_modules, flavour_of(step, Target::Which::suppress));
  name_callers(step, symbolizer);
  name_copy(step, symbolizer);
}

std::vector<symbolize::Place> Naming::stack_of(const Step &step) const {
  symbolize::Symbolizer symbolizer =
      target_.symbolizer(step.modules, flavour_of(step, step.execution > 1 ? Target::Which::suppress
                                                                           : Target::Which::trace));
  std::vector<uint64_t> addresses = step.crash.addresses;
  // Of a fault the instruction itself; what is looked up is the one before a return address.
  if (const uint64_t pc = step.crash.numbers.pc; pc != 0 && pc != UINT64_MAX)
    if (addresses.empty() || (addresses.front() != pc && addresses.front() != pc + 1))
      addresses.insert(addresses.begin(), pc + 1);
  std::vector<symbolize::Place> stack;
  for (const uint64_t address : addresses)
    for (const symbolize::Place &place : symbolizer.return_address(address))
      if (!is_of_the_runtime(place))
        stack.push_back(is_source(place.file) ? place
                                              : symbolize::Place{.function = place.function});
  return stack;
}

} // namespace culprit::locate
