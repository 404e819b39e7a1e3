// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit demo`: the tour. A small program with three errors (examples/demo) is written to a
// folder of its own and shown to each analysis; every step is a command that a user would type,
// executed as it is shown, and the last one makes one page of all findings.
//
// Rules: the folder is new or empty, so that nobody's file is overwritten. A step that ends
// otherwise than it should ends the tour with exit code 2.
#include "cli/analysis_options.h"
#include "cli/command.h"
#include "cli/demo_files.h"
#include "engine/build/toolchain.h"
#include "engine/launch/spawn.h"
#include "engine/launch/temporary.h"
#include "report/wrap.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace culprit::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char *kDefaultFolder = "culprit-demo";
constexpr const char *kReport = "report.html";

struct Step {
  const char *why;
  std::vector<std::string> arguments; // of culprit
  int code;                           // the exit code it ends with
};

std::vector<Step> steps() {
  return {
      {"Build it. The executable is clang's own, and carries its bitcode besides.",
       {"cc", "-g", "-O2", "kitchen.c", "-o", "kitchen"},
       kDone},
      {"Learn what its heap looks like, and which code writes what, from twenty ordinary evenings.",
       {"train", "--cases", "good.cases", "--", "./kitchen"},
       kDone},
      {"Check an evening on which some guests are in a hurry. It ends well and prints what it "
       "should.",
       {"check", "--json", "check.json", "--", "./kitchen", "evening", "33", "1200", "45"},
       kFindings},
      {"Guests of a cancelled ticket pay all the same, and it crashes. Where did that begin?",
       {"locate", "--json", "locate.json", "--", "./kitchen", "order", "3", "cake", "order", "7",
        "soup", "cancel", "7", "pay", "3", "pay", "7"},
       kFindings},
      {"Two guests share a bill and the till is right, four, and it is not. Why?",
       {"explain", "--json", "explain.json", "--pass", "order 9 soup split 9 2", "--fail",
        "order 9 soup split 9 4", "--", "./kitchen"},
       kDone},
      {"One page of all three.",
       {"show", "--html", kReport, "check.json", "locate.json", "explain.json"},
       kDone},
  };
}

// The folder that was asked for, or the first of culprit-demo, culprit-demo-2, … that is free.
Result<fs::path> make_folder(const std::string &asked) {
  std::error_code error;
  fs::path folder = asked.empty() ? kDefaultFolder : asked;
  for (int number = 2; asked.empty() && fs::exists(fs::symlink_status(folder, error)); ++number)
    folder = fmt::format("{}-{}", kDefaultFolder, number);
  if (fs::exists(folder, error) &&
      !(fs::is_directory(folder, error) && fs::is_empty(folder, error)))
    return fail(fmt::format("{} is there and is not an empty folder", folder.string()),
                "name another one with --dir");
  error.clear();
  fs::create_directories(folder, error);
  if (error)
    return fail(fmt::format("{}: {}", folder.string(), error.message()),
                "name another folder with --dir");
  return folder;
}

// culprit as users start it, beside which the engine lies (toolchain.h).
fs::path front() {
  return build::find_toolchain().engine.parent_path().parent_path().parent_path() / "bin" /
         "culprit";
}

void say(const std::string &text) {
  fmt::print("{}", text);
  std::fflush(stdout); // the step's own words come next
}

int execute(const std::string &asked) {
  auto folder = make_folder(asked);
  if (!folder)
    return report_error(folder.error());
  for (const DemoFile &file : kDemoFiles)
    if (auto written = launch::write_atomically(*folder / file.name, file.text); !written)
      return report_error(written.error());
  // The steps would capture it for their program, and wait for its end.
  if (std::freopen("/dev/null", "r", stdin) == nullptr)
    return report_error({"/dev/null cannot be read", {}});
  const report::Style style = style_of("auto"); // as the steps will
  say(report::wrapped(
      fmt::format("The tour of culprit, in {}: kitchen.c is a small program with three errors.\n",
                  folder->string()),
      style.width));
  const std::vector<Step> all = steps();
  for (size_t i = 0; i < all.size(); ++i) {
    std::vector<std::string> shown = {"culprit"};
    shown.insert(shown.end(), all[i].arguments.begin(), all[i].arguments.end());
    const std::string command = shown_command(shown);
    const std::string why = style.bold(fmt::format("{}. {}", i + 1, all[i].why)) + "\n";
    say("\n" + report::wrapped(why, style.width) + style.bold("$ " + command) + "\n");
    std::vector<std::string> argv = shown;
    argv[0] = front().string();
    auto done =
        launch::run_tool({.argv = std::move(argv), .directory = *folder, .capture_output = false});
    if (!done)
      return report_error(done.error());
    if (done->status.ending == launch::Ending::exited && done->status.code == all[i].code)
      continue;
    return report_error(
        {fmt::format("the tour ends here: `{}`: {}", command, launch::describe(done->status)),
         "see `culprit doctor`"});
  }
  std::error_code ignored;
  const fs::path report = fs::absolute(*folder / kReport, ignored);
  say(fmt::format("\nThe report, one file that needs nothing but itself:\n{}\n", report.string()));
  return kDone;
}

} // namespace

Action declare_demo(CLI::App &app) {
  auto folder = std::make_shared<std::string>();
  app.add_option("--dir", *folder,
                 "a new or empty folder to work in (default: culprit-demo here, or culprit-demo-2, "
                 "…)")
      ->type_name("DIR");
  return [folder] { return execute(*folder); };
}

} // namespace culprit::cli
