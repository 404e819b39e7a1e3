// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html/finding.h"

#include "report/document.h"
#include "report/fields.h"
#include "report/folded_stacks.h"
#include "report/html/plot.h"
#include "report/html/table.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit::report::html {

namespace {

using Json = nlohmann::ordered_json;

Markup headline(const Json &finding, const std::string &id, const PageOptions &options) {
  Markup heading;
  if (const uint64_t rank = count_of(finding, "rank"); rank != 0)
    heading += element("span", {{"class", "rank"}}, fmt::format("{}.", rank));
  heading += text(" ");
  heading += element("span", {{"class", "badge " + text_of(finding, "detector")}},
                     text_of(finding, "title"));
  if (!text_of(finding, "suppressed").empty() || finding.value("known", false))
    heading += joined({text(" "), element("span", {{"class", "badge"}},
                                          finding.value("known", false) ? "known" : "suppressed")});
  heading += text(" " + function_text(text_of(finding, "message")));
  return finding_heading(options.outline, id + "-heading", heading);
}

Markup where(const Json &finding, const PageOptions &options) {
  Markup line;
  if (const Json *location = object_of(finding, "location")) {
    line += place(*location, options);
    if (const std::string name = text_of(*location, "function"); !name.empty())
      line += joined({text(line.empty() ? "in " : " in "), function(name)});
  }
  if (finding.contains("confidence"))
    line += element("span", {{"class", "confidence"}},
                    joined({text("confidence "), share_bar(number_of(finding, "confidence", 0))}));
  return line.empty() ? Markup() : element("p", {{"class", "where"}}, line);
}

Markup told(const char *key, const Json &finding) {
  constexpr size_t kTold = 100;
  Markup items;
  size_t count = 0;
  for (const Json &each : list_of(finding, key)) {
    if (++count > kTold)
      continue;
    if (each.is_string())
      items += element("li", function_text(printable(each.get<std::string>())));
    else if (each.is_object())
      items += element("li", "also " + function_text(text_of(each, "message")));
  }
  if (count > kTold)
    items += element("li", fmt::format("and {} more", grouped(count - kTold)));
  return items;
}

} // namespace

Markup finding_article(const Json &finding, const std::string &id, const PageOptions &options) {
  Markup inside = headline(finding, id, options);
  inside += where(finding, options);
  const std::string remark = function_text(text_of(finding, "remark"));
  Markup source;
  if (const Json *location = object_of(finding, "location"))
    source = excerpt(*location, remark, options);
  if (source.empty() && !remark.empty())
    source = element("p", {{"class", "remark"}}, remark);
  inside += source;
  if (const Markup items = joined({told("evidence", finding), told("also", finding)});
      !items.empty())
    inside += element("ul", {{"class", "evidence"}}, items);
  inside += text_of(finding, "detector") == "access" ? access_evidence(finding, options)
                                                     : heap_evidence(finding, options);
  return element("article", {{"id", id}, {"aria-labelledby", id + "-heading"}}, inside);
}

} // namespace culprit::report::html
