// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types as an executable's debug information has them: what pass/debug_types.h is to the compiler's
// own.
#pragma once

#include "llvm/DebugInfo/DWARF/DWARFDie.h"

#include <cstdint>
#include <string>

namespace culprit::native {

// The type of a variable or member; behind typedefs, const and the like with without_names.
llvm::DWARFDie type_of(llvm::DWARFDie die);
llvm::DWARFDie without_names(llvm::DWARFDie type);

// "" if it has none. An anonymous struct goes by its typedef's.
std::string name_of(llvm::DWARFDie type);

// A struct, class or union; invalid if it is none.
llvm::DWARFDie as_record(llvm::DWARFDie type);
bool is_union(llvm::DWARFDie record);

// Also a reference.
bool is_pointer(llvm::DWARFDie type);

// The elements' type of an array of any dimension; invalid if it is no array.
llvm::DWARFDie array_element(llvm::DWARFDie type);

// 0: not known.
uint64_t bytes_of(llvm::DWARFDie type);

// An attribute that is a number; `otherwise` if it is none.
uint64_t number_of(llvm::DWARFDie die, llvm::dwarf::Attribute attribute, uint64_t otherwise = 0);

} // namespace culprit::native
