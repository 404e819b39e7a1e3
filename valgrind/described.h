// SPDX-License-Identifier: GPL-2.0-or-later
// What debug information says of the program's files: a table that the engine has written
// (abi/native_names.h). It is read whole at the start, and every number in it is checked then,
// once: whoever looks something up may follow it.
#pragma once

#include "abi/native_names.h"
#include "valgrind/core.h"

namespace culprit::deep {

// Null: it is there. Otherwise what is wrong with it.
const HChar *open_descriptions(const HChar *path);

// Of the file with this path; null: nothing is known of it.
const culprit_names_module *described_module(const HChar *path);
// At an address in the file; null: none.
const culprit_names_variable *described_global(const culprit_names_module &module, Addr address);
const culprit_names_code *described_code(const culprit_names_module &module, Addr address);
// That returns there; null: nothing is known of what it hands out.
const culprit_names_call *described_call(const culprit_names_module &module, Addr address);

const culprit_names_function &described_function(const culprit_names_code &code);
const culprit_names_variable *described_locals(const culprit_names_function &function);
const HChar *described_text(UInt text);

// Null: one name for all of it.
const culprit_names_layout *described_layout(const culprit_names_variable &variable);
const culprit_names_layout *described_layout(const culprit_names_call &call);
const culprit_names_range *described_ranges(const culprit_names_layout &layout);
const HChar *described_member(const culprit_names_layout &layout, UInt member);

} // namespace culprit::deep
