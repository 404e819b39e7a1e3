// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that run with rights their caller has not: set-user-ID, set-group-ID, file capabilities.
// The system loads nothing of ours into them, and Valgrind does not run them.
#pragma once

#include <filesystem>

namespace culprit::monitor {

struct OtherRights {
  bool is_marked = false; // in any of these ways, whoever starts it: what Valgrind refuses
  bool has_gain = false;  // the caller gets rights by it: what keeps the loader from preloading
};

// None of a file that cannot be looked at.
OtherRights other_rights(const std::filesystem::path &program);

} // namespace culprit::monitor
