// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/mount_table.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <sstream>

namespace culprit::launch {
namespace {

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// Blanks and backslashes are written as \040 and the like.
std::string unescape(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1]) && is_octal(text[i + 2]) &&
        is_octal(text[i + 3])) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                                 (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

} // namespace

std::vector<Mount> parse_mount_table(std::string_view text) {
  // "36 35 98:0 /root /mount/point options optional-fields... - type source options"
  std::vector<Mount> mounts;
  std::istringstream lines{std::string(text)};
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream stream(line);
    std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
    auto separator = std::ranges::find(words, "-");
    if (words.size() < 5 || separator == words.end() || separator + 1 == words.end())
      continue;
    mounts.push_back({unescape(words[4]), separator[1]});
  }
  return mounts;
}

std::vector<Mount> mount_table() {
  std::ifstream file("/proc/self/mountinfo");
  return parse_mount_table({std::string(std::istreambuf_iterator<char>(file), {})});
}

bool is_kernel_interface(std::string_view type) {
  constexpr auto kTypes = std::to_array<std::string_view>(
      {"autofs",     "binfmt_misc", "bpf",      "cgroup",   "cgroup2", "configfs",
       "debugfs",    "devpts",      "devtmpfs", "efivarfs", "fusectl", "hugetlbfs",
       "mqueue",     "nsfs",        "proc",     "pstore",   "ramfs",   "rpc_pipefs",
       "securityfs", "selinuxfs",   "sysfs",    "tracefs"});
  return std::ranges::find(kTypes, type) != kTypes.end();
}

bool lies_in(const std::filesystem::path &inner, const std::filesystem::path &outer) {
  auto [end_of_outer, rest] = std::ranges::mismatch(outer, inner);
  // A trailing slash, as in "/", is an empty last component or the root itself.
  return (end_of_outer == outer.end() || end_of_outer->empty()) && rest != inner.end() &&
         !rest->empty();
}

} // namespace culprit::launch
