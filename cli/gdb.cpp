// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/gdb.h"

#include "cli/talk.h"
#include "engine/build/flavour_set.h"
#include "engine/launch/descriptor.h"
#include "engine/launch/spawn.h"
#include "engine/launch/temporary.h"
#include "engine/locate/statement_code.h"
#include "report/gdb_script.h"

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace culprit::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Result<report::GdbTarget> gdb_target(const Json &corruption, const DebugOptions &options) {
  auto set = build::FlavourSet::open("debug", options.jobs, [&options](const fs::path &file) {
    say_making(options.quiet, "debug", file.string());
  });
  if (!set)
    return std::unexpected(set.error());
  auto program = set->program(options.program);
  if (!program)
    return std::unexpected(program.error());
  auto code =
      locate::statement_code(program->executable, {.file = corruption.value("file", ""),
                                                   .line = corruption.value("line", 0U),
                                                   .column = corruption.value("column", 0U),
                                                   .function = corruption.value("function", "")});
  if (!code)
    return std::unexpected(code.error());
  const std::string kind = corruption.value("kind", "");
  if (kind == "variable" || kind == "global") // a declaration's line may have code, but not its own
    code->from_main.clear();
  std::error_code ignored;
  return report::GdbTarget{.executable = program->executable,
                           .arguments = options.input.arguments,
                           .standard_input = options.input.standard_input,
                           .directory = fs::current_path(ignored),
                           .from_main = std::move(code->from_main),
                           .exact = code->exact};
}

// What was captured from a pipe goes when we go; a script stays.
Result<void> keep_input(report::GdbTarget &target, const std::string &script) {
  if (!target.standard_input)
    return {};
  const fs::path kept = fs::absolute(script + ".stdin");
  std::error_code error;
  fs::copy_file(*target.standard_input, kept, fs::copy_options::overwrite_existing, error);
  if (error)
    return fail(fmt::format("{}: cannot be written: {}", kept.string(), error.message()));
  target.standard_input = kept;
  return {};
}

// The program's input came by our standard input; gdb's comes from the terminal, if there is one.
void give_terminal_back() {
  if (::isatty(STDIN_FILENO) != 0 || ::isatty(STDOUT_FILENO) == 0)
    return;
  const launch::Descriptor terminal = launch::open_file("/dev/tty", O_RDWR);
  if (terminal.is_open())
    ::dup2(terminal.get(), STDIN_FILENO);
}

Result<void> start(const std::string &script) {
  auto gdb = find_gdb();
  if (!gdb)
    return std::unexpected(gdb.error());
  auto scratch = launch::TemporaryDirectory::create();
  if (!scratch)
    return std::unexpected(scratch.error());
  const fs::path file = scratch->path() / "gdb";
  if (auto written = launch::write_atomically(file, script); !written)
    return written;
  give_terminal_back();
  std::fflush(stdout);
  // Ctrl-C is for gdb as long as it runs.
  struct sigaction ignore{};
  struct sigaction before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGINT, &ignore, &before);
  auto outcome = launch::run_tool(
      {.argv = {gdb->string(), "-q", "-x", file.string()}, .capture_output = false});
  ::sigaction(SIGINT, &before, nullptr);
  if (!outcome)
    return std::unexpected(outcome.error());
  return {};
}

} // namespace

Result<fs::path> find_gdb() {
  if (auto found = launch::find_program("gdb"))
    return *found;
  return fail("gdb is not installed",
              "apt-get install gdb, or have its commands written with --gdb-script FILE");
}

Result<void> debug_located(const Json &document, const DebugOptions &options) {
  const Json &corruption = document.at("first_corruption").at(0);
  auto target = gdb_target(corruption, options);
  if (!target)
    return std::unexpected(target.error());
  const std::string error = document.at("findings").at(0).value("error", "");
  if (!options.script.empty()) {
    report::GdbTarget lasting = *target;
    if (auto kept = keep_input(lasting, options.script); !kept)
      return kept;
    if (auto written = launch::write_atomically(options.script,
                                                report::gdb_script(corruption, error, lasting));
        !written)
      return written;
  }
  return options.start ? start(report::gdb_script(corruption, error, *target)) : Result<void>();
}

} // namespace culprit::cli
