// SPDX-License-Identifier: GPL-2.0-or-later
// The files that are loaded, which of them are the system's own C and C++ libraries, and the
// variables their symbol tables name.
//
// Rules: a variable is a symbol of an object with a size, in memory the program may write; debug
// information adds how the source calls it, and its members (described.h);
// thread-local ones have a place per thread and are left out, and so are those of the system's
// libraries. The data of a file without such symbols (a stripped one) has no names.
#pragma once

#include "valgrind/core.h"
#include "valgrind/variable.h"

namespace culprit::deep {

struct Module {
  Addr low;
  Addr high; // past the last byte
  Addr base; // address in memory minus address in the file
  HChar *path;
  bool system;    // C library, loader and C++ library: what they write, their caller writes
  bool c_library; // of them, those that keep blocks of their own: buffers of streams
  bool gone;      // unloaded
  const culprit_names_module *described; // null: no debug information
};

// Tells the files that Valgrind has taken notice of since the last call.
void look_at_modules();
// What was unmapped. True: a file that was known was there.
bool forget_modules(Addr start, SizeT length);
const Module *module_at(Addr address); // null: none
bool is_system_code(Addr address);

// The name of the slot of the return address, if a function with a symbol, none of a system
// library, begins here; 0: none does.
UInt return_name(Addr entry);
Variable *return_slot(Addr entry); // the same with all that is known; null: none

// Of the last byte of the variable that ends where this one starts, padding left out; 0: none.
UInt name_before(const Variable &variable);

} // namespace culprit::deep
