// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/analysis_options.h"

#include "abi/features.h"
#include "cli/talk.h"
#include "engine/launch/shell_words.h"
#include "engine/launch/spawn.h"
#include "engine/monitor/unmodified.h"

#include <cstdlib>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace culprit::cli {

void declare_color(CLI::App &app, std::string &color) {
  app.add_option("--color", color, "colour: auto (default: on a terminal), always, never")
      ->type_name("WHEN")
      ->check(CLI::IsMember({"auto", "always", "never"}));
}

namespace {

// Of standard output; 0: it is none, or does not say.
size_t terminal_width() {
  winsize size{};
  return isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col
                                                                                      : 0;
}

} // namespace

report::Style style_of(const std::string &color) {
  const size_t width = terminal_width();
  if (color != "auto")
    return {.color = color == "always", .width = width};
  const char *no_color = std::getenv("NO_COLOR");
  const char *terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return {.color =
              isatty(STDOUT_FILENO) == 1 && !dumb && (no_color == nullptr || *no_color == '\0'),
          .width = width};
}

void AnalysisOptions::declare(CLI::App &app, ProgramIs program, Runs runs) {
  input.declare(app, program, runs);
  app.add_option("-m,--model", model, "the model file (default: PROG.model beside PROG)")
      ->type_name("FILE");
  app.add_option("--only", only, "one analysis alone: heap or access")
      ->type_name("NAME")
      ->check(CLI::IsMember({"heap", "access"}));
  app.add_flag("--binary", binary,
               "run PROG as it is, without instrumentation: heap only (default where it carries no "
               "bitcode)");
  app.add_flag("--deep", deep,
               "run PROG as it is under Valgrind: access sets of the program and of all its "
               "libraries, with or without bitcode (slow)");
  app.add_flag("--reads", reads, "access sets: reads as well as writes (access.reads)");
  files.declare_json(app);
  files.declare_html(app);
  app.add_option("--settings", settings_file,
                 "thresholds (default: culprit.toml in the current directory, if there is one)")
      ->type_name("FILE");
  app.add_flag("--verify", verify,
               "compare the heap graph with a full scan at every metric point (slow)");
  app.add_flag("-q", quiet, "say less");
  app.add_flag("-v", verbose, "say more");
  declare_color(app, color);
}

Result<settings::Settings> AnalysisOptions::read_settings() const {
  if (auto sound = files.check(); !sound)
    return std::unexpected(sound.error());
  auto settings = settings::read(settings_file);
  if (settings && reads)
    settings->access.reads = true;
  return settings;
}

bool AnalysisOptions::runs_as_it_is(const std::string &program) const {
  return binary || deep || !monitor::carries_bitcode(program);
}

Parts AnalysisOptions::parts(const settings::Settings &settings) const {
  if (deep)
    return {.heap = false, .access = true, .reads = settings.access.reads};
  const bool heap_alone =
      only == "heap" || (!input.command.empty() && runs_as_it_is(input.command[0]));
  return {.heap = only != "access", .access = !heap_alone, .reads = settings.access.reads};
}

std::filesystem::path AnalysisOptions::model_path(const std::string &program) const {
  if (!model.empty())
    return model;
  const auto found = launch::find_program(program);
  const std::filesystem::path file =
      std::filesystem::absolute(found.value_or(std::filesystem::path(program)));
  return file.lexically_normal().string() + ".model";
}

report::Style AnalysisOptions::style() const { return style_of(color); }

Result<monitor::Target> AnalysisOptions::open_target(const std::string &program,
                                                     std::string_view flavour) const {
  if (deep) {
    if (only == "heap")
      return fail("--deep knows access sets only", "leave out --only heap, or --deep");
    const unsigned features = features_of(flavour);
    return monitor::Target::open_under_tool(program,
                                            {.reads = (features & CULPRIT_FEATURE_READS) != 0,
                                             .counts = (features & CULPRIT_FEATURE_COUNTS) != 0});
  }
  if (runs_as_it_is(program)) {
    if (only == "access" || (features_of(flavour) & CULPRIT_FEATURE_HEAP) == 0)
      return fail(fmt::format("{}: {}", program,
                              binary ? "--binary knows no access sets" : "carries no bitcode"),
                  "access sets need --deep, or a program built with `culprit cc` or "
                  "`culprit c++`");
    return monitor::Target::open_as_it_is(program);
  }
  return monitor::Target::open({.typed = program,
                                .flavour = std::string(flavour),
                                .jobs = input.jobs,
                                .on_make = [quiet = quiet, flavour = std::string(flavour)](
                                               const std::filesystem::path &file) {
                                  say_making(quiet, flavour, file.string());
                                }});
}

Result<std::vector<launch::Request>>
AnalysisOptions::requests(const monitor::Target &target, const settings::Settings &settings,
                          const std::filesystem::path &scratch) const {
  auto cases = input.read_cases(scratch);
  if (!cases)
    return std::unexpected(cases.error());
  std::vector<launch::Request> all = input.requests(target.program(), std::move(*cases));
  for (size_t i = 0; i < all.size(); ++i) {
    if (const uint64_t every = settings.heap.points_every(); every != 0)
      all[i].runtime_options.emplace_back("every", fmt::format("{}", every));
    if (verify)
      all[i].runtime_options.emplace_back("verify", "1");
  }
  return all;
}

std::string shown_command(const std::vector<std::string> &command) {
  return launch::shell_quote(launch::ShellLine{command, {}});
}

} // namespace culprit::cli
