// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/locate/statement_count.h"

namespace culprit::locate {

Result<void> count_statement(Located &located, const Tables &tables, const Count &count) {
  if (located.findings.empty())
    return {};
  Step &step = located.chain[located.findings.front().step];
  if (step.suspects.empty() || !step.suspects.front().count)
    return {};
  Suspect &store = step.suspects.front();
  const uint32_t definition = definition_of(store.candidate.id);
  const uint32_t place = tables.place_of_store(definition);
  if (place == 0)
    return {};
  auto execution = count(Targets::nth(definition, *store.count), step.layout, place);
  if (!execution)
    return std::unexpected(execution.error());
  for (const Fired &fired : execution->fired)
    if (definition_of(fired.id) == definition) {
      store.count = fired.count;
      store.of_statement = true;
      break;
    }
  return {};
}

} // namespace culprit::locate
