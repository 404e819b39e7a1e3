// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See execution.h.
#include "engine/locate/execution.h"

#include "abi/locate.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace culprit::locate {

namespace fs = std::filesystem;

namespace {

// The process that was started first comes first: a child's file has the name of its parent's and
// more.
std::vector<fs::path> run_files(const fs::path &directory) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(directory, error))
    if (entry.path().filename().string().starts_with("run"))
      files.push_back(entry.path());
  std::ranges::sort(files, [](const fs::path &a, const fs::path &b) {
    const std::string x = a.filename().string();
    const std::string y = b.filename().string();
    return std::pair(x.size(), x) < std::pair(y.size(), y);
  });
  return files;
}

// What is said beside `fired`.
void take_target(Execution &execution, const run::Target &met) {
  if (execution.fired.empty() || met.numbers.id != execution.fired.back().id)
    return;
  Fired &fired = execution.fired.back();
  fired.before = met.numbers.before;
  fired.beside = met.numbers.beside;
  fired.through = met.numbers.through;
  fired.address = met.numbers.address;
  fired.stack = met.addresses;
}

void take(Execution &execution, run::RunFile file, bool first) {
  std::vector<run::Module> modules;
  bool crashed = false;
  for (run::Record &record : file.records) {
    if (const auto *fired = std::get_if<run::Fired>(&record.what))
      execution.fired.push_back({.id = fired->numbers.id, .count = fired->numbers.count});
    if (auto *module = std::get_if<run::Module>(&record.what))
      modules.push_back(std::move(*module));
    if (const auto *target = std::get_if<run::Target>(&record.what); target && !execution.crash)
      take_target(execution, *target);
    if (auto *astray = std::get_if<run::Astray>(&record.what))
      execution.astray.push_back(std::move(*astray));
    if (auto *brought = std::get_if<run::Brought>(&record.what))
      execution.brought.push_back(std::move(*brought));
    if (const auto *pieces = std::get_if<run::Assembled>(&record.what); pieces && !execution.crash)
      execution.assembled = pieces->numbers;
    if (const auto *more = std::get_if<run::Arguments>(&record.what); more && !execution.crash)
      execution.arguments = more->numbers;
    if (auto *crash = std::get_if<run::Crash>(&record.what); crash && !execution.crash) {
      execution.crash = std::move(*crash);
      crashed = true;
    }
  }
  if (first || crashed)
    execution.modules = std::move(modules);
}

} // namespace

Result<Execution> read_execution(const fs::path &directory) {
  const std::vector<fs::path> files = run_files(directory);
  if (files.empty())
    return fail("the target wrote no run file",
                "its runtime did not start; is it statically linked, or set-user-id?");
  Execution execution;
  for (size_t i = 0; i < files.size(); ++i) {
    auto file = run::read(files[i]);
    // A child may have died before its first record.
    if (!file && i == 0)
      return std::unexpected(file.error());
    if (file)
      take(execution, std::move(*file), i == 0);
  }
  return execution;
}

namespace {

std::string difference_of_ends(const Execution &first, const Execution &second) {
  if (first.status != second.status)
    return fmt::format("the end differs: {} and {}", launch::describe(first.status),
                       launch::describe(second.status));
  if (first.crash.has_value() != second.crash.has_value())
    return "one of two executions crashed, the other did not";
  if (!first.crash)
    return {};
  culprit_record_crash a = first.crash->numbers;
  culprit_record_crash b = second.crash->numbers;
  a.flags = b.flags = 0;                                   // how it came to the same
  if (a.kind == CULPRIT_CRASH_ENDLESS && b.kind == a.kind) // where it was when its time was over
    a.pc = b.pc = a.frames = b.frames = 0;
  if (a.kind != b.kind || a.signal != b.signal || a.place != b.place)
    return "two executions crashed in different ways";
  if (a.clock != b.clock)
    return fmt::format("two executions differ before they crash: {} and {} definitions",
                       a.clock >> CULPRIT_ID_TIME_SHIFT, b.clock >> CULPRIT_ID_TIME_SHIFT);
  if (std::memcmp(&a, &b, sizeof a) != 0)
    return "two executions crashed at the same moment, but not for the same values";
  return {};
}

bool depends_on_time(const Execution &execution) {
  return execution.crash && (execution.crash->numbers.flags & CULPRIT_CRASH_THREADS) != 0;
}

} // namespace

std::string difference(const Execution &first, const Execution &second) {
  std::string what = difference_of_ends(first, second);
  if (!what.empty() && (depends_on_time(first) || depends_on_time(second)))
    what += "; which of its threads runs when depends on time (a signal, or a wait for another "
            "process)";
  return what;
}

} // namespace culprit::locate
