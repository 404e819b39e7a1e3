// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/access/settled.h"

#include <set>

namespace culprit::access {

Settled settled(const History &history, uint64_t name, bool read, size_t depth) {
  std::set<uint64_t> keys; // at full depth
  for (const auto &[key, described] : history.names)
    if (key_of(described, depth) == name)
      keys.insert(key);
  Settled result;
  std::set<uint64_t> sites;
  for (const std::string &key : ordered_keys(history)) {
    bool accessed = false;
    bool grew = false;
    for (const RunPair &pair : history.runs.at(key).pairs) {
      const auto site = history.sites.find(pair.site);
      if (!keys.contains(pair.name) || site == history.sites.end() || site->second.read != read)
        continue;
      accessed = true;
      grew |= sites.insert(pair.site).second;
    }
    result.runs += accessed ? 1 : 0;
    if (grew)
      result.since = result.runs;
  }
  return result;
}

} // namespace culprit::access
