// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What grouping needs to know of one located input, read from its document (the JSON that `culprit
// locate` writes, with identities): fresh ones and those of an earlier triage are read alike.
//
// Rules: a document may come from a file that anyone has written. What is missing reads as nothing,
// what is of another type makes it no document.
#pragma once

#include "engine/error.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace culprit::triage {

// A crash of the chain.
struct Link {
  std::string crash = {};               // its kind and place
  std::vector<std::string> causes = {}; // identities of what it was blamed on, best first
  bool operator==(const Link &) const = default;
};

struct Record {
  std::string outcome = {}; // located, no-corruption, unresolved
  std::string error = {};   // its kind, of outcome located
  std::string reason = {};
  std::string status = {};
  std::vector<Link> chain = {};         // up to the crash that the first corruption is blamed for
  std::vector<std::string> frames = {}; // the top three of the first crash

  bool located() const { return outcome == "located" && !chain.empty(); }
};

Result<Record> read_record(const nlohmann::ordered_json &document);

} // namespace culprit::triage
