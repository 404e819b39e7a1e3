// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/launch.h"

#include "abi/environment.h"
#include "engine/launch/abilities.h"
#include "engine/launch/changes.h"
#include "engine/launch/copy_tree.h"
#include "engine/launch/init_process.h"
#include "engine/launch/private_files.h"
#include "engine/launch/runtime_options.h"
#include "engine/launch/spawn.h"
#include "engine/launch/temporary.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace culprit::launch {
namespace {

namespace fs = std::filesystem;

Result<fs::path> absolute_program(const fs::path &program) {
  std::optional<fs::path> found = find_program(program.string());
  if (!found)
    return fail(fmt::format("cannot run '{}': not found in PATH", program.string()),
                "name it by its path, for instance ./" + program.string());
  std::error_code error;
  return fs::absolute(*found, error).lexically_normal();
}

// Names are sorted, because the order we inherit depends on who started us; the runtime's variable
// is always there and always of one length. What the user set is the user's.
Variables target_environment(const Request &request, const std::string &runtime_options,
                             const std::string &program, const std::string &directory) {
  Variables variables;
  if (request.environment.inherit)
    variables = own_environment();
  for (const std::string &name : request.environment.unset)
    std::erase_if(variables, [&](const auto &variable) { return variable.first == name; });
  auto set_if_present = [&](const char *name, const std::string &value) {
    for (auto &variable : variables)
      if (variable.first == name)
        variable.second = value;
  };
  set_if_present("_", program); // a shell would have named the program here, and it named us
  set_if_present("PWD", directory);
  set_variables(variables, request.environment.set);
  set_variables(variables, {{CULPRIT_RUNTIME_VARIABLE, runtime_options}});
  std::ranges::sort(variables);
  return variables;
}

// Without a mount namespace the dynamic loader is told to look here first.
void prefer_replacements(const Program &program, const fs::path &scratch, Variables &variables) {
  if (program.substitutions.empty())
    return;
  std::error_code error;
  fs::path links = scratch / "objects";
  fs::create_directory(links, error);
  for (const Substitution &substitution : program.substitutions)
    fs::create_symlink(fs::absolute(substitution.replacement, error),
                       links / substitution.original.filename(), error);
  std::string path = links.string();
  for (const auto &[name, value] : variables)
    if (name == "LD_LIBRARY_PATH" && !value.empty())
      path += ":" + value;
  set_variables(variables, {{"LD_LIBRARY_PATH", path}});
  std::ranges::sort(variables);
}

class Launch {
public:
  // `changed_files`: as run_and_look() has it; null: nobody asks, so copies need not be walked.
  Launch(const Request &request, fs::path original, fs::path scratch, bool *changed_files)
      : request_(request), original_(std::move(original)), scratch_(std::move(scratch)),
        changed_files_(changed_files), abilities_(known_abilities(request.namespaces)) {}

  Result<Outcome> run(const std::stop_token &stop) {
    fs::path input = request_.input.standard_input.value_or("/dev/null");
    for (int attempt = 0;; ++attempt) {
      // Opened anew each time: descriptors share their offset.
      Descriptor standard_input = open_file(input.c_str(), O_RDONLY);
      if (!standard_input.is_open())
        return fail(fmt::format("cannot read '{}': {}", input.string(), std::strerror(errno)));
      fs::path place = scratch_ / fmt::format("attempt-{}", attempt);
      std::error_code error;
      fs::create_directory(place, error);
      Result<init::Plan> plan = make_plan(place);
      if (!plan)
        return std::unexpected(plan.error());
      Result<InitEnd> end = run_init(
          {*plan, standard_input.get(), request_.capture, request_.limits.output_bytes}, stop);
      if (!end)
        return std::unexpected(end.error());
      std::optional<init::Report> refusal = fatal_refusal(*end);
      if (!refusal)
        return outcome(std::move(*end));
      if (!learn(abilities_, request_.namespaces, *plan, *refusal))
        return explain(*plan, *refusal);
    }
  }

private:
  bool can_mount() const { return abilities_.namespaces != init::Namespaces::none; }

  Result<init::Plan> make_plan(const fs::path &place) {
    Result<PrivateFiles> files = arrange_private_files(request_, abilities_, place);
    if (!files)
      return std::unexpected(files.error());
    notes_ = std::move(files->notes);
    run_file_ = files->run_file;
    copies_.clear();
    if (changed_files_ != nullptr)
      for (const fs::path &copy : files->copies)
        copies_.push_back({copy, tree_state(copy)});
    Variables options = request_.runtime_options;
    if (run_file_)
      set_variables(options, {{"run", run_file_->string()}});
    Result<std::string> encoded = encode_runtime_options(options);
    if (!encoded)
      return std::unexpected(encoded.error());
    init::Plan plan;
    plan.parent = ::getpid();
    plan.namespaces = abilities_.namespaces;
    plan.process_namespace = abilities_.process_namespace;
    plan.user = ::geteuid();
    plan.group = ::getegid();
    plan.overlays = std::move(files->overlays);
    plan.memory_for_changes = request_.limits.private_bytes;
    plan.binds = std::move(files->binds);
    plan.directory = files->directory;
    plan.stack_bytes = request_.limits.stack_bytes;
    plan.timeout_milliseconds = static_cast<uint64_t>(request_.limits.timeout.count());
    plan.memory_bytes = request_.limits.memory_bytes;
    plan.file_bytes = request_.limits.file_bytes;
    plan.fix_addresses = request_.fix_addresses;

    const Program &program = request_.program;
    Variables variables = target_environment(request_, *encoded, original_, plan.directory);
    plan.executable = original_;
    if (can_mount()) {
      if (!program.executable.empty() && program.executable != program.original)
        replace(plan, original_, program.executable);
      for (const Substitution &substitution : program.substitutions)
        replace(plan, substitution.original, substitution.replacement);
    } else {
      std::error_code error;
      if (!program.executable.empty())
        plan.executable = fs::absolute(program.executable, error);
      prefer_replacements(program, place, variables);
    }
    if (!program.under.empty())
      plan.executable = program.under[0];
    plan.arguments = program.under;
    plan.arguments.push_back(program.name.empty() ? program.original.string() : program.name);
    plan.arguments.insert(plan.arguments.end(), request_.input.arguments.begin(),
                          request_.input.arguments.end());
    plan.environment = to_entries(variables);
    return plan;
  }

  static void replace(init::Plan &plan, const fs::path &original, const fs::path &replacement) {
    std::error_code error;
    plan.binds.push_back({fs::absolute(replacement, error), fs::absolute(original, error)});
  }

  static std::optional<init::Report> fatal_refusal(const InitEnd &end) {
    for (const init::Report &report : end.reports)
      if (report.said == init::Said::refused && report.step != init::Step::addresses)
        return report;
    return std::nullopt;
  }

  std::unexpected<Error> explain(const init::Plan &plan, const init::Report &refusal) const {
    std::string reason = std::strerror(refusal.error);
    std::string name = request_.program.original.string();
    std::string hint;
    switch (refusal.step) {
    case init::Step::directory:
      return fail(fmt::format("cannot run '{}' in '{}': {}", name, plan.directory, reason));
    case init::Step::bind: {
      const init::Bind &bind = plan.binds.at(refusal.index);
      if (bind.target == original_)
        return fail(fmt::format("cannot run '{}' as '{}': {}", name, bind.source, reason));
      return fail(
          fmt::format("cannot put '{}' in place of '{}': {}", bind.source, bind.target, reason));
    }
    case init::Step::execute:
      if (refusal.error == ENOEXEC)
        hint = "it is no executable for this machine";
      else if (refusal.error == EACCES)
        hint = "it is not an executable file, or lies on a file system mounted with noexec";
      else if (refusal.error == ENOENT && ::access(plan.executable.c_str(), F_OK) == 0)
        hint = "the file is there, but not the loader or interpreter it asks for";
      if (plan.executable != original_)
        return fail(fmt::format("cannot run '{}' as '{}': {}", name, plan.executable, reason),
                    hint);
      return fail(fmt::format("cannot run '{}': {}", name, reason), hint);
    default:
      return fail(fmt::format("cannot run '{}': launching failed at step {}: {}", name,
                              static_cast<int>(refusal.step), reason));
    }
  }

  bool has_changed_files(const InitEnd &end) const {
    return request_.privacy == Privacy::none ||
           std::ranges::any_of(
               copies_, [](const Copy &copy) { return tree_state(copy.path) != copy.state; }) ||
           std::ranges::any_of(end.reports, [](const init::Report &report) {
             return report.said == init::Said::changed;
           });
  }

  Result<Outcome> outcome(InitEnd end) {
    Outcome result;
    result.out = std::move(end.out.text);
    result.err = std::move(end.err.text);
    result.out_discarded = end.out.discarded;
    result.err_discarded = end.err.discarded;
    result.notes = std::move(notes_);
    add_notes(result.notes);
    bool known = false;
    if (changed_files_ != nullptr)
      *changed_files_ = has_changed_files(end);
    for (const init::Report &report : end.reports) {
      if (report.said == init::Said::ended) {
        known = true;
        result.status = status_of(report);
        result.wall = std::chrono::microseconds(report.wall_microseconds);
        result.user = std::chrono::microseconds(report.user_microseconds);
        result.system = std::chrono::microseconds(report.system_microseconds);
        result.peak_bytes = report.peak_bytes;
      } else if (report.said == init::Said::refused && report.step == init::Step::addresses) {
        result.notes.push_back(
            fmt::format("addresses are not fixed: {}", std::strerror(report.error)));
      }
    }
    if (!known && !end.asked_to_stop)
      return fail(fmt::format("lost sight of '{}': the process that watched it was killed",
                              request_.program.original.string()),
                  "was the machine out of memory?");
    if (!known)
      result.status = {Ending::cancelled, 0};
    if (Result<void> kept = keep_run_files(); !kept)
      return std::unexpected(kept.error());
    fs::path asked_for = run_file_option(request_.runtime_options);
    if (std::error_code error; !asked_for.empty() && fs::exists(asked_for, error))
      result.run_file = asked_for;
    return result;
  }

  // From where they had to be written to where they were asked for; children of the target have
  // written some, too.
  Result<void> keep_run_files() const {
    if (!run_file_)
      return {};
    std::error_code error;
    fs::path parent = fs::absolute(run_file_option(request_.runtime_options), error).parent_path();
    for (fs::directory_iterator entry(run_file_->parent_path(), error), end; !error && entry != end;
         entry.increment(error)) {
      fs::path to = parent / entry->path().filename();
      std::error_code problem;
      fs::rename(entry->path(), to, problem);
      if (problem) // another file system
        fs::copy_file(entry->path(), to, fs::copy_options::overwrite_existing, problem);
      if (problem)
        return fail(fmt::format("cannot write '{}': {}", to.string(), problem.message()));
    }
    return {};
  }

  void add_notes(std::vector<std::string> &notes) const {
    auto refused = [&](const char *what) {
      auto found = abilities_.refusals.find(what);
      return found == abilities_.refusals.end() ? std::string("not wanted") : found->second;
    };
    if (!can_mount())
      notes.push_back(
          fmt::format("no mount namespace ({}): the target can see that it runs as '{}'",
                      refused("namespaces"), request_.program.executable.string()));
    if (!abilities_.process_namespace)
      notes.push_back(fmt::format("process numbers are not fixed ({})",
                                  refused(can_mount() ? "process namespace" : "namespaces")));
  }

  static Status status_of(const init::Report &report) {
    switch (report.ended_by) {
    case init::EndedBy::timeout:
      return {Ending::timed_out, 0};
    case init::EndedBy::memory:
      return {Ending::over_limit, 0};
    case init::EndedBy::request:
      return {Ending::cancelled, 0};
    case init::EndedBy::itself:
      break;
    }
    return status_of_wait(report.wait_status);
  }

  const Request &request_;
  fs::path original_;
  fs::path scratch_;
  bool *changed_files_;
  Abilities abilities_;
  std::vector<std::string> notes_;
  std::optional<fs::path> run_file_; // see PrivateFiles::run_file
  struct Copy {
    fs::path path;
    uint64_t state; // before the launch
  };
  std::vector<Copy> copies_;
};

} // namespace

static Outcome cancelled() {
  Outcome outcome;
  outcome.status = {Ending::cancelled, 0};
  return outcome;
}

static Result<Outcome> launch(const Request &request, bool *changed_files,
                              const std::stop_token &stop) {
  if (stop.stop_requested())
    return cancelled();
  Result<fs::path> original = absolute_program(request.program.original);
  if (!original)
    return std::unexpected(original.error());
  if (Result<std::string> options = encode_runtime_options(request.runtime_options); !options)
    return std::unexpected(options.error());
  Result<TemporaryDirectory> scratch = TemporaryDirectory::create();
  if (!scratch)
    return std::unexpected(scratch.error());
  std::error_code error;
  fs::path place = fs::canonical(scratch->path(), error);
  return Launch(request, *original, place, changed_files).run(stop);
}

Result<Outcome> run(const Request &request, std::stop_token stop) {
  return launch(request, nullptr, stop);
}

Result<Outcome> run_and_look(const Request &request, bool &changed_files, std::stop_token stop) {
  return launch(request, &changed_files, stop);
}

std::vector<std::optional<Result<Outcome>>> run_all(std::span<const Request> requests,
                                                    unsigned jobs, const LaunchDone &done,
                                                    std::stop_token stop) {
  std::vector<std::optional<Result<Outcome>>> outcomes(requests.size());
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  auto work = [&] {
    for (;;) {
      size_t index = next.fetch_add(1);
      if (index >= requests.size() || stop.stop_requested())
        return;
      Result<Outcome> outcome = run(requests[index], stop);
      std::scoped_lock lock(mutex);
      outcomes[index] = std::move(outcome);
      if (done)
        done(index, *outcomes[index]);
    }
  };
  std::vector<std::jthread> workers;
  size_t count = std::clamp<size_t>(jobs, 1, std::max<size_t>(requests.size(), 1));
  for (size_t i = 1; i < count; ++i)
    workers.emplace_back(work);
  work();
  workers.clear(); // joins
  return outcomes;
}

} // namespace culprit::launch
