// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See judge.h.
#include "engine/explain/judge.h"

#include "engine/launch/launch.h"
#include "engine/launch/temporary.h"

#include <fmt/format.h>
#include <optional>
#include <sys/wait.h>

namespace culprit::explain {
namespace {

constexpr std::chrono::seconds kPatience{60}; // with an oracle
constexpr int kSignalled = 128;               // as a shell has it
constexpr int kTimedOut = 124;                // as timeout(1) has it

std::optional<int> code_of(const launch::Status &status) {
  switch (status.ending) {
  case launch::Ending::exited:
    return status.code;
  case launch::Ending::signalled:
    return status.code + kSignalled;
  case launch::Ending::timed_out:
    return kTimedOut;
  case launch::Ending::cancelled:
  case launch::Ending::over_limit:
    break;
  }
  return std::nullopt;
}

} // namespace

bool is_same_end(const End &one, const Tables &tables, const End &other,
                 const Tables &other_tables) {
  if (one.how != End::How::ended || other.how != End::How::ended || one.status != other.status)
    return false;
  if (WIFSIGNALED(one.status)) {
    const Site *x = tables.site(one.site);
    const Site *y = other_tables.site(other.site);
    return x != nullptr && y != nullptr && x->id == y->id;
  }
  return one.out == other.out && one.err == other.err;
}

Result<Verdict> ask_oracle(const std::string &command, const Ended &run,
                           const std::filesystem::path &scratch) {
  const std::optional<int> code = code_of(run.status);
  if (!code)
    return Verdict::unresolved;
  auto directory = launch::TemporaryDirectory::create(scratch);
  if (!directory)
    return std::unexpected(directory.error());
  const std::filesystem::path out = directory->path() / "out";
  const std::filesystem::path err = directory->path() / "err";
  for (const auto &[file, text] : {std::pair{&out, &run.out}, {&err, &run.err}})
    if (auto written = launch::write_atomically(*file, *text); !written)
      return std::unexpected(written.error());
  launch::Request request{.program = {.original = "/bin/sh"},
                          .input = {.arguments = {"-c", command}, .standard_input = out}};
  request.limits.timeout = kPatience;
  request.privacy = launch::Privacy::none;
  request.environment.set = {{"CULPRIT_STATUS", std::to_string(*code)},
                             {"CULPRIT_STDERR", err.string()}};
  auto answer = launch::run(request);
  if (!answer)
    return std::unexpected(answer.error());
  if (answer->status.ending != launch::Ending::exited || answer->status.code > 1)
    return Verdict::unresolved;
  return answer->status.code == 0 ? Verdict::passes : Verdict::fails;
}

} // namespace culprit::explain
