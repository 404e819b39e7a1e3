// SPDX-License-Identifier: GPL-2.0-or-later
// Line numbers: the core reads those of every file it loads, and of the C library's separate debug
// file, before anybody asks; that was a third of the time it takes to start. Nobody asks here: the
// tool prints nothing, and what it writes are addresses, which culprit looks up. So the linker puts
// this in the place of the function that reads them (--wrap). Symbols and unwind tables are read by
// others.
#include "valgrind/core.h"

extern "C" {
// The arguments are parts of a file, which are left alone.
void __wrap_vgModuleLocal_read_debuginfo_dwarf3();
void __wrap_vgModuleLocal_read_debuginfo_dwarf3() {}
}
