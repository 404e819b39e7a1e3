// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `check --accept ID`: takes what is right after all out of the verdicts, and teaches it to the
// model for good.
//
// Rules: an id that no run shows, and that was not accepted before, is an error, and then nothing
// is written.
#pragma once

#include "cli/standard.h"

#include <set>
#include <string>
#include <vector>

namespace culprit::cli {

class Accepting {
public:
  Accepting(const std::vector<std::string> &ids, const Standard &standard);

  // Takes the findings and notes with these ids out of the verdict.
  void take(report::CheckedAccesses &judged);

  // Writes to the model what was taken; returns a line for each id.
  Result<std::vector<std::string>> write() const;

private:
  const std::vector<std::string> &ids_;
  const Standard &standard_;
  access::Acceptance pairs_;
  std::map<std::string, std::string> messages_; // of the ids taken
};

} // namespace culprit::cli
