// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which input a run had: a digest of its standard input and of every file its arguments name. Two
// runs with the same arguments but another content are two runs to a model.
#pragma once

#include "engine/launch/cases.h"

#include <string>

namespace culprit::monitor {

// 16 hexadecimal digits. A file that cannot be read counts as if it were not there.
std::string input_digest(const launch::Case &input);

} // namespace culprit::monitor
