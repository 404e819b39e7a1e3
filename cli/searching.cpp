// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See searching.h.
#include "cli/searching.h"

#include "cli/analysis_options.h"
#include "cli/talk.h"

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

namespace culprit::cli {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void SearchingOptions::declare(CLI::App &app, const std::string &more) {
  files.declare_json(app);
  files.declare_html(app);
  files.declare_findings(app);
  files.declare_policy(app);
  app.add_option("--settings", settings_file,
                 "limits (default: culprit.toml in the current directory, if there is one)")
      ->type_name("FILE");
  app.add_flag("-q", quiet, "say less");
  app.add_flag("-v", verbose, "say more: " + more);
  declare_color(app, color);
}

Searching::Searching(const SearchingOptions &options, locate::Target target,
                     launch::TemporaryDirectory scratch, const locate::LocateSettings &settings,
                     report::Policy policy)
    : options_(options), target_(std::move(target)), scratch_(std::move(scratch)),
      search_{.settings = settings, .notes = options.verbose, .scratch = scratch_.path()},
      policy_(std::move(policy)) {}

Result<Searching> Searching::open(const SearchingOptions &options) {
  if (auto sound = options.files.check(); !sound)
    return std::unexpected(sound.error());
  auto policy = options.files.read_policy(options.command_name);
  if (!policy)
    return std::unexpected(policy.error());
  auto settings = settings::read(options.settings_file);
  if (!settings)
    return std::unexpected(settings.error());
  auto target = locate::Target::open(
      {.typed = options.input.command[0],
       .jobs = options.input.jobs,
       .on_make = [quiet = options.quiet](std::string_view flavour, const fs::path &file) {
         say_making(quiet, flavour, file.string());
       }});
  if (!target)
    return std::unexpected(target.error());
  auto scratch = launch::TemporaryDirectory::create();
  if (!scratch)
    return std::unexpected(scratch.error());
  return Searching(options, std::move(*target), std::move(*scratch), settings->locate,
                   std::move(*policy));
}

void Searching::each(size_t count, Progress &progress,
                     const std::function<bool(size_t)> &work) const {
  std::atomic<size_t> next = 0;
  const auto go = [&] {
    for (size_t i = next++; i < count; i = next++) {
      if (!work(i))
        next = count;
      progress.advance();
    }
  };
  std::vector<std::jthread> others;
  for (size_t i = 1; i < std::min<size_t>(options_.input.jobs, count); ++i)
    others.emplace_back(go);
  go();
}

size_t Searching::settle(Json &document) const { return report::settle(document, policy_); }

bool Searching::was_unresolved(const std::string &digest) const {
  return policy_.baseline && policy_.baseline->unresolved.contains(digest);
}

Result<void> Searching::write_report(const Json &document, const ReportText &text) const {
  return cli::write_report(
      {.files = options_.files,
       .color = options_.color,
       .verbose = options_.verbose,
       .silent = options_.quiet && document.value("outcome", "") == "no-corruption"},
      document, text);
}

} // namespace culprit::cli
