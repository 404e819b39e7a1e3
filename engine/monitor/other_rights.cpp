// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/other_rights.h"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace culprit::monitor {

OtherRights other_rights(const std::filesystem::path &program) {
  struct stat facts{};
  if (::stat(program.c_str(), &facts) != 0)
    return {};
  constexpr const char *kCapabilities = "security.capability";
  const bool capabilities = ::getxattr(program.c_str(), kCapabilities, nullptr, 0) > 0;
  const bool user = (facts.st_mode & S_ISUID) != 0;
  const bool group = (facts.st_mode & S_ISGID) != 0;
  return {.is_marked = user || group || capabilities,
          .has_gain = (user && facts.st_uid != ::geteuid()) ||
                      (group && facts.st_gid != ::getegid()) ||
                      (capabilities && ::geteuid() != 0)}; // root has them anyway
}

} // namespace culprit::monitor
