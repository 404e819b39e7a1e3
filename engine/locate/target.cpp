// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See target.h.
#include "engine/locate/target.h"

#include "engine/build/file_bytes.h"
#include "engine/build/flavour_set.h"
#include "engine/launch/temporary.h"

#include <fmt/format.h>
#include <functional>

namespace culprit::locate {

namespace fs = std::filesystem;

namespace {

// Of a program that blocks the runtime's signal.
constexpr std::chrono::seconds kGrace{30};

} // namespace

Result<Target::Flavour> Target::make(const Options &options, std::string_view name) {
  auto set = build::FlavourSet::open(name, options.jobs,
                                     [&options, name = std::string(name)](const fs::path &file) {
                                       if (options.on_make)
                                         options.on_make(name, file);
                                     });
  if (!set)
    return std::unexpected(set.error());
  auto program = set->program(options.typed);
  if (!program)
    return std::unexpected(program.error());
  auto tables = read_tables(program->executable);
  if (!tables)
    return std::unexpected(tables.error());
  if (tables->definitions.empty())
    return fail(fmt::format("{}: no code in it can be watched", options.typed),
                "build it with culprit cc or culprit c++; `culprit info` says what it carries");
  auto objects = launch::ObjectService::start(set->object_answer());
  if (!objects)
    return std::unexpected(objects.error());
  return Flavour{std::move(*program), std::move(*tables),
                 std::make_unique<launch::ObjectService>(std::move(*objects))};
}

Result<Target> Target::open(const Options &options) {
  auto trace = make(options, "trace");
  if (!trace)
    return std::unexpected(trace.error());
  Target target;
  target.options_ = options;
  target.trace_ = std::make_unique<Flavour>(std::move(*trace));
  target.suppress_ = std::make_unique<Later>();
  target.reorder_ = std::make_unique<Later>();
  target.origins_ = std::make_unique<Later>();
  return target;
}

Result<const Target::Flavour *> Target::made(Later &later, std::string_view name) const {
  const std::scoped_lock lock(later.mutex);
  if (!later.made) {
    later.made = make(options_, name);
    if (auto &made = *later.made;
        made && (made->tables.definitions.size() != tables().definitions.size() ||
                 made->tables.places.size() != tables().places.size()))
      later.made =
          fail(fmt::format("the locate flavours trace and {} differ in their definitions", name),
               "this is a defect of culprit; `culprit cache --clear` may help");
  }
  if (!*later.made)
    return std::unexpected(later.made->error());
  return &**later.made;
}

Result<Execution> Target::execute(const Flavour &flavour, launch::Request request,
                                  const fs::path &scratch, const Targets *targets,
                                  const Order *order) {
  auto directory = launch::TemporaryDirectory::create(scratch);
  if (!directory)
    return std::unexpected(directory.error());
  request.program = flavour.program;
  request.runtime_options.emplace_back("objects", flavour.objects->socket().string());
  request.runtime_options.emplace_back("run", (directory->path() / "run").string());
  if (targets != nullptr) {
    const fs::path file = directory->path() / "targets";
    if (auto written = launch::write_atomically(file, targets->rows()); !written)
      return std::unexpected(written.error());
    request.runtime_options.emplace_back("targets", file.string());
  }
  const fs::path entered = directory->path() / "entered";
  if (order != nullptr) {
    const fs::path file = directory->path() / "layout";
    if (auto written = launch::write_atomically(file, order->rows); !written)
      return std::unexpected(written.error());
    request.runtime_options.emplace_back("layout", file.string());
    if (order->entered != nullptr)
      request.runtime_options.emplace_back("entered", entered.string());
  }
  const bool limited = request.limits.timeout.count() != 0;
  if (limited) { // the runtime ends it in time, and can say more
    request.runtime_options.emplace_back("endless", std::to_string(request.limits.timeout.count()));
    request.limits.timeout += kGrace;
  }
  auto outcome = launch::run(request);
  if (!outcome)
    return std::unexpected(outcome.error());
  auto execution = read_execution(directory->path());
  if (!execution)
    return std::unexpected(execution.error());
  execution->status = outcome->status;
  if (execution->crash && execution->crash->numbers.kind == CULPRIT_CRASH_ENDLESS)
    execution->status = {.ending = launch::Ending::timed_out};
  execution->wall = outcome->wall;
  execution->output = std::hash<std::string>{}(outcome->out + '\0' + outcome->err);
  execution->notes = std::move(outcome->notes);
  if (order != nullptr && order->entered != nullptr)
    if (auto bytes = build::FileBytes::map(entered))
      for (const char byte : bytes->view())
        order->entered->push_back(byte != 0);
  return execution;
}

Result<Execution> Target::trace(launch::Request common, const fs::path &scratch) const {
  return execute(*trace_, std::move(common), scratch, nullptr);
}

Result<Execution> Target::suppress(launch::Request common, const Targets &targets,
                                   const fs::path &scratch) const {
  auto flavour = made(*suppress_, "suppress");
  if (!flavour)
    return std::unexpected(flavour.error());
  return execute(**flavour, std::move(common), scratch, &targets);
}

Result<Execution> Target::origins(launch::Request common, const Targets &targets,
                                  const fs::path &scratch) const {
  auto flavour = made(*origins_, "origins");
  if (!flavour)
    return std::unexpected(flavour.error());
  common.runtime_options.emplace_back("origins", "1");
  return execute(**flavour, std::move(common), scratch, &targets);
}

Result<Execution> Target::reorder(launch::Request common, const Targets &targets,
                                  const std::string &rows, const fs::path &scratch,
                                  std::vector<bool> *entered) const {
  auto flavour = made(*reorder_, "reorder");
  if (!flavour)
    return std::unexpected(flavour.error());
  const Order order{rows, entered};
  return execute(**flavour, std::move(common), scratch, &targets, &order);
}

Result<Variables> Target::variables() const {
  auto flavour = made(*reorder_, "reorder");
  if (!flavour)
    return std::unexpected(flavour.error());
  return read_variables((*flavour)->program.executable);
}

symbolize::Symbolizer Target::symbolizer(const std::vector<run::Module> &modules,
                                         Which which) const {
  const launch::Program *program = &trace_->program;
  const auto take = [&](Later &later, std::string_view name) {
    if (auto flavour = made(later, name))
      program = &(*flavour)->program;
  };
  if (which == Which::suppress)
    take(*suppress_, "suppress");
  else if (which == Which::reorder)
    take(*reorder_, "reorder");
  else if (which == Which::origins)
    take(*origins_, "origins");
  std::vector<symbolize::Mapping> mappings;
  for (const run::Module &module : modules) {
    fs::path file = module.path;
    if (module.path.empty() || module.path == program->original)
      file = program->executable;
    for (const launch::Substitution &object : program->substitutions)
      if (module.path == object.original)
        file = object.replacement;
    mappings.push_back({module.low, module.high, module.base, file});
  }
  return symbolize::Symbolizer(std::move(mappings));
}

} // namespace culprit::locate
