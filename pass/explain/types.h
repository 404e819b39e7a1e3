// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of variables as the debug information has them, numbered for the tables of the explain
// flavour (abi/sites.h): what they are made of, so that the engine can name a place in memory
// ("p->next->val"). They name things; what is compared does not depend on them.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <functional>
#include <utility>
#include <vector>

namespace llvm {
class DICompositeType;
class DIDerivedType;
class DIType;
} // namespace llvm

namespace culprit {

class ExplainTypes {
public:
  // `string_number`: of a text among the tables' strings.
  using StringNumber = std::function<unsigned(llvm::StringRef)>;
  explicit ExplainTypes(StringNumber string_number) : string_number_(std::move(string_number)) {}

  // From 1; 0: unknown, or void.
  unsigned of(const llvm::DIType *type);
  // The rows, with those of all types that they lead to. Nothing can be added from here on.
  llvm::json::Array take();

private:
  // A type, and of an array of several dimensions the one it begins with: it is an array of arrays.
  using Key = std::pair<const llvm::DIType *, unsigned>;
  unsigned number(const Key &key);
  llvm::json::Array row_of(const Key &key);
  llvm::json::Array members_of(const llvm::DICompositeType &record);

  StringNumber string_number_;
  llvm::DenseMap<Key, unsigned> numbers_;
  std::vector<Key> keys_; // by number - 1
};

} // namespace culprit
