// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a flavour that are not instrumented: what they write in the program's objects is not
// seen, and a report that stays silent says so. The C and C++ libraries are none of them: what they
// write on a program's behalf is known by the call.
#pragma once

#include "engine/build/carried.h"
#include "engine/launch/launch.h"

#include <string>
#include <string_view>
#include <vector>

namespace culprit::monitor {

bool is_system_library(std::string_view file_name);

// Files' names, in the order they are linked or needed, each once.
std::vector<std::string> unseen_parts(const launch::Program &program,
                                      const build::Carried &carried);

// "what libscale.so and sum.o write is not seen: …"; empty: there are none.
std::string unseen_text(const std::vector<std::string> &parts);

} // namespace culprit::monitor
