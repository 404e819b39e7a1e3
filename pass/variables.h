// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of a variable (culprit_variable in abi/access.h, "variables" in abi/sites.h).
#pragma once

#include <cstdint>
#include <string>

namespace llvm {
class Constant;
} // namespace llvm

namespace culprit {

enum class VariableKind : uint8_t {
  global,
  local,
  return_slot,
  outside, // memory of no object behind a variable
};

struct Variable {
  VariableKind kind;
  std::string name;
  std::string function;
  std::string file;
  unsigned line;
  uint64_t size;
  std::string type;
  uint32_t layout; // as in Layouts
  bool is_internal;
  llvm::Constant *address; // of globals, and of what lies behind them
};

} // namespace culprit
