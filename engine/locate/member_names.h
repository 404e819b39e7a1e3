// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small members of a struct share a cell, which has one id. Whether a store wrote the member that
// was used or its neighbour is told by their names.
#pragma once

#include "engine/locate/tables.h"

#include <string_view>

namespace culprit::locate {

// The last member of "list->at.x"; empty: it names none.
std::string_view member_of(std::string_view name);

// A store of less than a cell; a bit-field is written with what was in its word before.
bool wrote_part_of_cell(const Definition &definition);

// Such a store, to another member than this names.
bool wrote_a_neighbour(const Definition &definition, std::string_view name);

} // namespace culprit::locate
