// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small records that are passed, returned and copied as a whole stay out of memory. C hands a
// struct on by the address of a copy, which makes the variable it lies in one whose address
// escapes: it would live on the data stack, with its ids in the shadow, and so would every copy.
// Here, before anything is planned, such a record becomes its members:
//   - a copy or fill between such variables, or between one and memory, is made member by member;
//   - an argument passed by value is one argument for each member;
//   - a result that the caller made room for is returned, a struct of the members (kRecordResult).
// What is left are loads and stores at constant places, which become registers.
//
// Rules: only records without padding, of a few members that fill cells of their own, so that
// nothing is lost by copying members. Only variables that nothing else is done with: whatever an
// overflow can start from keeps its place. Only functions that pass their ids in registers, too
// (id_parameters.h). The same in all flavours, since it decides what is numbered.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

namespace culprit {

// Attribute of functions whose result is several values, each with an id of its own.
inline constexpr llvm::StringLiteral kRecordResult = "culprit-record-result";
// Metadata of the variable that such a result is put together in; no source names it.
inline constexpr llvm::StringLiteral kRecordRoom = "culprit.record";

// Of a function that has a result.
inline unsigned count_ids_of_result(const llvm::Function &function) {
  return function.hasFnAttribute(kRecordResult) ? function.getReturnType()->getNumContainedTypes()
                                                : 1;
}

void take_records_apart(llvm::Module &module);

} // namespace culprit
