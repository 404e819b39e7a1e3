// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit show FILE`: a model, a saved run or a saved report, in the terminal, as JSON or as HTML;
// and `culprit show --settings`: every threshold with its meaning.
//
// What a file is, its first bytes say, never its name.
#include "cli/analysis_options.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/report_files.h"
#include "cli/source_lines.h"
#include "engine/build/file_bytes.h"
#include "engine/model/model.h"
#include "engine/run/run_file.h"
#include "report/check_text.h"
#include "report/document.h"
#include "report/explain_text.h"
#include "report/locate_text.h"
#include "report/model_document.h"
#include "report/model_text.h"
#include "report/triage_text.h"
#include "report/wrap.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace culprit::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> shown; // files
  ReportFiles files;
  bool as_json = false;
  std::string settings_file;
  bool settings = false;
  bool verbose = false;
  std::string color = "auto";
};

Result<Json> model_document(const std::string &path, const settings::Settings &settings) {
  auto contents = model::read(path);
  if (!contents)
    return std::unexpected(contents.error());
  const heap::HeapModel learned = heap::learn(model::ordered_runs(*contents), settings.heap);
  Json document = report::document_head(
      "show", contents->builds.empty() ? path : contents->builds.begin()->second);
  document["model"] = path;
  report::add_model(document, *contents, learned);
  report::add_access(document, contents->access, settings.access);
  return document;
}

// What a run file says of accesses are numbers of the flavour that wrote it: its tables are needed,
// and so the program, as the file names it. Nothing, if that has gone or was built again.
std::optional<access::AccessRun> accesses_of(const run::RunFile &file, const std::string &path) {
  const auto start = std::ranges::find_if(file.records, [](const run::Record &record) {
    return std::holds_alternative<run::ProcessStart>(record.what);
  });
  if (start == file.records.end())
    return std::nullopt;
  const std::string program = std::get<run::ProcessStart>(start->what).executable;
  AnalysisOptions options;
  options.quiet = true;
  for (const std::string_view flavour : flavours_of(file, false)) {
    auto target = options.open_target(program, flavour);
    if (!target)
      return std::nullopt;
    if (auto read = target->read_run(path))
      return std::move(read->access);
  }
  return std::nullopt;
}

Result<Json> run_document(const std::string &path, const settings::Settings &settings) {
  auto file = run::read(path);
  if (!file)
    return std::unexpected(file.error());
  auto run = heap::heap_run(*file, std::make_shared<const heap::SiteTables>());
  if (!run)
    return std::unexpected(run.error());
  Json document = report::document_head("show", path);
  report::add_run(document, *run, settings.heap);
  const bool watched = std::ranges::any_of(file->records, [](const run::Record &record) {
    return std::holds_alternative<run::AccessUnit>(record.what);
  });
  if (const auto accesses = watched ? accesses_of(*file, path) : std::nullopt)
    report::add_access(document, *accesses, settings.access);
  if (file->tear)
    document["tear"] = file->tear->why;
  return document;
}

Result<Json> report_document(const std::string &path, std::string_view bytes) {
  Json document = Json::parse(bytes, nullptr, false);
  if (document.is_discarded() || !document.is_object() ||
      document.value("tool", Json()) != Json("culprit") ||
      !(document.contains("runs") || document.contains("outcome") ||
        document.contains("transitions") || document.contains("alignment")))
    return fail(fmt::format(
        "{}: not a report of culprit train, check, locate, triage, diff or explain", path));
  return document;
}

Result<Json> read_document(const std::string &path, const settings::Settings &settings) {
  auto bytes = build::FileBytes::map(path);
  if (!bytes)
    return std::unexpected(bytes.error());
  const std::string_view view = bytes->view();
  uint64_t magic = 0;
  std::memcpy(&magic, view.data(), std::min(sizeof magic, view.size()));
  if (magic == CULPRIT_RUN_MAGIC)
    return run_document(path, settings);
  if (view.starts_with("SQLite format 3"))
    return model_document(path, settings);
  if (view.starts_with("{"))
    return report_document(path, view);
  return fail(fmt::format("{}: neither a model, nor a run file, nor a saved report", path));
}

std::string text_of(const Json &document, const Options &options) {
  const report::Style style = style_of(options.color);
  std::error_code ignored;
  const report::TextOptions text_options{.style = style,
                                         .source = source_lines(),
                                         .base = fs::current_path(ignored),
                                         .verbose = options.verbose};
  const std::string command = document.value("command", "");
  using Text = std::string (*)(const Json &, const report::TextOptions &);
  constexpr std::array<std::pair<const char *, Text>, 5> kTexts = {
      {{"check", report::check_text},
       {"explain", report::explain_text},
       {"diff", report::diff_text},
       {"locate", report::locate_text},
       {"triage", report::triage_text}}};
  for (const auto &[name, text] : kTexts)
    if (command == name)
      return report::wrapped(text(document, text_options), style.width);
  return report::model_text(document,
                            {.style = style, .every_run = true, .verbose = options.verbose});
}

int show_settings(const settings::Settings &settings, const Options &options) {
  Json rows = Json::array();
  std::string text;
  for (const settings::Shown &one : settings::shown(settings)) {
    text += fmt::format("{:<26} {:<10} {}\n", one.key, one.value, one.meaning);
    rows.push_back({{"key", one.key},
                    {"type", one.type},
                    {"value", one.value},
                    {"default", one.default_value},
                    {"meaning", one.meaning}});
  }
  if (options.as_json) {
    Json document = report::document_head("show", "");
    document["settings"] = rows;
    text = report::to_text(document);
  }
  const std::string to = options.files.json.empty() ? "-" : options.files.json;
  if (auto written = write_document(to, text); !written)
    return report_error(written.error());
  return kDone;
}

// As it was asked for: to files, else as text.
Result<void> write_all(const std::vector<Json> &documents, const Options &options) {
  const ReportFiles &files = options.files;
  const bool to_others = !files.json.empty() || !files.sarif.empty() || !files.junit.empty() ||
                         !files.new_suppressions.empty();
  if (documents.size() == 1 && (to_others || !files.html.empty()))
    return files.write(documents.front());
  if (to_others)
    return fail("several reports can be shown as text or as one HTML page only",
                "name one FILE, or --html");
  if (!files.html.empty())
    return write_joint_page(files.html, documents);
  std::string text;
  for (const Json &document : documents)
    text += (text.empty() ? "" : "\n") + text_of(document, options);
  return write_document("-", text);
}

int execute(Options options) {
  auto settings = settings::read(options.settings_file);
  if (!settings)
    return report_error(settings.error());
  if (options.settings && options.shown.empty())
    return show_settings(*settings, options);
  if (options.shown.empty() && options.as_json &&
      !options.files.json.empty()) // `show --json MODEL`
    options.shown = {std::exchange(options.files.json, {})};
  if (options.shown.empty())
    return report_error({"FILE is required", "see `culprit show --help`"});
  if (options.as_json && options.files.json.empty())
    options.files.json = "-";
  if (auto sound = options.files.check(); !sound)
    return report_error(sound.error());
  std::vector<Json> documents;
  for (const std::string &file : options.shown) {
    auto document = read_document(file, *settings);
    if (!document)
      return report_error(document.error());
    documents.push_back(std::move(*document));
  }
  try {
    if (auto written = write_all(documents, options); !written)
      return report_error(written.error());
  } catch (const Json::exception &) { // written by hand, or by another tool of our name
    return report_error(
        {fmt::format("{}: a report, but not one that can be shown", fmt::join(options.shown, ", ")),
         {}});
  }
  return kDone;
}

} // namespace

Action declare_show(CLI::App &app) {
  auto options = std::make_shared<Options>();
  app.add_option("FILE", options->shown,
                 "a model, a saved run or a saved report; with --html, several in one page");
  auto *json =
      app.add_option("--json", options->files.json, "as JSON, to FILE (default: standard output)");
  json->type_name("FILE")->expected(0, 1);
  options->files.declare_html(app);
  options->files.declare_findings(app);
  app.add_option("--gen-suppressions", options->files.new_suppressions,
                 "of a saved report: write lines that suppress its findings to FILE")
      ->type_name("FILE");
  auto *settings = app.add_option("--settings", options->settings_file,
                                  "list all settings with their values (of FILE, else of "
                                  "culprit.toml, if there is one)");
  settings->type_name("FILE")->expected(0, 1);
  app.add_flag("-v", options->verbose, "unstable metrics, all sites, all notes");
  declare_color(app, options->color);
  return [options, json, settings] {
    options->as_json = json->count() != 0;
    options->settings = settings->count() != 0;
    return execute(*options);
  };
}

} // namespace culprit::cli
