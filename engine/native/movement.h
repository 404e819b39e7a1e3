// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How values move through the registers and the frame of a function: which of them have the result
// of a call, and to what type those point that debug information, or what they were loaded from,
// knows. One instruction after the other is executed on that; which way is taken is the caller's
// (results.h).
//
// Rules: what a variable is said to hold counts where nothing else is known of the register or
// place. Elements of arrays are alike. What an instruction changes in an unknown way is not known
// any more.
#pragma once

#include "engine/native/frames.h"
#include "engine/native/instructions.h"

#include "llvm/DebugInfo/DWARF/DWARFDie.h"

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace culprit::native {

struct Code {
  uint64_t low = 0;
  uint64_t high = 0; // past the last byte
  auto operator<=>(const Code &) const = default;
};

// Where a variable lives while the code runs.
struct Holder {
  Code code;
  bool in_register = false;
  int64_t place = 0; // number of the register, or what is to be added to the CFA
  llvm::DWARFDie type;
};

struct FunctionCode {
  llvm::DWARFDie die;
  std::vector<Code> code;
  Frame frame;
  std::vector<Holder> holders;
};

// Globals by address.
using Globals = std::map<uint64_t, llvm::DWARFDie>;

// What a register or a place in the frame has.
struct Value {
  bool is_result = false;
  llvm::DWARFDie pointee; // invalid: not known
};

struct State {
  std::array<Value, kRegisters> registers;
  std::map<int64_t, Value> frame; // by distance from the CFA
};

class Movement {
public:
  Movement(const Globals &globals, const FunctionCode &function)
      : globals_(globals), function_(function) {}

  // From the CFA; none: it is no place in the frame.
  std::optional<int64_t> frame_place(const Memory &memory) const;

  // The types of the variables that live there; in the frame also of what is inside of them.
  void each_holder(uint64_t address, bool in_register, int64_t place,
                   const std::function<void(llvm::DWARFDie)> &found) const;

  // The type of what is in memory there; invalid: not known.
  llvm::DWARFDie type_at(const State &state, const Instruction &instruction) const;

  void execute(State &state, const Instruction &instruction) const;

private:
  llvm::DWARFDie global_at(uint64_t address) const;
  // The pointer that a register holds, by the walk or by debug information.
  Value value_of(const State &state, Register number, uint64_t address) const;
  // What the base of an access points to; of two registers that are added, one is the index.
  llvm::DWARFDie base_of(const State &state, const Instruction &instruction) const;
  Value load(const State &state, const Instruction &instruction) const;
  Value address_of(const State &state, const Instruction &instruction) const;
  Value value_after(const State &state, const Instruction &instruction) const;

  const Globals &globals_;
  const FunctionCode &function_;
};

} // namespace culprit::native
