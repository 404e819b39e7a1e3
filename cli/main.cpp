// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry of `culprit-engine`, which does everything but compile: the front (front.cpp) becomes
// it. Under the name `culprit-ld` it is the shim between clang and the linker.
#include "cli/command.h"
#include "cli/input_options.h"
#include "cli/link_shim.h"

#include "engine/launch/interrupt.h"
#include "report/document.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <span>

namespace culprit::cli {

namespace {

bool is_command(std::string_view name) {
  return std::ranges::any_of(commands(),
                             [&](const Command &command) { return command.name == name; });
}

// The first word before `--` that looks like an option of the command and is none. CLI11 lists what
// was left over instead, which is rather what the unknown option should have taken.
std::string_view unknown_option(const CLI::App &command, std::span<char *> words) {
  for (std::string_view word : words) {
    if (word == "--")
      break;
    if (word.size() < 2 || word[0] != '-')
      continue;
    auto name = word[1] == '-' ? word.substr(0, word.find('=')) : word.substr(0, 2);
    if (!command.get_option_no_throw(std::string(name)))
      return name;
  }
  return {};
}

int run(int argc, char **argv) {
  if (std::filesystem::path(argv[0]).filename() == "culprit-ld")
    return link_shim({argv + 1, argv + argc});

  if (argc > 1 && argv[1][0] != '-' && !is_command(argv[1]))
    return report_error({fmt::format("there is no command '{}'", argv[1]), "see `culprit --help`"});

  CLI::App app(
      "culprit finds what AddressSanitizer and Valgrind cannot: corruption far from its crash, and "
      "data structures that are wrong while every pointer is valid.",
      "culprit");
  app.set_version_flag("--version", fmt::format("culprit {}", report::kVersion));
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  // Done by the front (front.cpp) and listed here for --help.
  app.add_subcommand("cc", "compile and link C (arguments as clang's)");
  app.add_subcommand("c++", "compile and link C++ (arguments as clang's)");
  std::vector<std::pair<CLI::App *, Action>> actions;
  for (const Command &command : commands()) {
    CLI::App *sub = app.add_subcommand(command.name, command.summary);
    actions.emplace_back(sub, command.declare(*sub));
  }
  try {
    std::vector<std::string> words = with_marks(std::span(argv + 1, argv + argc));
    std::ranges::reverse(words); // as CLI11 wants them
    app.parse(std::move(words));
  } catch (const CLI::Success &asked) { // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError &error) {
    std::string what = error.what();
    std::ranges::replace(what, '\n', ' ');
    const auto parsed = app.get_subcommands();
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) && !parsed.empty())
      if (auto option = unknown_option(*parsed.front(), std::span(argv + 1, argv + argc));
          !option.empty())
        what = fmt::format("there is no option '{}'", option);
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
