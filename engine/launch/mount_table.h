// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is mounted where, from /proc/self/mountinfo.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::launch {

struct Mount {
  std::filesystem::path path;
  std::string type;
};

std::vector<Mount> parse_mount_table(std::string_view text);
std::vector<Mount> mount_table(); // empty where it cannot be read

// Kernel interfaces that look like files: nothing of theirs can be kept private, and nothing need
// be.
bool is_kernel_interface(std::string_view type);

// `inner` lies in `outer`, at any depth. Both absolute and normal; a path does not lie in itself.
bool lies_in(const std::filesystem::path &inner, const std::filesystem::path &outer);

} // namespace culprit::launch
