// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/input_options.h"

#include "engine/launch/shell_words.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace culprit::cli {

namespace {
constexpr char kMark = '\1';

std::string without_mark(const std::string &word) {
  return word.starts_with(kMark) ? word.substr(1) : word;
}

// As seen from the current directory.
std::string from_here(const std::string &path) {
  std::error_code ignored;
  const std::string here = std::filesystem::current_path(ignored).string() + "/";
  return path.starts_with(here) ? path.substr(here.size()) : path;
}
} // namespace

std::optional<std::string> file_of_standard_input() {
  struct stat status{};
  std::error_code error;
  if (::fstat(STDIN_FILENO, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink == 0)
    return std::nullopt;
  const std::string file = std::filesystem::read_symlink("/proc/self/fd/0", error).string();
  return error ? std::nullopt : std::optional(from_here(file));
}

std::string shown_run(const std::string &program, const std::vector<std::string> &arguments,
                      const std::optional<std::string> &standard_input) {
  launch::ShellLine line{{program}, {}};
  for (const std::string &argument : arguments)
    line.words.push_back(from_here(argument));
  if (standard_input)
    line.standard_input = from_here(*standard_input);
  return launch::shell_quote(line);
}

std::vector<std::string> with_marks(std::span<const char *const> words) {
  std::vector<std::string> marked;
  bool behind = false;
  for (std::string word : words) {
    const bool is_list = word.starts_with('[') && word.ends_with(']');
    if (behind && (is_list || word.starts_with(kMark)))
      word.insert(word.begin(), kMark);
    behind |= word == "--";
    marked.push_back(std::move(word));
  }
  return marked;
}

InputOptions::InputOptions() : jobs(std::max(1U, std::thread::hardware_concurrency())) {}

void InputOptions::declare(CLI::App &app, ProgramIs program, Runs runs) {
  app.add_option("PROG", command, "the program and its arguments, after `--`")
      ->required(program == ProgramIs::required)
      ->transform(without_mark);
  if (runs == Runs::many) {
    auto *directory =
        app.add_option("--inputs", inputs,
                       "one run for each file of DIR, put in place of @@ (else standard input)");
    directory->type_name("DIR");
    app.add_option(
           "--cases", cases,
           "one run for each line of FILE: arguments in shell quoting, `< FILE` for standard input")
        ->type_name("FILE")
        ->excludes(directory);
    app.add_option("-j", jobs, "runs at once (default: the machine's cores)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
  }
  app.add_option("--timeout", timeout_seconds,
                 "end a run after so many seconds (default: never; locate and triage: by how long "
                 "the first takes)")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 1e6));
  app.add_option("--private", private_directories,
                 "a further directory whose changes are thrown away after each run")
      ->type_name("DIR")
      ->allow_extra_args(false);
}

Result<std::vector<launch::Case>>
InputOptions::read_cases(const std::filesystem::path &scratch) const {
  const std::vector<std::string> arguments(command.begin() + 1, command.end());
  if (!inputs.empty())
    return launch::cases_of_directory(inputs, arguments);
  if (!cases.empty())
    return launch::cases_of_file(cases, arguments);
  auto single = launch::single_case(arguments, STDIN_FILENO, scratch / "standard-input");
  if (!single)
    return std::unexpected(single.error());
  return std::vector{std::move(*single)};
}

std::vector<launch::Request> InputOptions::requests(const launch::Program &program,
                                                    std::vector<launch::Case> cases) const {
  std::vector<launch::Request> all;
  for (launch::Case &input : cases) {
    launch::Request request{.program = program, .input = std::move(input)};
    for (const std::string &directory : private_directories)
      request.private_directories.emplace_back(directory);
    request.limits.timeout =
        std::chrono::milliseconds(static_cast<int64_t>(timeout_seconds * 1000));
    all.push_back(std::move(request));
  }
  return all;
}

std::string InputOptions::shown(const launch::Case &input) const {
  std::optional<std::string> file;
  if (input.standard_input && inputs.empty() && cases.empty())
    file = file_of_standard_input();
  else if (input.standard_input)
    file = input.standard_input->string();
  return shown_run(command[0], input.arguments, file);
}

} // namespace culprit::cli
