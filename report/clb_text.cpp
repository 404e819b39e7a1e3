// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/clb_text.h"

#include "report/document.h"
#include "report/fields.h"
#include "report/sparkline.h"

#include <array>
#include <fmt/format.h>
#include <map>
#include <vector>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;

// The two kinds of columns, by number of entries.
using Columns = std::map<uint64_t, const Json *>;

Columns columns_of(const Json &clb, std::string_view kind) {
  Columns columns;
  for (const Json &column : list_of(clb, "columns"))
    if (column.is_object() && text_of(column, "accesses") == kind)
      columns[count_of(column, "entries")] = &column;
  return columns;
}

std::string cell(const Columns &columns, uint64_t entries, const char *key) {
  const auto column = columns.find(entries);
  return column == columns.end() ? "–" : grouped(count_of(*column->second, key));
}

std::string ratio(const Columns &columns, uint64_t entries) {
  const auto column = columns.find(entries);
  return column == columns.end()
             ? "–"
             : fmt::format("{:.2f} %", number_of(*column->second, "hit_ratio", 0) * 100);
}

std::string alarms(const Json &clb, const char *kind, const char *key) {
  const Json *all = object_of(clb, "alarms");
  const Json *of_kind = all == nullptr ? nullptr : object_of(*all, kind);
  return of_kind == nullptr ? "–" : grouped(count_of(*of_kind, key));
}

std::string row(const std::string &title, const std::string &wo, const std::string &rw) {
  return fmt::format("  {:<47} {:>16} {:>16}\n", title, wo, rw);
}

} // namespace

std::string clb_text(const Json &clb) {
  const Columns wo = columns_of(clb, "wo");
  const Columns rw = columns_of(clb, "rw");
  std::string text = "check look-aside buffer, as published\n";
  text += row("", "writes", "reads and writes");
  text += row("monitored accesses (tables 5 and 7)", cell(wo, 0, "before"), cell(rw, 0, "before"));
  for (const auto &[entries, column] : wo)
    if (entries != 0)
      text += row(fmt::format("left by {} entries (tables 5, 7; figures 5, 6)", entries),
                  cell(wo, entries, "after"), cell(rw, entries, "after"));
  for (const auto &[entries, column] : wo)
    if (entries != 0)
      text += row(fmt::format("hit ratio of {} entries (table 6)", entries), ratio(wo, entries),
                  ratio(rw, entries));
  text += row("alarms before pruning (table 8)", alarms(clb, "wo", "before_pruning"),
              alarms(clb, "rw", "before_pruning"));
  text += row("alarms after pruning (table 8)", alarms(clb, "wo", "after_pruning"),
              alarms(clb, "rw", "after_pruning"));
  text += fmt::format("  monitored at most at one time (tables 5, 9): {}, blocks by whole pages\n",
                      counted(count_of(clb, "monitored_bytes"), "byte"));
  std::string ranks;
  for (const Json &rank : list_of(clb, "ranks"))
    if (rank.is_number_unsigned())
      ranks += fmt::format("{}{}", ranks.empty() ? "" : ", ", rank.get<uint64_t>());
  text += fmt::format("  ranks of the findings (table 5): {}\n", ranks.empty() ? "none" : ranks);
  uint64_t missed = 0;
  for (const auto &[entries, column] : wo)
    missed = std::max(missed, count_of(*column, "false_positives"));
  text += fmt::format("  outliers that the bit vectors let pass, at most: {}\n", grouped(missed));
  if (clb.value("cut_short", false))
    text +=
        fmt::format("  only the first {} accesses are counted\n", grouped(count_of(clb, "events")));
  if (clb.value("reads_from_run", false))
    text += "  the model knows no reads: who reads what is taken from this run\n";
  text += fmt::format("  {}\n", text_of(clb, "program_counters"));
  return text + "  not measured: instructions, and times of hardware that is not there\n";
}

} // namespace culprit::report
