// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry of the one `culprit` executable. It is also installed under the names of the compiler
// drivers (culprit-cc, culprit-c++, culprit-ar, culprit-ranlib, and the linker shim culprit-ld),
// which are told apart by argv[0] and get their arguments untouched, like `culprit cc` and `culprit
// c++`.
#include "cli/command.h"
#include "cli/compiler.h"

#include "engine/launch/interrupt.h"
#include "report/document.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <optional>

namespace culprit::cli {

namespace {

struct Passing {
  std::string_view sub_command;    // after `culprit`; empty: none
  std::string_view installed_name; // argv[0]
  const char *summary;
  int (*run)(const std::vector<std::string> &arguments);
};

constexpr std::array<Passing, 5> kPassing = {{
    {"cc", "culprit-cc", "compile and link C (arguments as clang's)", compile_c},
    {"c++", "culprit-c++", "compile and link C++ (arguments as clang's)", compile_cxx},
    {"", "culprit-ar", nullptr, archive},
    {"", "culprit-ranlib", nullptr, index_archive},
    {"", "culprit-ld", nullptr, link_shim},
}};

std::optional<int> run_passing(const std::vector<std::string> &argv) {
  const std::string name = std::filesystem::path(argv[0]).filename().string();
  for (const Passing &passing : kPassing) {
    if (name == passing.installed_name)
      return passing.run({argv.begin() + 1, argv.end()});
    if (argv.size() > 1 && !passing.sub_command.empty() && argv[1] == passing.sub_command)
      return passing.run({argv.begin() + 2, argv.end()});
  }
  return std::nullopt;
}

bool is_command(std::string_view name) {
  return std::ranges::any_of(commands(),
                             [&](const Command &command) { return command.name == name; });
}

int run(int argc, char **argv) {
  if (auto passed = run_passing({argv, argv + argc}))
    return *passed;

  if (argc > 1 && argv[1][0] != '-' && !is_command(argv[1]))
    return report_error({fmt::format("there is no command '{}'", argv[1]), "see `culprit --help`"});

  CLI::App app(
      "culprit finds what AddressSanitizer and Valgrind cannot: corruption far from its crash, and "
      "data structures that are wrong while every pointer is valid.",
      "culprit");
  app.set_version_flag("--version", fmt::format("culprit {}", report::kVersion));
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  for (const Passing &passing : kPassing)
    if (!passing.sub_command.empty()) // listed for --help; never parsed here
      app.add_subcommand(std::string(passing.sub_command), passing.summary);
  std::vector<std::pair<CLI::App *, Action>> actions;
  for (const Command &command : commands()) {
    CLI::App *sub = app.add_subcommand(command.name, command.summary);
    actions.emplace_back(sub, command.declare(*sub));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &asked) { // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError &error) {
    std::string what = error.what();
    std::ranges::replace(what, '\n', ' ');
    const auto parsed = app.get_subcommands();
    return report_error({what, fmt::format("see `culprit {}{}--help`",
                                           parsed.empty() ? "" : parsed.front()->get_name(),
                                           parsed.empty() ? "" : " ")});
  }
  launch::handle_interrupts();
  for (const auto &[sub, action] : actions)
    if (sub->parsed())
      return action();
  return kCannot;
}

} // namespace

} // namespace culprit::cli

int main(int argc, char **argv) {
  try {
    return culprit::cli::run(argc, argv);
  } catch (
      const std::exception &error) { // out of memory, a file system that fails in an unforeseen way
    return culprit::cli::report_error({error.what(), {}});
  }
}
