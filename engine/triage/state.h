// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a triage has located so far, on disk, so that the next one goes on from there: one line for
// each input, written as soon as it is located.
//
//   culprit triage state 1
//   <checksum> {"program": …, "digest": …, "located": { the input's document }}
//
// Rules: a kill at any moment loses the line being written and nothing else: a last line without
// its end is no line. Any other damage is an Error. Lines of another program (or of the same, built
// again) are dropped when the file is next opened. Unresolved inputs are never written: what a
// timeout or a chance difference has spoilt is tried again.
#pragma once

#include "engine/error.h"
#include "engine/launch/descriptor.h"

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace culprit::triage {

// Of one program: documents by digest.
using Located = std::map<std::string, nlohmann::ordered_json, std::less<>>;

struct StateText {
  Located located = {}; // of the program asked for
  size_t others = 0;    // lines of other programs
  bool torn = false;    // the last line had no end
};
Result<StateText> parse_state(std::string_view text, std::string_view program);
std::string state_line(std::string_view program, std::string_view digest,
                       const nlohmann::ordered_json &document);
std::string_view state_head();

class State {
public:
  enum class Keep { what_fits, nothing };
  // `program` is what the program is known by. A file that is not there is made, with its folder;
  // one that is something else stays as it is, also if nothing of it is to be kept.
  static Result<State> open(const std::filesystem::path &file, const std::string &program,
                            Keep keep = Keep::what_fits);

  // Null: not located yet.
  const nlohmann::ordered_json *find(std::string_view digest) const;

  // May be called from several threads.
  Result<void> add(const std::string &digest, const nlohmann::ordered_json &document);

private:
  State() = default;
  std::filesystem::path file_;
  std::string program_;
  Located located_; // when it was opened
  launch::Descriptor end_;
};

} // namespace culprit::triage
