// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/clb_document.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace culprit::report {

using Json = nlohmann::ordered_json;

access::ClbReport sum(const std::vector<access::ClbReport> &all) {
  access::ClbReport total;
  for (const access::ClbReport &one : all) {
    total.events += one.events;
    total.reads_from_run |= one.reads_from_run;
    total.unmonitored += one.unmonitored;
    total.monitored_bytes = std::max(total.monitored_bytes, one.monitored_bytes);
    total.alarms_before_pruning += one.alarms_before_pruning;
    total.alarms_after_pruning += one.alarms_after_pruning;
    total.read_alarms_before_pruning += one.read_alarms_before_pruning;
    total.read_alarms_after_pruning += one.read_alarms_after_pruning;
    if (total.columns.size() < one.columns.size())
      total.columns.resize(one.columns.size());
    for (size_t i = 0; i < one.columns.size(); ++i) {
      access::ClbColumn &column = total.columns[i];
      column.entries = one.columns[i].entries;
      column.reads = one.columns[i].reads;
      column.before += one.columns[i].before;
      column.after += one.columns[i].after;
      column.false_positives += one.columns[i].false_positives;
    }
  }
  return total;
}

Json clb_document(const access::ClbReport &measured, const ClbFindings &found) {
  Json columns = Json::array();
  for (const access::ClbColumn &column : measured.columns)
    columns.push_back({{"entries", column.entries},
                       {"accesses", column.reads ? "rw" : "wo"},
                       {"before", column.before},
                       {"after", column.after},
                       {"hit_ratio", column.hit_ratio()},
                       {"false_positives", column.false_positives}});
  return {{"events", measured.events},
          {"cut_short", found.cut_short},
          {"reads_from_run", measured.reads_from_run},
          {"unmonitored", measured.unmonitored},
          {"monitored_bytes", measured.monitored_bytes},
          {"columns", columns},
          {"alarms",
           {{"wo",
             {{"before_pruning", measured.alarms_before_pruning},
              {"after_pruning", measured.alarms_after_pruning}}},
            {"rw",
             {{"before_pruning", measured.read_alarms_before_pruning},
              {"after_pruning", measured.read_alarms_after_pruning}}}}},
          {"findings", found.findings},
          {"notes", found.notes},
          {"ranks", found.ranks},
          {"program_counters",
           "access sites are numbered in the order of their ids; site k stands for program counter "
           "4 k, so that bits 2 to 21 of it are k"}};
}

} // namespace culprit::report
