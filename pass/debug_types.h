// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types and scopes as the debug information has them.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class DICompositeType;
class DIScope;
class DIType;
} // namespace llvm

namespace culprit {

// The type behind typedefs, const and the like; null: void.
const llvm::DIType *without_names(const llvm::DIType *type);

// "" if it has none. An anonymous struct goes by its typedef's.
std::string name_of(const llvm::DIType *type);

// What a pointer type points to; null if it is no pointer, or one to void.
const llvm::DIType *pointee(const llvm::DIType *type);

// A struct, class or union.
const llvm::DICompositeType *as_record(const llvm::DIType *type);

// The elements' type of an array of any dimension; null if it is no array.
const llvm::DIType *array_element(const llvm::DIType *type);

uint64_t bytes_of(const llvm::DIType *type);

// The linkage name of the function around a scope; "" if there is none.
llvm::StringRef function_around(const llvm::DIScope *scope);

// With its directory if relative.
std::string path_of(llvm::StringRef directory, llvm::StringRef file);

} // namespace culprit
