// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a report says, whatever command wrote it: findings with their places, and the runs they come
// from. SARIF, JUnit, baselines and suppressions are made of this and of nothing else, so a command
// that reports findings has all four when it can be read here.
//
// Rules: a pure function of the JSON document and the source files it names. A fingerprint comes
// from rule, file name, functions and names of objects, never from a line, an address or a path, so
// that it stays when code moves; of several findings of a run that are alike in all this, it has
// their number.
#pragma once

#include "report/check_text.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace culprit::report {

// A place, and what happens there.
struct Spot {
  nlohmann::ordered_json location; // {"file","line","column","function"}
  std::string words;
};

struct Reported {
  struct Finding {
    std::string rule; // an id of rules.h
    std::string fingerprint;
    std::string message;                // a sentence
    std::vector<std::string> evidence;  // further ones
    nlohmann::ordered_json location;    // null: not known
    std::optional<double> confidence;   // 0..1; none: it is certain
    std::vector<Spot> related;          // objects, normal writers, other places of a crash
    std::vector<Spot> flow;             // a chain, from cause to effect
    std::vector<Spot> stack;            // call stack, innermost first
    std::vector<std::string> names;     // what suppressions are compared with
    std::string label;                  // of the run; empty: of several
    nlohmann::json::json_pointer where; // in the document
    bool known = false;                 // by a baseline
    std::string suppressed;             // by this line of a suppression file; empty: by none

    bool counts() const { return !known && suppressed.empty(); }
  };
  // A run, or an input of a triage.
  struct Case {
    std::string label;
    std::string status;
    std::string unresolved;       // why nothing can be said of it; empty: something can
    std::vector<size_t> findings; // positions
  };

  std::string command;
  std::string program;
  std::vector<Finding> findings;
  std::vector<Case> cases;
  bool compared = false; // with a baseline: what it does not know is new
};

// Throws nlohmann::json::exception where the document is none of ours.
Reported reported(const nlohmann::ordered_json &document, const TextOptions &options);

// Can findings be reported of this document?
bool reports_findings(const nlohmann::ordered_json &document);

// 16 hexadecimal digits of what a finding is called.
std::string fingerprint_of(const std::vector<std::string> &words);

// Of each command; called by reported().
void read_check(Reported &all, const nlohmann::ordered_json &document, const TextOptions &options);
void read_locate(Reported &all, const nlohmann::ordered_json &document, const TextOptions &options);
void read_triage(Reported &all, const nlohmann::ordered_json &document, const TextOptions &options);
void read_explain(Reported &all, const nlohmann::ordered_json &document,
                  const TextOptions &options);

} // namespace culprit::report
