// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html/page.h"

#include "report/document.h"
#include "report/fields.h"
#include "report/html/access_section.h"
#include "report/html/embedded.h"
#include "report/html/model_section.h"
#include "report/html/table.h"
#include "report/reported.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace culprit::report::html {

namespace {

using Json = nlohmann::ordered_json;

std::string title_of(const Json &document) {
  return fmt::format("culprit {}: {}", text_of(document, "command"), text_of(document, "program"));
}

Markup head_facts(const Json &document) {
  Facts facts;
  facts.add("program", text_of(document, "program"));
  facts.add("model", text_of(document, "model"));
  facts.add("runs", grouped(list_of(document, "runs").size()));
  return facts.markup();
}

Markup next(const Json &document) {
  const std::string command = text_of(document, "next");
  return command.empty() ? Markup()
                         : element("p", {{"class", "next"}},
                                   joined({text("next: "), element("code", command)}));
}

bool is_check(const Json &document) { return text_of(document, "command") == "check"; }

bool is_diff(const Json &document) {
  return text_of(document, "command") == "diff" && object_of(document, "alignment") != nullptr;
}

// Of locate, triage and explain.
bool has_chains(const Json &document) { return !is_check(document) && reports_findings(document); }

} // namespace

Markup model_page(const Json &document, const PageOptions &options) {
  Markup inside = head_facts(document);
  if (const std::string tear = text_of(document, "tear"); !tear.empty())
    inside += element("p", {{"class", "remarks"}}, tear);
  inside += metrics_section(document, options);
  if (const Json *access = object_of(document, "access"))
    inside += access_section(*access, options);
  inside += sites_section(document, options);
  inside += training_runs_section(document, options);
  return inside;
}

namespace {

// What a page shows of one report.
Markup report(const Json &document, const PageOptions &options) {
  const bool chains = has_chains(document);
  if (!chains && !is_diff(document))
    (void)document.at("runs").get_ref<const Json::array_t &>(); // or throws
  return joined({chains               ? chain_page(document, options)
                 : is_diff(document)  ? diff_page(document, options)
                 : is_check(document) ? check_page(document, options)
                                      : model_page(document, options),
                 next(document)});
}

// The file around it.
std::string whole(const std::string &title, const Markup &inside, const std::string &version) {
  const Markup body =
      joined({element("header", element("h1", title)), element("main", inside),
              element("footer", element("p", fmt::format("culprit {}. This file needs nothing but "
                                                         "itself.",
                                                         version)))});
  std::string out = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  // What is not ours has no power, should it ever get past the escaping.
  out += fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src 'sha256-{}'; script-src 'sha256-{}'; img-src data:; base-uri "
                     "'none'; form-action 'none'\">\n",
                     kStyleDigest, kScriptDigest);
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n"
         "<link rel=\"icon\" href=\"data:,\">\n";
  out += fmt::format("<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n", escaped(title),
                     kStyle);
  out += body.bytes();
  out += fmt::format("\n<script>{}</script>\n</body>\n</html>\n", kScript);
  return out;
}

} // namespace

bool has_page(const Json &document) {
  return document.is_object() &&
         (reports_findings(document) || is_diff(document) || document.contains("metrics"));
}

std::string page(const Json &document, const PageOptions &options) {
  return whole(title_of(document), report(document, options), text_of(document, "version"));
}

std::string joint_page(std::span<const Json> documents, const PageOptions &options) {
  if (documents.size() == 1)
    return page(documents.front(), options);
  Markup contents;
  Markup sections;
  std::vector<std::string> programs;
  for (size_t i = 0; i < documents.size(); ++i) {
    const Json &document = documents[i];
    PageOptions inside = options;
    inside.outline.prefix = fmt::format("report-{}-", i + 1);
    const std::string id = fmt::format("report-{}", i + 1);
    const std::string title = title_of(document);
    contents += element("li", element("a", {{"href", "#" + id}}, title));
    sections += element(
        "section", {{"class", "report"}, {"id", id}, {"aria-labelledby", id + "-heading"}},
        joined({element("h2", {{"id", id + "-heading"}}, title), report(document, inside)}));
    if (const std::string program = text_of(document, "program");
        std::ranges::find(programs, program) == programs.end())
      programs.push_back(program);
  }
  const Markup list =
      element("nav", {{"aria-label", "reports"}}, element("ul", {{"class", "reports"}}, contents));
  return whole(fmt::format("culprit: {}", fmt::join(programs, ", ")), joined({list, sections}),
               text_of(documents.front(), "version"));
}

} // namespace culprit::report::html
