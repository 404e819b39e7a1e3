// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/cases.h"

#include "engine/launch/descriptor.h"
#include "engine/launch/shell_words.h"
#include "engine/launch/stop_event.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <poll.h>
#include <unistd.h>

namespace culprit::launch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlaceholder = "@@";
constexpr std::string_view kFuzzerReadme = "README.txt"; // AFL puts one beside the crashes

bool has_placeholder(std::span<const std::string> arguments) {
  return std::ranges::any_of(arguments, [](const std::string &argument) {
    return argument.find(kPlaceholder) != std::string::npos;
  });
}

std::vector<std::string> with_file(std::span<const std::string> arguments,
                                   const std::string &file) {
  std::vector<std::string> result(arguments.begin(), arguments.end());
  for (std::string &argument : result)
    for (size_t at = argument.find(kPlaceholder); at != std::string::npos;
         at = argument.find(kPlaceholder, at + file.size()))
      argument.replace(at, kPlaceholder.size(), file);
  return result;
}

fs::path made_absolute(const fs::path &path) {
  std::error_code error;
  fs::path result = fs::absolute(path, error);
  return error ? path : result.lexically_normal();
}

// Readable and not a directory: a device or a pipe is the user's choice.
Result<fs::path> input_file(const fs::path &path) {
  std::error_code error;
  if (fs::is_directory(path, error))
    return fail(fmt::format("cannot read '{}': Is a directory", path.string()));
  if (::access(path.c_str(), R_OK) != 0)
    return fail(fmt::format("cannot read '{}': {}", path.string(), std::strerror(errno)));
  return made_absolute(path);
}

Case case_of_input(const fs::path &file, std::span<const std::string> arguments,
                   std::string label) {
  if (has_placeholder(arguments))
    return {with_file(arguments, file.string()), std::nullopt, std::move(label)};
  return {{arguments.begin(), arguments.end()}, file, std::move(label)};
}

// AFL users name the output directory, one or two levels above the inputs.
std::string hint_for_empty(const fs::path &directory) {
  std::error_code error;
  for (const char *below : {"crashes", "default/crashes", "queue", "default/queue"})
    if (fs::is_directory(directory / below, error))
      return fmt::format("did you mean '{}'?", (directory / below).string());
  return {};
}

Result<void> copy_to_end(int from, int to, std::stop_token stop) {
  StopEvent stop_event(stop);
  std::array<char, 64 * 1024> buffer;
  for (;;) {
    pollfd events[] = {{from, POLLIN, 0}, {stop_event.descriptor(), POLLIN, 0}};
    if (::poll(events, 2, -1) < 0 && errno != EINTR)
      return fail(std::strerror(errno));
    if (stop.stop_requested())
      return fail("interrupted");
    if (events[0].revents == 0)
      continue;
    ssize_t count = ::read(from, buffer.data(), buffer.size());
    if (count == 0)
      return {};
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (count < 0 || ::write(to, buffer.data(), static_cast<size_t>(count)) != count)
      return fail(std::strerror(errno));
  }
}

} // namespace

Result<Case> single_case(std::vector<std::string> arguments, int standard_input,
                         const fs::path &captured, std::stop_token stop) {
  Case result{.arguments = std::move(arguments)};
  result.label = shell_quote(ShellLine{result.arguments, {}});
  // nohup leaves a standard input that can only be written to.
  int mode = ::fcntl(standard_input, F_GETFL);
  if (mode < 0 || (mode & O_ACCMODE) == O_WRONLY || ::isatty(standard_input))
    return result;
  Descriptor file = open_file(captured.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (!file.is_open())
    return fail(fmt::format("cannot write '{}': {}", captured.string(), std::strerror(errno)));
  Result<void> copied = copy_to_end(standard_input, file.get(), std::move(stop));
  if (!copied)
    return fail(fmt::format("cannot capture standard input: {}", copied.error().what));
  result.standard_input = made_absolute(captured);
  return result;
}

Result<std::vector<Case>> cases_of_directory(const fs::path &directory,
                                             std::span<const std::string> arguments) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_regular_file(ignored) && entry->path().filename() != kFuzzerReadme)
      files.push_back(entry->path());
  }
  if (error)
    return fail(fmt::format("cannot read '{}': {}", directory.string(), error.message()),
                "--inputs takes a directory of input files");
  if (files.empty())
    return fail(fmt::format("'{}' holds no input files", directory.string()),
                hint_for_empty(directory));
  std::ranges::sort(files, {}, [](const fs::path &file) { return file.filename().native(); });
  std::vector<Case> cases;
  for (const fs::path &file : files) {
    Result<fs::path> readable = input_file(file);
    if (!readable)
      return std::unexpected(readable.error());
    cases.push_back(case_of_input(*readable, arguments, file.filename().string()));
  }
  return cases;
}

Result<Case> case_of_text(std::string_view text, std::span<const std::string> arguments) {
  bool placeholder = has_placeholder(arguments);
  std::error_code error;
  if (placeholder && fs::exists(fs::path(text), error)) { // a path with blanks needs no quotes
    Result<fs::path> file = input_file(fs::path(text));
    if (!file)
      return std::unexpected(file.error());
    return case_of_input(*file, arguments, std::string(text));
  }
  Result<ShellLine> line = parse_shell_line(text);
  if (!line)
    return std::unexpected(line.error());
  Case result{.label = shell_quote(*line)};
  if (placeholder) {
    if (line->words.size() != 1)
      return fail(fmt::format("'{}' is not one file, which '@@' stands for", text));
    Result<fs::path> file = input_file(line->words[0]);
    if (!file)
      return std::unexpected(file.error());
    result.arguments = with_file(arguments, file->string());
  } else {
    result.arguments.assign(arguments.begin(), arguments.end());
    result.arguments.insert(result.arguments.end(), line->words.begin(), line->words.end());
  }
  if (line->standard_input) {
    Result<fs::path> file = input_file(*line->standard_input);
    if (!file)
      return std::unexpected(file.error());
    result.standard_input = std::move(*file);
  }
  return result;
}

Result<std::vector<Case>> cases_of_file(const fs::path &file,
                                        std::span<const std::string> arguments) {
  std::error_code error;
  std::ifstream stream(file);
  if (!stream || fs::is_directory(file, error))
    return fail(fmt::format("cannot read '{}': {}", file.string(),
                            std::strerror(error    ? error.value()
                                          : stream ? EISDIR
                                                   : errno)));
  std::vector<Case> cases;
  std::string text;
  for (size_t number = 1; std::getline(stream, text); ++number) {
    size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string::npos || text[begin] == '#')
      continue;
    text.erase(text.find_last_not_of("\r") + 1);
    Result<Case> parsed = case_of_text(text, arguments);
    if (!parsed)
      return fail(fmt::format("{}:{}: {}", file.string(), number, parsed.error().what),
                  parsed.error().hint);
    cases.push_back(std::move(*parsed));
  }
  if (cases.empty())
    return fail(fmt::format("'{}' holds no cases", file.string()),
                "write one line for each run: its arguments, in shell quoting");
  return cases;
}

} // namespace culprit::launch
