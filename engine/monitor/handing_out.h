// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrappers around malloc in code without bitcode (xmalloc): does the code behind a call merely hand
// on what the call returned? Then the interesting site of a block is the wrapper's caller, as in
// flavours (pass/wrappers.h).
//
// Machine code is followed from the return address on, over both ways of every branch: registers
// and slots of the frame that hold the result are kept track of. It is handed on if some way
// returns it and none stores through it, keeps it elsewhere or gives it to another function. Rules:
// what is not understood is no wrapper; the walk is bounded; bytes may be anything.
#pragma once

#include <cstdint>
#include <string_view>

namespace culprit::monitor {

// `code` begins at the return address and may reach far beyond the function; `before`, what lies in
// front of it, up to the return address: branches lead there, too.
bool hands_out(std::string_view before, std::string_view code);

} // namespace culprit::monitor
