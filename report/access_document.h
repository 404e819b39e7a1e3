// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An access finding (or note) as an entry of `runs[].findings[]`, in the words of the contract with
// users. access_text.h turns it into text.
#pragma once

#include "engine/access/judge.h"
#include "engine/access/settled.h"
#include "engine/monitor/explain_access.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace culprit::report {

// What the document needs beside the finding itself.
struct AccessFacts {
  const access::AccessRun &run;
  const access::AccessModel &model;
  const monitor::Frames *stack = nullptr;   // null: not symbolized
  const access::Settled *settled = nullptr; // of the lead's name; null: not asked
  bool by_start = false;                    // learned from the run's own first periods
};

nlohmann::ordered_json access_finding_document(const access::Finding &finding,
                                               const AccessFacts &facts);

// "copy (strcpy) writes global 'limit', which only set_limit and reset write"
std::string access_message(const access::Finding &finding, const AccessFacts &facts);

// "global", "heap", "local", "return", "outside", "freed": as `object.kind` has it.
std::string_view object_kind(access::NameKind kind);

// The object of a name alone, for statistics.
nlohmann::ordered_json name_document(const access::Name &name);

} // namespace culprit::report
