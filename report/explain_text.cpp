// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/explain_text.h"

#include "engine/explain/tables.h"
#include "report/document.h"
#include "report/fields.h"
#include "report/folded_stacks.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;

// "list.c:14 in insert, 3rd time"
enum class Columns { no, yes };

std::string where(const Json &location, uint64_t instance, const TextOptions &options,
                  Columns columns = Columns::no) {
  std::string text = place_text(location, options.base);
  if (text.empty())
    text = "an unknown place";
  // The column says nothing about a whole statement.
  if (const size_t colon = text.rfind(':'); columns == Columns::no && colon != text.find(':'))
    text.resize(colon);
  if (const std::string function = function_text(text_of(location, "function")); !function.empty())
    text += " in " + function;
  if (instance > 1)
    text += fmt::format(", execution {}", grouped(instance));
  return text;
}

std::string variables_text(const Json &transition) {
  std::string text;
  for (const Json &one : list_of(transition, "variables"))
    text += fmt::format("{}`{}` is {} instead of {}", text.empty() ? "" : ", ",
                        text_of(one, "name"), text_of(one, "failing"), text_of(one, "passing"));
  return text;
}

// The source line without its margin.
std::string source_text(const Json &location, const TextOptions &options) {
  if (!options.source)
    return {};
  const auto line = options.source(location.value("file", ""), count_of(location, "line"));
  if (!line)
    return {};
  const size_t first = line->find_first_not_of(" \t");
  return first == std::string::npos ? std::string() : printable(line->substr(first));
}

std::string quoted_line(const std::string &output) {
  if (output.empty())
    return "nothing";
  return "\"" + printable(output.substr(0, output.find('\n'))) + "\"";
}

std::string failure_text(const Json &failure, const TextOptions &options) {
  const Json *location = object_of(failure, "location");
  if (text_of(failure, "kind") == "crash")
    return fmt::format("and{} the run fails: {}",
                       location != nullptr ? " at " + where(*location, 1, options) : std::string(),
                       text_of(failure, "status"));
  if (text_of(failure, "kind") == "endless")
    return "and the run does not end" +
           (location != nullptr ? "; when it was stopped it was at " + where(*location, 1, options)
                                : std::string());
  return fmt::format("and the run fails: {}, it prints {} instead of {}",
                     text_of(failure, "status"), quoted_line(failure.value("output", "")),
                     quoted_line(failure.value("expected_output", "")));
}

// The same variables at the same statement: a loop that carries a value along.
bool is_repeated(const Json &one, const Json &next) {
  const auto names = [](const Json &transition) {
    std::vector<std::string> all;
    for (const Json &each : list_of(transition, "variables"))
      all.push_back(text_of(each, "name"));
    return all;
  };
  return one.at("location") == next.at("location") && names(one) == names(next);
}

// "at list.c:27 in F `C` is 0 instead of 1", with its line; `last` is the last of a repetition that
// begins with this one.
std::string step_text(const Json &first, const Json &last, size_t count, bool begins,
                      const TextOptions &options) {
  std::string text =
      fmt::format("{}{} {}{}\n", begins ? "  at " : "  so at ",
                  where(first.at("location"), count_of(first, "instance"), options),
                  variables_text(first), first.value("parts", false) ? "; the runs part here" : "");
  if (const std::string source = source_text(first.at("location"), options); !source.empty())
    text += options.style.faint(fmt::format("        | {}", source)) + "\n";
  if (count > 1)
    text +=
        fmt::format("        … {} up to execution {}, where {}\n", counted(count - 1, "more time"),
                    grouped(count_of(last, "instance")), variables_text(last));
  return text;
}

// The steps from one that is shown to the next that is not the same.
std::string story_text(const std::vector<const Json *> &steps, const TextOptions &options) {
  std::string text;
  for (size_t i = 0; i < steps.size();) {
    size_t end = i + 1;
    while (!options.verbose && end < steps.size() && is_repeated(*steps[i], *steps[end]))
      ++end;
    text += step_text(*steps[i], *steps[end - 1], end - i, i == 0, options);
    i = end;
  }
  return text;
}

std::string divergence_text(const Json &divergence, const char *a, const char *b,
                            const TextOptions &options) {
  const Json *next_a = object_of(divergence, "a");
  const Json *next_b = object_of(divergence, "b");
  // Several statements on one line are told apart by their columns.
  const Columns columns = next_a != nullptr && next_b != nullptr &&
                                  where(*next_a, 1, options) == where(*next_b, 1, options)
                              ? Columns::yes
                              : Columns::no;
  const auto goes = [&](const Json *next) {
    return next == nullptr ? std::string("its end") : where(*next, 1, options, columns);
  };
  return fmt::format(
      "the runs part at {}: {} goes to {}, {} to {}\n",
      where(divergence.at("location"), count_of(divergence, "instance"), options, columns), a,
      goes(next_a), b, goes(next_b));
}

std::string next_text(const Json &document) {
  const std::string next = text_of(document, "next");
  return next.empty() ? "" : "next: " + next + "\n";
}

} // namespace

std::string explain_text(const Json &document, const TextOptions &options) {
  std::string text =
      options.style.bold(fmt::format("why `{}` fails and `{}` passes", text_of(document, "failing"),
                                     text_of(document, "passing"))) +
      "\n";
  if (const Json *switched = object_of(document, "switched"))
    text += fmt::format("the passing run is the same with the branch at {} decided the other way\n",
                        where(switched->at("location"), count_of(*switched, "instance"), options));
  const Json &transitions = list_of(document, "transitions");
  // What happens inside the C++ library is true and tells nobody anything.
  std::vector<const Json *> shown;
  for (const Json &each : transitions)
    if (options.verbose || !text_of(each.at("location"), "file").starts_with(explain::kSystemFiles))
      shown.push_back(&each);
  const size_t hidden = transitions.size() - shown.size();
  text += story_text(shown, options);
  text += fmt::format("{} {}\n", options.style.alarm(" ✗"),
                      failure_text(document.at("failure"), options));
  if (const Json *divergence = object_of(document, "first_divergence"))
    text += divergence_text(*divergence, "the passing one", "the failing one", options);
  if (hidden != 0)
    text += fmt::format("{} in system headers not shown (-v shows all)\n", counted(hidden, "step"));
  if (const uint64_t unreached = count_of(document, "out_of_reach"); unreached != 0)
    text += fmt::format("out of reach: the program has several threads at {} that {} looked at\n",
                        counted(unreached, "point"), unreached == 1 ? "was" : "were");
  if (transitions.empty())
    text += fmt::format("no cause was found: {}\n", text_of(document, "reason"));
  else if (document.value("partial", false))
    text +=
        fmt::format("there may be earlier or smaller causes: {}\n", text_of(document, "reason"));
  else if (options.verbose)
    text += fmt::format("the chain begins here because {}\n", text_of(document, "reason"));
  const uint64_t unresolved = count_of(document, "unresolved");
  text += fmt::format("{}{}, {:.1f} s\n", counted(count_of(document, "tests"), "test"),
                      unresolved == 0 ? "" : fmt::format(" ({} unresolved)", unresolved),
                      number_of(document, "seconds", 0));
  return text + next_text(document);
}

std::string diff_text(const Json &document, const TextOptions &options) {
  std::string text;
  const Json *divergence = object_of(document, "first_divergence");
  if (divergence != nullptr)
    text += divergence_text(*divergence, "a", "b", options);
  else
    text += "the runs take the same way\n";
  if (const std::string ends = text_of(document, "ends"); !ends.empty())
    text += ends + "\n";
  const Json &alignment = document.at("alignment");
  const auto percent = [&](const char *key) {
    return fmt::format("{:.1f} %", 100 * number_of(alignment, key, 0));
  };
  const Json &accesses = document.at("accesses");
  text += fmt::format("{} of the points of both runs correspond\n", percent("control_flow"));
  text +=
      fmt::format("of {} heap accesses at such points {} go to the same place by index, {} by "
                  "address\n",
                  grouped(count_of(accesses, "heap")), percent("heap_mi"), percent("heap_address"));
  text += fmt::format("of {} stack accesses {} by index, {} by address\n",
                      grouped(count_of(accesses, "stack")), percent("stack_mi"),
                      percent("stack_address"));
  if (const std::string at = text_of(document, "at"); !at.empty()) {
    const Json &differences = list_of(document, "differences");
    text += fmt::format("{} at {}{}\n", counted(differences.size(), "difference"), at,
                        differences.empty() ? "" : ":");
    for (const Json &each : differences)
      text += fmt::format("  {}: {} and {}\n", text_of(each, "name"), text_of(each, "a"),
                          text_of(each, "b"));
  }
  for (const Json &each : list_of(document, "mutations"))
    text +=
        fmt::format("at {} {} taken over, {} left: {:.1f} % of the points that follow "
                    "correspond, {:.1f} % of the heap accesses\n",
                    where(each.at("location"), 1, options),
                    counted(count_of(each, "differences"), "difference"), count_of(each, "left"),
                    100 * number_of(each, "control_flow", 0), 100 * number_of(each, "heap", 0));
  return text + next_text(document);
}

} // namespace culprit::report
