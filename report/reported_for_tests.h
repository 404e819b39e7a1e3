// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small reports of the commands, for the tests of what is made of them.
#pragma once

#include "report/reported.h"

#include <nlohmann/json.hpp>
#include <string>

namespace culprit::report {

inline nlohmann::ordered_json place_at(const std::string &file, uint64_t line,
                                       const std::string &function) {
  return {{"file", file}, {"line", line}, {"column", 3U}, {"function", function}};
}

inline nlohmann::ordered_json access_finding(uint64_t line, const std::string &object) {
  return {
      {"id", "access.1"},
      {"detector", "access"},
      {"kind", "outlier"},
      {"title", "access anomaly"},
      {"confidence", 0.9},
      {"message", "f writes " + object},
      {"location", place_at("/src/a.c", line, "f")},
      {"object",
       {{"kind", "global"}, {"name", object}, {"location", place_at("/src/b.c", line + 5, "")}}},
      {"writers",
       {{{"function", "g"}, {"count", 7U}, {"location", place_at("/src/b.c", line + 9, "g")}}}}};
}

// A report of a check with these runs, each a list of findings.
inline nlohmann::ordered_json
check_report(const std::vector<std::vector<nlohmann::ordered_json>> &runs) {
  nlohmann::ordered_json document = {{"tool", "culprit"},
                                     {"command", "check"},
                                     {"program", "./p"},
                                     {"runs", nlohmann::ordered_json::array()}};
  for (size_t i = 0; i < runs.size(); ++i)
    document["runs"].push_back(
        {{"label", "run" + std::to_string(i)}, {"status", "exit code 0"}, {"findings", runs[i]}});
  return document;
}

inline nlohmann::ordered_json locate_report(const std::string &identity, uint64_t line) {
  nlohmann::ordered_json suspect = place_at("/src/a.c", line, "fill");
  suspect["part"] = "writer";
  suspect["kind"] = "store";
  suspect["variable"] = "buffer";
  suspect["identity"] = identity;
  return {{"tool", "culprit"},
          {"command", "locate"},
          {"program", "./p"},
          {"label", "in"},
          {"outcome", "located"},
          {"executions", 2U},
          {"findings",
           {{{"error", "heap-overflow"}, {"execution", 1U}, {"first_corruption", {suspect}}}}},
          {"chain",
           {{{"execution", 1U},
             {"error", "heap-overflow"},
             {"crash", {{"kind", "SIGSEGV"}, {"location", place_at("/src/a.c", line + 30, "use")}}},
             {"definitions", {suspect}}}}}};
}

inline nlohmann::ordered_json triage_report(const std::string &id) {
  return {{"tool", "culprit"},
          {"command", "triage"},
          {"program", "./p"},
          {"outcome", "located"},
          {"counts", {{"new_groups", 1U}}},
          {"groups",
           {{{"id", id},
             {"errors", {{{"error", "heap-overflow"}, {"inputs", 2U}}}},
             {"first_corruption", {place_at("/src/a.c", 8, "fill")}},
             {"inputs", {"x", "y"}},
             {"crashes", nlohmann::ordered_json::array()}}}},
          {"unresolved", {{{"input", "z"}, {"reason", "timed out"}, {"digest", "d1"}}}},
          {"no_crash", nlohmann::ordered_json::array()}};
}

} // namespace culprit::report
