// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/check_text.h"

#include "report/access_text.h"
#include "report/clb_text.h"
#include "report/document.h"
#include "report/fields.h"
#include "report/folded_stacks.h"
#include "report/settle.h"
#include "report/sparkline.h"
#include "report/template_arguments.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kNotesShown = 3; // more are counted, and shown with -v

size_t spark_columns(const Style &style) {
  constexpr size_t kMost = 48;
  constexpr size_t kBefore = 18; // "      = this run: "
  return style.width == 0 ? kMost
                          : std::clamp(style.width, kBefore + 10, kBefore + kMost) - kBefore;
}

std::string line(const std::string &text) { return fmt::format("      = {}\n", text); }

// "insert_after at a.c:57:3 (linked 92 %)"
std::string suspect_text(const Json &suspect, const std::filesystem::path &base) {
  std::string text = function_text(text_of(suspect, "function"));
  const Json *location = object_of(suspect, "location");
  if (location != nullptr && location->value("line", 0) != 0)
    if (const std::string place = place_text(*location, base); !place.empty())
      text += " at " + place;
  std::string did = role_text(text_of(suspect, "role"));
  if (const double share = suspect.value("share", 0.0); share > 0)
    did += fmt::format(" {:.0f} %", share * 100);
  return did.empty() ? text : fmt::format("{} ({})", text, did);
}

std::string suspects_line(const Json &finding, const std::filesystem::path &base) {
  constexpr size_t kShown = 4;
  std::string text;
  const Json &suspects = list_of(finding, "suspects");
  for (size_t i = 0; i < std::min(kShown, suspects.size()); ++i)
    text += (i == 0 ? "" : " · ") + suspect_text(suspects[i], base);
  return text.empty() ? "" : line("suspects: " + text);
}

std::string object_line(const Json &finding, const std::filesystem::path &base) {
  const Json *object = object_of(finding, "object");
  if (object == nullptr)
    return {};
  std::string text = text_of(*object, "type");
  std::string place;
  if (const Json *location = object_of(*object, "location"))
    place = place_text(*location, base);
  if (!place.empty())
    text += fmt::format("{}allocated at {}", text.empty() ? "" : ", ", place);
  if (const std::string chain = chain_text(list_of(*object, "context")); !chain.empty())
    text += text.empty() ? "allocated in " + chain : fmt::format(" ({})", chain);
  if (const std::string normally = text_of(*object, "normally"); !normally.empty())
    text += fmt::format("{}normally {}", text.empty() ? "" : "; ", normally);
  return text.empty() ? "" : line("objects: " + text);
}

std::string stack_lines(const Json &finding, bool verbose) {
  const Json *stacks = object_of(finding, "stacks");
  if (stacks == nullptr)
    return {};
  constexpr std::array<std::pair<const char *, const char *>, 3> kPhases = {{
      {"before", "stacks before it left"},
      {"during", "stacks while it moved"},
      {"after", "stacks after it left"},
  }};
  std::string text;
  for (const auto &[key, title] : kPhases)
    if (const std::string folded = folded_text(list_of(*stacks, key), verbose ? 8 : 3);
        !folded.empty())
      text += line(fmt::format("{}: {}", title, folded));
  return text;
}

// `mark` is what it is said to be: a note, known; empty: a finding.
std::string headline(const Json &finding, const TextOptions &options, std::string_view mark) {
  std::string place;
  if (const Json *location = object_of(finding, "location")) {
    place = place_text(*location, options.base);
    if (location->value("line", 0) == 0 && !text_of(*location, "function").empty())
      place += (place.empty() ? "in " : ": in ") + function_text(text_of(*location, "function"));
  }
  const std::string kind = text_of(finding, "title");
  return fmt::format(
      "{}{}: {}\n", place.empty() ? "" : options.style.bold(place + ": "),
      mark.empty() ? options.style.alarm(kind)
                   : options.style.caution(fmt::format("{}: {}", mark, kind)),
      options.style.bold(without_long_arguments(function_text(text_of(finding, "message")))));
}

std::string finding_text(const Json &finding, const TextOptions &options) {
  if (!text_of(finding, "suppressed").empty())
    return options.verbose ? headline(finding, options, "suppressed") : "";
  const bool known = finding.value("known", false);
  std::string text = headline(finding, options, known ? "known" : "");
  if (known && !options.verbose)
    return text;
  const std::string remark = function_text(text_of(finding, "remark"));
  const Json *location = object_of(finding, "location");
  std::optional<std::string> source;
  if (location != nullptr && options.source)
    source = options.source(location->value("file", ""), location->value("line", size_t{0}));
  if (source)
    text += render(
        {*source, location->value("line", size_t{0}), location->value("column", size_t{0}), remark},
        options.style);
  else if (!remark.empty())
    text += line(remark);
  if (text_of(finding, "detector") == "access")
    return text + access_lines(finding, options);
  text += suspects_line(finding, options.base);
  text += object_line(finding, options.base);
  for (const Json &evidence : list_of(finding, "evidence"))
    text += line(printable(evidence.get<std::string>()));
  for (const Json &also : list_of(finding, "also"))
    text += line("also " + function_text(text_of(also, "message")));
  text += stack_lines(finding, options.verbose);
  if (const Json &series = list_of(finding, "series"); series.size() > 1) {
    std::vector<double> values;
    for (const Json &value : series)
      if (value.is_number())
        values.push_back(value.get<double>());
    if (values.empty())
      return text;
    const auto [low, high] = std::ranges::minmax(values);
    if (high > low) // a metric taken once or twice has no shape
      text += line("this run: " + sparkline(values, spark_columns(options.style)));
  }
  return text;
}

std::string run_title(const Json &run) {
  std::string text = text_of(run, "label");
  return text.empty() ? "the run" : text;
}

std::string notes_text(const Json &run, const TextOptions &options) {
  const Json &notes = list_of(run, "notes");
  std::string text;
  const size_t shown = options.verbose ? notes.size() : std::min(kNotesShown, notes.size());
  for (size_t i = 0; i < shown; ++i) {
    text += headline(notes[i], options, "note");
    if (options.verbose && text_of(notes[i], "detector") == "access")
      text += access_lines(notes[i], options);
  }
  if (shown < notes.size())
    text += fmt::format("{} more below the reporting bar; -v shows all\n",
                        counted(notes.size() - shown, "note"));
  return text;
}

// "1,204 metric points, 350 pairs"; of an analysis that was not made, nothing.
std::string work_text(size_t points, size_t pairs) {
  if (pairs == 0)
    return counted(points, "metric point");
  return (points == 0 ? "" : counted(points, "metric point") + ", ") +
         counted(pairs, "access pair");
}

std::string run_text(const Json &run, bool alone, const TextOptions &options) {
  std::string text;
  const Json &findings = list_of(run, "findings");
  const std::string status = text_of(run, "status");
  if (!alone || status != "exit code 0")
    text += fmt::format(
        "{}: {}, {}, {}\n", run_title(run), status,
        work_text(
            run.value("points", size_t{0}),
            object_of(run, "access") == nullptr ? 0 : count_of(*object_of(run, "access"), "pairs")),
        findings.empty() ? "nothing above the reporting bar" : counted(findings.size(), "finding"));
  for (const Json &remark : list_of(run, "remarks"))
    text += fmt::format("culprit: note: {}\n", printable(remark.get<std::string>()));
  for (const Json &finding : findings)
    text += finding_text(finding, options);
  return text + notes_text(run, options);
}

// Of many runs, those that nobody needs to look at are only counted.
bool is_plain(const Json &run) {
  return list_of(run, "findings").empty() && list_of(run, "remarks").empty() &&
         text_of(run, "status").starts_with("exit code");
}

// Did a run end as those did that were learned from?
bool ended_as_usual(const std::string &status, const Json &learned) {
  return learned.empty()
             ? status == "exit code 0" || status.empty()
             : std::ranges::any_of(learned, [&](const Json &one) { return one == status; });
}

// "killed by SIGABRT; up to there ": what is said before "nothing departs", which alone would sound
// as if all was well.
std::string endings_text(const Json &document) {
  const Json &learned = list_of(document, "learned_statuses");
  const Json &runs = document.at("runs");
  std::vector<std::string> endings; // each once, in the order of the runs
  size_t unusual = 0;
  for (const Json &run : runs) {
    std::string status = text_of(run, "status");
    if (ended_as_usual(status, learned) || status == "cancelled") // by the user, who knows
      continue;
    ++unusual;
    if (std::ranges::find(endings, status) == endings.end())
      endings.push_back(std::move(status));
  }
  if (unusual == 0)
    return {};
  const char *compared = learned.empty() ? "" : ", as no run in training";
  if (runs.size() == 1)
    return endings[0].starts_with("exit code")
               ? fmt::format("{}{}; ", endings[0], compared)
               : fmt::format("{}{}; up to there ", endings[0], compared);
  constexpr size_t kShown = 3;
  std::string list;
  for (size_t i = 0; i < std::min(kShown, endings.size()); ++i)
    list += (i == 0 ? "" : ", ") + endings[i];
  if (endings.size() > kShown)
    list += ", …";
  return fmt::format("{} of {} ended otherwise{} ({}); ", unusual, counted(runs.size(), "run"),
                     learned.empty() ? " than with exit code 0" : " than those in training", list);
}

// Heap and access sets may be learned from different runs: one of a suspicious heap, or too short
// for a judgement of it, says all the same who writes what.
std::string learned_text(const Json &document) {
  if (document.value("learned_from", "") == "start")
    return "the start of each";
  std::string most = counted(document.value("learned_runs", size_t{0}), "run");
  const Json *by = object_of(document, "learned_by");
  if (by == nullptr || !by->contains("heap") || !by->contains("access") ||
      count_of(*by, "heap") == count_of(*by, "access"))
    return most;
  return fmt::format("{}: the heap from {}, access sets from {}", most,
                     grouped(count_of(*by, "heap")), grouped(count_of(*by, "access")));
}

} // namespace

std::string role_text(const std::string &role) {
  if (role == "feeds")
    return "decides what is stored";
  if (role == "caller")
    return "called";
  if (role == "allocates")
    return "allocated";
  if (role == "absent")
    return "usually writes such objects, left out";
  if (role == "on_stack")
    return "was running";
  return role; // linked, unlinked, wrote
}

std::string file_text(const std::filesystem::path &file, const std::filesystem::path &base) {
  std::string text = printable(file.string());
  return !base.empty() && text.starts_with(base.string() + "/")
             ? text.substr(base.string().size() + 1)
             : text;
}

std::string place_text(const Json &location, const std::filesystem::path &base) {
  const std::filesystem::path path = location.value("file", "");
  if (path.empty())
    return {};
  std::string text = file_text(path.lexically_normal(), base);
  if (const size_t row = location.value("line", size_t{0}); row != 0) {
    text += fmt::format(":{}", row);
    if (const size_t column = location.value("column", size_t{0}); column != 0)
      text += fmt::format(":{}", column);
  }
  return text;
}

std::string check_text(const Json &document, const TextOptions &options) {
  const Json &runs = document.at("runs");
  std::string text;
  size_t findings = 0;
  size_t points = 0;
  size_t pairs = 0;
  size_t plain = 0;
  size_t notes = 0; // of the plain ones
  for (const Json &remark : list_of(document, "remarks"))
    text += fmt::format("culprit: note: {}\n", printable(remark.get<std::string>()));
  for (const Json &run : runs) {
    if (runs.size() > 1 && !options.verbose && is_plain(run)) {
      ++plain;
      notes += list_of(run, "notes").size();
    } else
      text += run_text(run, runs.size() == 1, options);
    findings += list_of(run, "findings").size();
    points += run.value("points", size_t{0});
    if (const Json *access = object_of(run, "access"))
      pairs += count_of(*access, "pairs");
  }
  if (findings != 0 && plain != 0)
    text += fmt::format("{} of {}: nothing above the reporting bar\n", plain,
                        counted(runs.size(), "run"));
  if (notes != 0)
    text += fmt::format("{} below the reporting bar; -v shows all\n", counted(notes, "note"));
  if (document.contains("judged") && list_of(document, "judged").empty())
    text += fmt::format("{}: not judged ({}, {})\n", printable(document.value("program", "")),
                        counted(runs.size(), "run"), work_text(points, pairs));
  else if (findings == 0)
    text +=
        fmt::format("{}: {}nothing departs from what was learned ({}, {}, learned from {})\n",
                    printable(document.value("program", "")), endings_text(document),
                    counted(runs.size(), "run"), work_text(points, pairs), learned_text(document));
  if (const Json *clb = object_of(document, "clb"))
    text += clb_text(*clb);
  text += settled_text(document);
  if (const std::string next = text_of(document, "next"); !next.empty())
    text += "next: " + next + "\n";
  return text;
}

} // namespace culprit::report
