// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/suppressions.h"

#include "report/fields.h"
#include "report/rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace culprit::report {

namespace {

std::string_view trimmed(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos)
    return {};
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

// `*` stands for any text; both ends are fixed. No recursion: of several stars only the last needs
// to be tried again.
bool is_match(std::string_view pattern, std::string_view text) {
  size_t p = 0;
  size_t t = 0;
  size_t star = std::string_view::npos;
  size_t from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*')
    ++p;
  return p == pattern.size();
}

bool names_a_rule(std::string_view pattern) {
  return std::ranges::any_of(rules(), [&](const Rule &rule) { return is_match(pattern, rule.id); });
}

// What would cover all findings of the rule in the same function.
std::string broader(const Reported::Finding &finding) {
  const std::string function = finding.names.empty() ? "" : finding.names.front();
  const bool usable = !function.empty() && std::ranges::none_of(function, [](unsigned char c) {
    return c == '*' || c == '^' || c == '$' || c == '?';
  });
  return usable ? fmt::format("# or all of its function: {}:^{}$\n", finding.rule, function) : "";
}

} // namespace

bool covers(std::string_view pattern, std::string_view text) {
  const bool begins = pattern.starts_with('^');
  if (begins)
    pattern.remove_prefix(1);
  const bool ends = pattern.ends_with('$');
  if (ends)
    pattern.remove_suffix(1);
  return is_match(fmt::format("{}{}{}", begins ? "" : "*", pattern, ends ? "" : "*"), text);
}

bool Suppression::covers(const Reported::Finding &finding) const {
  if (!is_match(rule, finding.rule))
    return false;
  if (pattern == finding.fingerprint)
    return true;
  return std::ranges::any_of(finding.names, [&](const std::string &name) {
    return !name.empty() && report::covers(pattern, name);
  });
}

Result<std::vector<Suppression>> parse_suppressions(std::string_view text) {
  std::vector<Suppression> all;
  size_t number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty() || line.starts_with('#'))
      continue;
    const size_t colon = line.find(':');
    const std::string_view rule = trimmed(line.substr(0, std::min(colon, line.size())));
    const std::string_view pattern =
        colon == std::string_view::npos ? "" : trimmed(line.substr(colon + 1));
    if (rule.empty() || pattern.empty() || pattern == "^" || pattern == "$" || pattern == "^$")
      return fail(fmt::format("line {}: not of the form rule:pattern", number),
                  "--gen-suppressions writes such lines");
    if (!names_a_rule(rule))
      return fail(fmt::format("line {}: there is no rule '{}'", number, printable(rule)),
                  "docs/reports.md lists the rules");
    all.push_back({.line = number,
                   .rule = std::string(rule),
                   .pattern = std::string(pattern),
                   .text = std::string(line)});
  }
  return all;
}

std::string suppressions_for(const Reported &report) {
  std::string text = fmt::format("# culprit {}: {}\n", report.command, report.program);
  std::set<std::string> told;
  const auto is_name =
      [](const std::string &fingerprint) { // of a report written by hand it may be none
        return !fingerprint.empty() && std::ranges::all_of(fingerprint, [](unsigned char c) {
          return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
        });
      };
  for (const Reported::Finding &finding : report.findings)
    if (finding.counts() && is_name(finding.fingerprint) &&
        told.insert(finding.rule + finding.fingerprint).second)
      text += fmt::format("\n# {}\n{}{}:{}\n", printable(finding.message), broader(finding),
                          finding.rule, finding.fingerprint);
  return text;
}

} // namespace culprit::report
