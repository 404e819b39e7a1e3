// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a definition is called whatever line it is on: file name, function, what kind of statement
// it is, what it writes, calls and computes from, and, among those of a function that are alike in
// all this, which of them it is, in the order of the source. So a group of crashes keeps its id
// when lines move and when other statements come and go.
//
// Rules: from the tables alone, never from the text of the source, which may have changed since the
// program was built. Copies of a statement by inlining or unrolling have one identity.
#pragma once

#include "engine/locate/iteration.h"
#include "engine/locate/tables.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace culprit::triage {

class Identities {
public:
  explicit Identities(const locate::Tables &tables) : tables_(tables) {}

  // 16 hexadecimal digits. May be called from several threads.
  std::string definition(uint32_t number);
  // Of a use of what nothing defined.
  std::string place(uint32_t number);

  // Of each step of a chain, of each of its suspects.
  std::vector<std::vector<std::string>> of(const std::vector<locate::Step> &chain);

private:
  const locate::Tables &tables_;
  std::mutex mutex_;
  std::map<uint32_t, std::string> definitions_; // found so far
};

} // namespace culprit::triage
