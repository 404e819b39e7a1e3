// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a linker's command line (the one clang hands to ld, gold or lld) and says what each
// argument is. Files are looked at, because only their content tells an object from an archive or a
// linker script.
#pragma once

#include "engine/build/link_record.h"

#include <string>
#include <vector>

namespace culprit::build {

struct LinkLine {
  std::vector<LinkItem> items;
  bool relocatable = false;      // -r: an object comes out, not a program
  bool collects_garbage = false; // --gc-sections
  std::string output = "a.out";
};

// `arguments` without argv[0], response files already expanded. Relative paths are resolved in the
// current directory.
LinkLine read_link_line(const std::vector<std::string> &arguments);

// True for files that belong to the system or the compiler (C library, start files): they are not
// carried but taken again from the machine when a flavour is linked.
bool is_system_file(const std::string &path);

} // namespace culprit::build
