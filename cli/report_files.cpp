// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See report_files.h.
#include "cli/report_files.h"

#include "cli/output.h"
#include "cli/source_lines.h"
#include "engine/build/file_bytes.h"
#include "report/document.h"
#include "report/junit.h"
#include "report/reported.h"
#include "report/sarif.h"

#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace culprit::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// What file names in a SARIF log are relative to: the repository, as code hosts want it, else the
// current directory.
fs::path source_root() {
  std::error_code error;
  fs::path here = fs::current_path(error);
  for (fs::path folder = here; !folder.empty(); folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", error))
      return folder;
    if (folder == folder.parent_path())
      break;
  }
  return here;
}

template <typename Parsed, typename Parse>
Result<Parsed> read_with(const std::string &file, const Parse &parse) {
  auto bytes = build::FileBytes::map(file);
  if (!bytes)
    return std::unexpected(bytes.error());
  auto parsed = parse(bytes->view());
  if (!parsed)
    return fail(fmt::format("{}: {}", file, parsed.error().what), parsed.error().hint);
  return parsed;
}

} // namespace

void ReportFiles::declare_json(CLI::App &app) {
  app.add_option("--json", json, "write the report as JSON to FILE (`-`: standard output)")
      ->type_name("FILE");
}

void ReportFiles::declare_html(CLI::App &app) {
  app.add_option("--html", html,
                 "write the report as one self-contained HTML file to FILE (`-`: standard output)")
      ->type_name("FILE");
}

void ReportFiles::declare_findings(CLI::App &app) {
  app.add_option("--sarif", sarif, "write the findings as SARIF 2.1.0 to FILE")->type_name("FILE");
  app.add_option("--junit", junit, "write the runs as JUnit XML to FILE")->type_name("FILE");
}

void ReportFiles::declare_policy(CLI::App &app) {
  app.add_option("--baseline", baseline,
                 "a report that was written earlier with --json: only findings that are not in it "
                 "count for the exit code")
      ->type_name("FILE");
  app.add_option("--suppressions", suppressions,
                 "a file of lines rule:pattern: findings that these cover do not count")
      ->type_name("FILE");
  app.add_option("--gen-suppressions", new_suppressions,
                 "write lines that suppress the findings that count to FILE")
      ->type_name("FILE");
}

Result<void> ReportFiles::check() const {
  const std::array<std::pair<const char *, const std::string *>, 5> all = {
      {{"--json", &json},
       {"--html", &html},
       {"--sarif", &sarif},
       {"--junit", &junit},
       {"--gen-suppressions", &new_suppressions}}};
  const char *first = nullptr;
  for (const auto &[name, file] : all) {
    if (*file != "-")
      continue;
    if (first != nullptr)
      return fail(fmt::format("{} and {} cannot both go to standard output", first, name),
                  "give one of them a file");
    first = name;
  }
  return {};
}

bool ReportFiles::to_output() const {
  return json == "-" || html == "-" || sarif == "-" || junit == "-" || new_suppressions == "-";
}

Result<report::Policy> ReportFiles::read_policy(const std::string &command) const {
  report::Policy policy{.baseline = {},
                        .baseline_file = baseline,
                        .suppressions = {},
                        .suppression_file = suppressions};
  if (!baseline.empty()) {
    auto read = read_with<report::Baseline>(
        baseline, [&](std::string_view bytes) { return report::parse_baseline(bytes, command); });
    if (!read)
      return std::unexpected(read.error());
    policy.baseline = std::move(*read);
  }
  if (!suppressions.empty()) {
    auto read =
        read_with<std::vector<report::Suppression>>(suppressions, report::parse_suppressions);
    if (!read)
      return std::unexpected(read.error());
    policy.suppressions = std::move(*read);
  }
  return policy;
}

Result<void> ReportFiles::write(const Json &document) const {
  if (!json.empty())
    if (auto written = write_document(json, report::to_text(document)); !written)
      return written;
  if (!html.empty())
    if (auto written = write_page(html, document); !written)
      return written;
  if (sarif.empty() && junit.empty() && new_suppressions.empty())
    return {};
  if (!report::reports_findings(document))
    return fail(
        fmt::format("what culprit {} reports are no findings", document.value("command", "")),
        "--json has all of it");
  std::error_code ignored;
  const report::TextOptions options{
      .style = {}, .source = source_lines(), .base = fs::current_path(ignored), .verbose = false};
  const report::Reported findings = report::reported(document, options);
  if (!sarif.empty())
    if (auto written = write_document(
            sarif, report::to_text(
                       report::sarif(findings, {.source = options.source, .root = source_root()})));
        !written)
      return written;
  if (!junit.empty())
    if (auto written = write_document(junit, report::junit(findings, options.base)); !written)
      return written;
  if (new_suppressions.empty())
    return {};
  return write_document(new_suppressions, report::suppressions_for(findings));
}

} // namespace culprit::cli
