// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Access sites and variables of a program under the Valgrind tool: the run file has addresses and
// symbols; here they become tables as flavours carry them, so that the same model and reports serve
// both.
//
// Rules: a site's id comes from its file's name and the place in it, as that of an allocation site
// does (native_sites.h). What the symbol table says of a variable that only its file sees is not
// enough to tell it from another: the source file that debug information or the symbol table names
// is part of its name, else the file it is in.
#pragma once

#include "engine/access/tables.h"
#include "engine/run/run_file.h"
#include "engine/symbolize/symbolize.h"

#include <map>
#include <mutex>
#include <string>

namespace culprit::monitor {

class NativeAccesses {
public:
  // The tables of a run, in one unit, which is added to the file's records.
  access::SharedTables of(run::RunFile &file, symbolize::Symbolizer symbolizer);

private:
  std::mutex lock_;                              // runs are read side by side
  std::map<uint64_t, access::AccessSite> sites_; // by id: a program has the same in every run
  std::map<std::string, symbolize::DataPlace> variables_; // by file and place in it
};

// The function of the C library's interface that an implementation's name stands for:
// "__memcpy_avx_unaligned_erms" → "memcpy".
std::string library_function(std::string_view symbol);

} // namespace culprit::monitor
