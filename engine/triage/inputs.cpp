// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/triage/inputs.h"

#include "engine/build/file_bytes.h"

#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit::triage {

namespace {

namespace fs = std::filesystem;

// AFL++ moves the crashes of an earlier session to `crashes.<date>`.
bool is_crash_folder(const fs::directory_entry &entry) {
  const std::string name = entry.path().filename().string();
  std::error_code ignored;
  return (name == "crashes" || name.starts_with("crashes.")) && entry.is_directory(ignored);
}

std::vector<fs::path> folders_in(const fs::path &directory,
                                 bool (*wanted)(const fs::directory_entry &)) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error))
    if (wanted(*entry))
      found.push_back(entry->path());
  std::ranges::sort(found);
  return found;
}

bool is_folder(const fs::directory_entry &entry) {
  std::error_code ignored;
  return entry.is_directory(ignored) && !entry.is_symlink(ignored);
}

// The folders whose files are the inputs.
std::vector<fs::path> folders_of_inputs(const fs::path &directory) {
  std::vector<fs::path> folders = folders_in(directory, is_crash_folder);
  if (folders.empty())
    for (const fs::path &fuzzer : folders_in(directory, is_folder))
      std::ranges::move(folders_in(fuzzer, is_crash_folder), std::back_inserter(folders));
  if (folders.empty())
    folders.push_back(directory);
  return folders;
}

void add(std::string &text, char kind, std::string_view bytes) {
  text += fmt::format("{}{} {};", kind, bytes.size(), digest_text(bytes));
}

// With the file at its place: what is named by an argument is read, whatever its name.
std::string digest_of_case(const launch::Case &run) {
  std::string text = "case;";
  for (const std::string &argument : run.arguments) {
    if (const auto bytes = build::FileBytes::map(argument))
      add(text, 'f', bytes->view());
    add(text, 'a', argument);
  }
  if (run.standard_input)
    if (const auto bytes = build::FileBytes::map(*run.standard_input))
      add(text, 'i', bytes->view());
  return digest_text(text);
}

std::string digest_of_file(std::string_view bytes, std::span<const std::string> arguments) {
  std::string text = "file;";
  for (const std::string &argument : arguments)
    add(text, 'a', argument);
  add(text, 'f', bytes);
  return digest_text(text);
}

} // namespace

std::string digest_text(std::string_view bytes) {
  return fmt::format("{:016x}", llvm::xxh3_64bits(llvm::StringRef(bytes.data(), bytes.size())));
}

Result<std::vector<Input>> inputs_of_directory(const fs::path &directory,
                                               std::span<const std::string> arguments) {
  std::vector<Input> inputs;
  const std::vector<fs::path> folders = folders_of_inputs(directory);
  Error nothing;
  for (const fs::path &folder : folders) {
    auto cases = launch::cases_of_directory(folder, arguments);
    if (!cases && folders.size() > 1) { // a fuzzer that found nothing
      nothing = cases.error();
      continue;
    }
    if (!cases)
      return std::unexpected(cases.error());
    for (launch::Case &run : *cases) {
      Input input{.name = parse_fuzzer_name(run.label)};
      auto bytes = build::FileBytes::map(folder / run.label);
      if (!bytes)
        return std::unexpected(bytes.error());
      input.digest = digest_of_file(bytes->view(), arguments);
      if (folder != directory)
        run.label = (folder / run.label).lexically_relative(directory).string();
      input.run = std::move(run);
      inputs.push_back(std::move(input));
    }
  }
  if (inputs.empty())
    return std::unexpected(nothing);
  return inputs;
}

Result<std::vector<Input>> inputs_of_cases(const fs::path &file,
                                           std::span<const std::string> arguments) {
  auto cases = launch::cases_of_file(file, arguments);
  if (!cases)
    return std::unexpected(cases.error());
  std::vector<Input> inputs;
  for (launch::Case &run : *cases) {
    std::string digest = digest_of_case(run);
    inputs.push_back({.run = std::move(run), .digest = std::move(digest)});
  }
  return inputs;
}

} // namespace culprit::triage
