// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See member_names.h.
#include "engine/locate/member_names.h"

namespace culprit::locate {

std::string_view member_of(std::string_view name) {
  const size_t dot = name.rfind('.');
  const size_t arrow = name.rfind("->");
  if (arrow != std::string_view::npos && (dot == std::string_view::npos || dot < arrow))
    return name.substr(arrow + 2);
  return dot != std::string_view::npos ? name.substr(dot + 1) : std::string_view();
}

bool wrote_part_of_cell(const Definition &definition) {
  return definition.kind == DefinitionKind::store && definition.size != 0 &&
         (definition.size < CULPRIT_CELL_BYTES ||
          (definition.update && definition.size == CULPRIT_CELL_BYTES));
}

bool wrote_a_neighbour(const Definition &definition, std::string_view name) {
  const std::string_view wrote = member_of(definition.variable);
  const std::string_view used = member_of(name);
  return wrote_part_of_cell(definition) && !wrote.empty() && !used.empty() && wrote != used;
}

} // namespace culprit::locate
