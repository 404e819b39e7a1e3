// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `culprit diff` found: where two runs part, as a fork in the source, how much of them
// corresponds, and how memory differs at a place that was asked for.
#include "report/document.h"
#include "report/fields.h"
#include "report/html/page.h"
#include "report/html/plot.h"
#include "report/html/table.h"

#include <array>
#include <fmt/format.h>

namespace culprit::report::html {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kRows = 1000;

Markup summary(const Json &document, bool part) {
  Facts facts;
  facts.add("run A", element("code", text_of(document, "a")));
  facts.add("run B", element("code", text_of(document, "b")));
  const std::string ends = text_of(document, "ends");
  const bool equal = !part && ends.empty();
  facts.add("their ends", ends.empty() ? "the same" : ends);
  return joined({element("p", {{"class", equal ? "verdict good" : "verdict bad"}},
                         equal  ? "The runs are equal."
                         : part ? "The runs take different ways."
                                : "The runs take the same way, and end differently."),
                 facts.markup()});
}

Markup step(const Json &location, const std::string &role, const std::string &words,
            const PageOptions &options) {
  Markup line = element("span", {{"class", "badge end"}}, role);
  line += joined({text(" "), place(location, options)});
  if (const std::string name = text_of(location, "function"); !name.empty())
    line += joined({text(" in "), function(name)});
  Markup inside = element("p", {{"class", "where"}}, line);
  const Markup source = excerpt(location, words, options);
  inside += source.empty() ? element("p", words) : source;
  return element("li", {{"class", "step end"}}, inside);
}

// The place, and where each of them goes on.
Markup fork(const Json &divergence, const PageOptions &options) {
  Markup steps;
  if (const Json *location = object_of(divergence, "location")) {
    const uint64_t instance = count_of(divergence, "instance");
    steps +=
        step(*location, "both",
             instance > 1 ? fmt::format("the runs part here, at execution {}", grouped(instance))
                          : "the runs part here",
             options);
  }
  for (const auto &[key, role] : {std::pair("a", "run A"), std::pair("b", "run B")}) {
    if (const Json *location = object_of(divergence, key))
      steps += step(*location, role, fmt::format("{} goes on here", role), options);
    else
      steps += element("li", {{"class", "step end"}}, fmt::format("{} ends here", role));
  }
  return section(options.outline, "divergence", "Where they part",
                 element("article", element("ol", {{"class", "walk"}}, steps)));
}

Markup alignment(const Json &document, const PageOptions &options) {
  const Json *shares = object_of(document, "alignment");
  if (shares == nullptr)
    return {};
  const Json *accesses = object_of(document, "accesses");
  const auto of = [&](const char *key) {
    return accesses == nullptr ? 0 : count_of(*accesses, key);
  };
  struct Row {
    const char *what;
    const char *key;
    uint64_t count;
  };
  const Json *points = object_of(document, "points");
  const std::array<Row, 5> rows = {{
      {"points of both runs", "control_flow", points == nullptr ? 0 : count_of(*points, "all")},
      {"heap accesses, by index", "heap_mi", of("heap")},
      {"heap accesses, by address", "heap_address", of("heap")},
      {"stack accesses, by index", "stack_mi", of("stack")},
      {"stack accesses, by address", "stack_address", of("stack")},
  }};
  Table table("How much corresponds; accesses are those at points that do", "row",
              {{"what"}, {"corresponds"}, {"of", true}}, rows.size());
  for (const Row &row : rows)
    table.add({text(row.what), wide_bar(number_of(*shares, row.key, 0)), text(grouped(row.count))});
  return section(options.outline, "alignment", "How much of them corresponds", table.markup());
}

Markup differences(const Json &document, const PageOptions &options) {
  const std::string at = text_of(document, "at");
  if (at.empty())
    return {};
  const Json &found = list_of(document, "differences");
  Table table(fmt::format("{} at {}", counted(found.size(), "difference"), at), "difference",
              {{"name"}, {"in run A"}, {"in run B"}}, kRows);
  for (const Json &each : found) {
    if (!table.takes_more())
      table.count_only();
    else if (each.is_object())
      table.add({element("code", text_of(each, "name")), text(text_of(each, "a")),
                 text(text_of(each, "b"))});
  }
  return section(options.outline, "differences", "Memory at " + at,
                 table.empty() ? element("p", "No difference.") : table.markup());
}

Markup mutations(const Json &document, const PageOptions &options) {
  Table table("B's memory taken over into A: how much of what follows is then as in B", "point",
              {{"at"}, {"differences", true}, {"left", true}, {"points"}, {"heap accesses"}},
              kRows);
  for (const Json &each : list_of(document, "mutations")) {
    if (!table.takes_more()) {
      table.count_only();
      continue;
    }
    const Json *location = each.is_object() ? object_of(each, "location") : nullptr;
    if (location == nullptr)
      continue;
    table.add({place(*location, options), text(grouped(count_of(each, "differences"))),
               text(grouped(count_of(each, "left"))), share_bar(number_of(each, "control_flow", 0)),
               share_bar(number_of(each, "heap", 0))});
  }
  return table.empty() ? Markup()
                       : section(options.outline, "mutations", "Taken over", table.markup());
}

} // namespace

Markup diff_page(const Json &document, const PageOptions &options) {
  const Json *divergence = object_of(document, "first_divergence");
  Markup all = summary(document, divergence != nullptr);
  if (divergence != nullptr)
    all += fork(*divergence, options);
  all += alignment(document, options);
  all += differences(document, options);
  all += mutations(document, options);
  return all;
}

} // namespace culprit::report::html
