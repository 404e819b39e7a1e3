// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/access_text.h"
#include "report/document.h"
#include "report/fields.h"
#include "report/html/finding.h"
#include "report/html/plot.h"
#include "report/html/table.h"

#include <fmt/format.h>

namespace culprit::report::html {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kRows = 50;

Markup object_facts(const Json &finding, const PageOptions &options) {
  Facts facts;
  if (const Json *object = object_of(finding, "object")) {
    facts.add("object", access_object_text(*object, options.base));
    if (const uint64_t bytes = count_of(*object, "bytes"); bytes != 0)
      facts.add(
          finding.value("read", false) ? "bytes read" : "bytes written",
          fmt::format("{} at offset {}", grouped(bytes), grouped(count_of(*object, "offset"))));
  }
  if (const Json *counts = object_of(finding, "counts")) {
    facts.add("accesses to it in training", grouped(count_of(*counts, "accesses")));
    facts.add("size of its access set", counted(count_of(*counts, "set_size"), "site"));
    facts.add("occurrences of this pair", grouped(count_of(*counts, "occurrences")));
  }
  if (finding.contains("raw_confidence"))
    facts.add("confidence by the paper's formula",
              fmt::format("{:.1f}", number_of(finding, "raw_confidence", 0)));
  if (const std::string id = text_of(finding, "id"); !id.empty())
    facts.add("if it is right to do so",
              element("code", fmt::format("culprit check --accept {} …", id)));
  return facts.markup();
}

Markup writers(const Json &finding, const PageOptions &options) {
  const std::string title = finding.value("read", false) ? "Normal readers" : "Normal writers";
  const Json &all = list_of(finding, "writers");
  const Json *object = object_of(finding, "object");
  if (all.empty())
    return element("p", title + (object != nullptr && text_of(*object, "kind") == "local"
                                     ? ": none by pointer or index in training"
                                     : ": none in training"));
  Table table(title + " of this object", "place",
              {{"function"}, {"place"}, {"times", true}, {"share"}, {"runs", true}}, kRows);
  for (const Json &writer : all) {
    if (!writer.is_object())
      continue;
    const Json *location = object_of(writer, "location");
    const uint64_t count = count_of(writer, "count");
    // Without counts (a pair known statically, or accepted) there is nothing to say.
    table.add({function(text_of(writer, "function")),
               location == nullptr ? Markup() : place(*location, options),
               text(count == 0 ? "–" : grouped(count)),
               count == 0 ? Markup() : share_bar(number_of(writer, "share", 0)),
               text(grouped(count_of(writer, "runs")))});
  }
  return table.markup();
}

Markup usual_objects(const Json &finding, const PageOptions &options) {
  Table table("What this place normally meets", "object",
              {{"object"}, {"times", true}, {"runs", true}}, kRows);
  for (const Json &object : list_of(finding, "usual_objects"))
    if (object.is_object())
      table.add({text(access_object_text(object, options.base)),
                 text(grouped(count_of(object, "count"))),
                 text(grouped(count_of(object, "runs")))});
  return table.markup();
}

Markup stack(const Json &finding, const PageOptions &options) {
  const Json *stacks = object_of(finding, "stacks");
  const Json &all = stacks == nullptr ? list_of(finding, "stacks") : list_of(*stacks, "access");
  if (all.empty() || !all[0].is_object())
    return {};
  return folded("call stack of the access", call_stack(list_of(all[0], "frames"), options));
}

} // namespace

Markup access_evidence(const Json &finding, const PageOptions &options) {
  return joined({object_facts(finding, options), writers(finding, options),
                 usual_objects(finding, options), stack(finding, options)});
}

} // namespace culprit::report::html
