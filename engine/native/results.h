// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What type a block is of that a call hands out: debug information does not say so, but it says
// where variables live, and the code behind the call shows where the result goes. The walk begins
// where the call returns, with the result in rax, and goes on until somebody speaks:
//   - a variable or parameter, also of an inlined function, that lives where the result is by then;
//   - a global, a variable in the frame, or a member of what a pointer points to, that it is stored
//     to;
//   - the first parameter of a function it is given to, such as a constructor's `this`;
//   - the function itself, if it returns the result. If that is a void pointer, the function merely
//     hands out memory, and whoever called it is to be asked (handed_out).
// What a pointer to void or to an incomplete type says is nothing; one to anything but a struct
// says that there are no members.
//
// A type is believed only if its size goes with the numbers that the call was given (quantities.h),
// or if it ends with a flexible array. A struct of exactly that size is believed before others: a
// base class may be smaller than what is allocated. Those who contradict one another are not
// believed.
//
// Rules: a null result is not followed; behind other branches both ways are. What calls are made
// for is not known here: the Valgrind tool asks for those that led to an allocation.
#pragma once

#include "engine/native/layouts.h"
#include "engine/native/movement.h"

#include "llvm/Object/ObjectFile.h"

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace culprit::native {

struct CallResult {
  uint64_t address = 0; // that the call returns to, in the file
  std::string type;
  uint32_t layout = 0;     // position + 1; 0: not known
  bool handed_out = false; // by the function that calls: its caller knows
  auto operator<=>(const CallResult &) const = default;
};

// By address. Calls of which nothing is known are left out.
std::vector<CallResult> call_results(const llvm::object::ObjectFile &file,
                                     const std::vector<FunctionCode> &functions,
                                     const Globals &globals, Layouts &layouts);

} // namespace culprit::native
