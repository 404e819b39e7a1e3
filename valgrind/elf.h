// SPDX-License-Identifier: GPL-2.0-or-later
// The symbol table of a file, read with the core's own calls: it keeps symbols, but its interface
// does not list them.
#pragma once

#include "valgrind/core.h"

namespace culprit::deep {

struct Symbol {
  Addr address; // in the file
  SizeT size;
  const HChar *name;
  bool internal;
  bool is_function;
};

struct ElfFacts {
  Addr low; // of what is loaded, addresses in the file
  Addr high;
};

// Functions, and variables in parts of the file that are loaded for writing. False: no ELF file, or
// one cut short.
bool read_elf_file(const HChar *path, ElfFacts &facts, void (*each)(const Symbol &, void *),
                   void *with);

} // namespace culprit::deep
