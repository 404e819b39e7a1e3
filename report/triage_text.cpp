// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/triage_text.h"

#include "report/document.h"
#include "report/fields.h"
#include "report/folded_stacks.h"
#include "report/locate_text.h"
#include "report/settle.h"

#include <fmt/format.h>
#include <map>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kPlaces = 5; // shown without -v
constexpr size_t kInputs = 3;

std::string inputs_text(const Json &inputs, const TextOptions &options) {
  std::string text;
  size_t shown = 0;
  for (const Json &input : inputs) {
    if (!input.is_string())
      continue;
    if (shown == kInputs && !options.verbose && inputs.size() > kInputs + 1)
      return fmt::format("{} and {} more", text, grouped(inputs.size() - shown));
    text += (text.empty() ? "" : " ") + printable(input.get<std::string>());
    ++shown;
  }
  return text;
}

// "heap buffer overflow (50), wild access (2)"; one kind: without its number.
std::string errors_text(const Json &errors) {
  std::string text;
  for (const Json &error : errors) {
    text += (text.empty() ? "" : ", ") + error_words(text_of(error, "error"));
    if (errors.size() > 1)
      text += fmt::format(" ({})", grouped(count_of(error, "inputs")));
  }
  return text;
}

// A line for each crash, the most frequent first.
std::string crashes_text(const Json &crashes, bool values, const TextOptions &options) {
  std::string text;
  size_t shown = 0;
  for (const Json &crash : crashes) {
    if (shown == kPlaces && !options.verbose && crashes.size() > kPlaces + 1) {
      text += fmt::format("          and in {} more\n", counted(crashes.size() - shown, "place"));
      break;
    }
    const std::string value = values ? text_of(crash, "value") : "";
    text += fmt::format("      {:>7} {}{}\n", grouped(count_of(crash, "inputs")),
                        crash_words(crash, options), value.empty() ? "" : ", by " + value);
    ++shown;
  }
  return text;
}

// Whether no chain has more than one crash: the first is the last.
bool crashes_at_once(const Json &group) {
  const Json &first = list_of(group, "crashes");
  return !first.empty() && first == list_of(group, "last_crashes");
}

// Why these are one group: what all of their chains end in.
std::string why_text(const Json &group, const TextOptions &options) {
  if (list_of(group, "inputs").size() < 2)
    return {};
  std::string links;
  for (const Json &link : list_of(group, "common_end")) {
    const Json *crash = object_of(link, "crash");
    const Json &definitions = list_of(link, "definitions");
    if (crash == nullptr || definitions.empty())
      continue;
    links += fmt::format("          {}\n            {}\n", crash_words(*crash, options),
                         suspect_words(definitions.front(), options));
  }
  if (!links.empty())
    return "      = one group, because all of their chains end in\n" + links;
  if (crashes_at_once(group))
    return "      = one group, because all of these crashes are blamed on this statement\n";
  return "      = one group, because the last crash of each chain is blamed on this statement\n" +
         crashes_text(list_of(group, "last_crashes"), true, options);
}

std::string group_text(const Json &group, const TextOptions &options) {
  if (!text_of(group, "suppressed").empty() && !options.verbose)
    return {};
  static const Json kNone = Json::object();
  const Json &corruption = list_of(group, "first_corruption");
  const Json &best = corruption.empty() ? kNone : corruption.front();
  const std::string place = place_text(best, options.base);
  const bool known = group.value("known", false);
  std::string text =
      fmt::format("{}{}{}{}\n", place.empty() ? "" : options.style.bold(place + ": "),
                  known ? fmt::format("group {}", text_of(group, "id"))
                        : options.style.alarm(fmt::format("group {}", text_of(group, "id"))),
                  options.style.bold(": " + errors_text(list_of(group, "errors"))),
                  fmt::format(", {}{}", counted(list_of(group, "inputs").size(), "input"),
                              !text_of(group, "suppressed").empty() ? ", suppressed"
                              : known                               ? ", known"
                              : group.contains("known")             ? ", new"
                                                                    : ""));
  text += excerpt_words(best, options);
  if (const std::string function = function_text(text_of(best, "function")); !function.empty())
    text += fmt::format("      = in {}\n", function);
  for (size_t i = 1; i < corruption.size(); ++i)
    text += fmt::format("      = {} {}\n",
                        corruption[i].value("suppressed", true) ? "or:" : "beside it:",
                        suspect_words(corruption[i], options));
  const Json &crashes = list_of(group, "crashes");
  text += fmt::format("      = crashes in {}\n", counted(crashes.size(), "place"));
  text += crashes_text(crashes, crashes_at_once(group), options);
  text += why_text(group, options);
  return text + fmt::format("      = inputs: {}\n", inputs_text(list_of(group, "inputs"), options));
}

// By reason, the most frequent first as they come.
std::string unresolved_text(const Json &unresolved, const TextOptions &options) {
  std::map<std::string, Json> by_reason;
  for (const Json &entry : unresolved)
    by_reason[text_of(entry, "reason")].push_back(text_of(entry, "input"));
  std::string text;
  for (const auto &[reason, inputs] : by_reason)
    text += fmt::format("{}: {}: {}\n      = inputs: {}\n", options.style.caution("not located"),
                        counted(inputs.size(), "input"), reason, inputs_text(inputs, options));
  return text;
}

std::string without_crash_text(const Json &entries, const TextOptions &options) {
  if (entries.empty())
    return {};
  Json inputs = Json::array();
  std::map<std::string, size_t> claims;
  for (const Json &entry : entries) {
    inputs.push_back(text_of(entry, "input"));
    if (const Json *claim = object_of(entry, "claimed"))
      ++claims[fmt::format("{} says: {}", text_of(*claim, "by"), text_of(*claim, "what"))];
  }
  std::string text = fmt::format("{} without a crash: {}\n", counted(entries.size(), "input"),
                                 inputs_text(inputs, options));
  for (const auto &[claim, count] : claims)
    text += fmt::format("      = by their names, {} ({})\n", claim, grouped(count));
  return text;
}

// "6 groups of 300 inputs; the top three frames of their stacks would make 31"
std::string summary_text(const Json &document) {
  static const Json kNone = Json::object();
  const Json *found = object_of(document, "counts");
  const Json &counts = found == nullptr ? kNone : *found;
  const size_t groups = list_of(document, "groups").size();
  std::string text =
      fmt::format("{}: {} of {}", text_of(document, "program"), counted(groups, "group"),
                  counted(count_of(counts, "inputs"), "input"));
  if (document.contains("baseline"))
    text += fmt::format(", {} new", grouped(count_of(counts, "new_groups")));
  if (const uint64_t copies = count_of(counts, "copies"); copies != 0)
    text += fmt::format(", {} of them copies", grouped(copies));
  if (groups != 0)
    text += fmt::format("; the top three frames of the stacks would make {}",
                        grouped(count_of(counts, "frame_groups")));
  text += "\n";
  if (document.value("partial", false))
    text += fmt::format("interrupted: {} not looked at yet\n",
                        counted(count_of(counts, "remaining"), "input"));
  return text;
}

} // namespace

std::string triage_text(const Json &document, const TextOptions &options) {
  std::string text;
  for (const Json &group : document.at("groups"))
    text += group_text(group, options);
  text += unresolved_text(list_of(document, "unresolved"), options);
  text += without_crash_text(list_of(document, "no_crash"), options);
  text += summary_text(document);
  text += settled_text(document);
  if (const std::string next = text_of(document, "next"); !next.empty())
    text += "next: " + next + "\n";
  return text;
}

} // namespace culprit::report
