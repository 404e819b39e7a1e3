// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/target.h"

#include "engine/build/carried.h"
#include "engine/build/link_line.h"
#include "engine/launch/spawn.h"
#include "engine/monitor/unmodified.h"
#include "engine/monitor/unseen.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit::monitor {

namespace fs = std::filesystem;

namespace {

std::vector<run::Module> modules_in(const run::RunFile &file) {
  std::vector<run::Module> modules;
  for (const run::Record &record : file.records)
    if (const auto *module = std::get_if<run::Module>(&record.what))
      modules.push_back(*module);
  return modules;
}

} // namespace

Result<Target> Target::open(const Options &options) {
  auto set = build::FlavourSet::open(options.flavour, options.jobs, options.on_make);
  if (!set)
    return std::unexpected(set.error());
  auto program = set->program(options.typed);
  if (!program)
    return std::unexpected(program.error());

  Target target;
  target.program_ = std::move(*program);
  auto carried = build::read_carried(target.program_.original);
  if (!carried)
    return std::unexpected(carried.error());
  target.build_id_ = fmt::format("{:016x}", carried->content_hash);
  target.unseen_ = unseen_text(unseen_parts(target.program_, *carried));
  target.flavours_.push_back(target.program_.executable);
  for (const launch::Substitution &object : target.program_.substitutions)
    target.flavours_.push_back(object.replacement);
  auto sites = heap::read_all_sites(target.flavours_);
  if (!sites)
    return std::unexpected(sites.error());
  target.sites_ = std::move(*sites);
  auto accesses = access::read_all_tables(target.flavours_);
  if (!accesses)
    return std::unexpected(accesses.error());
  target.accesses_ = std::move(*accesses);
  auto objects = launch::ObjectService::start(set->object_answer());
  if (!objects)
    return std::unexpected(objects.error());
  target.objects_ = std::make_unique<launch::ObjectService>(std::move(*objects));
  return target;
}

Result<Target> Target::open_as_it_is(const std::string &typed) {
  auto opened = open_unmodified(typed);
  if (!opened)
    return std::unexpected(opened.error());
  Target target;
  target.program_ = std::move(opened->program);
  target.build_id_ = std::move(opened->build_id);
  target.preload_ = std::move(opened->preload);
  target.how_ = How::as_it_is;
  target.native_sites_ = std::make_unique<NativeSites>(/*finds_wrappers=*/true);
  target.sites_ = std::make_shared<const heap::SiteTables>();
  target.accesses_ = std::make_shared<const access::AccessTables>();
  return target;
}

Result<Target> Target::open_under_tool(const std::string &typed, const DeepOptions &options) {
  auto opened = open_deep(typed, options);
  if (!opened)
    return std::unexpected(opened.error());
  Target target;
  target.how_ = How::deep;
  target.environment_ = deep_environment(*opened);
  target.names_ = std::move(opened->names);
  target.program_ = std::move(opened->program);
  target.build_id_ = std::move(opened->build_id);
  target.reads_ = options.reads;
  target.native_sites_ = std::make_unique<NativeSites>();
  target.native_accesses_ = std::make_unique<NativeAccesses>();
  target.sites_ = std::make_shared<const heap::SiteTables>();
  target.accesses_ = std::make_shared<const access::AccessTables>();
  return target;
}

How how_of_build(std::string_view build_id) {
  if (build_id.starts_with(kUnmodifiedBuild))
    return How::as_it_is;
  return build_id.starts_with(kDeepBuild) ? How::deep : How::flavour;
}

launch::Request Target::request(launch::Request common, const fs::path &run_file) const {
  common.program = program_;
  if (objects_)
    common.runtime_options.emplace_back("objects", objects_->socket().string());
  if (!preload_.empty())
    common.environment.set.emplace_back("LD_PRELOAD", preloading(preload_));
  launch::set_variables(common.environment.set, environment_);
  if (how_ == How::deep)
    common.program.under.push_back(fmt::format("--run-file={}", run_file.string()));
  common.runtime_options.emplace_back("run", run_file.string());
  return common;
}

fs::path Target::file_of(const run::Module &module) const {
  if (module.path.empty() || module.path == program_.original)
    return program_.executable.empty() ? program_.original : program_.executable;
  for (const launch::Substitution &object : program_.substitutions)
    if (module.path == object.original)
      return object.replacement;
  return module.path;
}

Result<ReadRun> Target::read_run(const fs::path &run_file) const {
  std::error_code ignored;
  if (!fs::exists(run_file, ignored))
    return fail(fmt::format("{}: no such run file", run_file.string()));
  auto file = run::read(run_file);
  if (!file)
    return std::unexpected(file.error());

  ReadRun read;
  if (file->tear)
    read.tear = file->tear->why;
  heap::SharedSites sites = sites_;
  access::SharedTables accesses = accesses_;
  bool has_units = false;
  bool knows_units = false;
  std::vector<fs::path> more; // loaded by dlopen
  for (const run::Record &record : file->records) {
    if (const auto *start = std::get_if<run::ProcessStart>(&record.what); start && !start->forked)
      read.executable = start->executable;
    if (const auto *exit = std::get_if<run::ProcessExit>(&record.what))
      read.exit_status = exit->status;
    if (const auto *unit = std::get_if<run::Unit>(&record.what)) {
      has_units = true;
      knows_units |= sites_->contains(unit->id);
    }
    if (const auto *module = std::get_if<run::Module>(&record.what)) {
      const fs::path path = file_of(*module);
      if (std::ranges::find(flavours_, path) == flavours_.end() &&
          !build::is_system_file(path.string()) && fs::is_regular_file(path, ignored))
        more.push_back(path);
    }
  }
  if (has_units && !knows_units)
    return fail(fmt::format("{}: the run of another program or of another build of {}",
                            run_file.string(), program_.name),
                "name the program that was run, after `--`");
  if (!more.empty()) {
    heap::SiteTables all = *sites_;
    access::AccessTables all_accesses = *accesses_;
    for (const fs::path &path : more) {
      if (auto tables = heap::read_sites(path))
        all.insert(tables->begin(), tables->end());
      if (auto tables = access::read_tables(path))
        all_accesses.insert(tables->begin(), tables->end());
    }
    sites = std::make_shared<const heap::SiteTables>(std::move(all));
    accesses = std::make_shared<const access::AccessTables>(std::move(all_accesses));
  }
  if (how_ == How::deep && std::ranges::none_of(file->records, [](const run::Record &record) {
        return std::holds_alternative<run::NativeAccess>(record.what);
      }))
    return fail(fmt::format("{}: was not written with --deep, or the program died before its first "
                            "store",
                            run_file.string()));
  if (native_sites_)
    sites = native_sites_->of(*file, symbolizer(modules_in(*file)));
  if (native_accesses_)
    accesses = native_accesses_->of(*file, symbolizer(modules_in(*file)));
  auto run = heap::heap_run(*file, sites);
  if (!run)
    return std::unexpected(run.error());
  read.heap = std::move(*run);
  for (run::Stack &stack : read.heap.stacks)
    drop_own_frames(stack, read.heap.modules);
  auto access = access::access_run(*file, std::move(accesses), std::move(sites));
  if (!access)
    return std::unexpected(access.error());
  read.access = std::move(*access);
  if (native_accesses_) {
    read.access.whole_program = false;
    read.access.reads = reads_;
  }
  return read;
}

void Target::drop_own_frames(run::Stack &stack, const std::vector<run::Module> &modules) const {
  if (preload_.empty())
    return;
  for (const run::Module &module : modules)
    if (module.path == preload_)
      std::erase_if(stack.addresses, [&](uint64_t address) {
        return address >= module.low && address < module.high;
      });
}

symbolize::Symbolizer Target::symbolizer(const heap::HeapRun &run) const {
  return symbolizer(run.modules);
}

symbolize::Symbolizer Target::symbolizer(const access::AccessRun &run) const {
  return symbolizer(run.modules);
}

symbolize::Symbolizer Target::symbolizer(const std::vector<run::Module> &modules) const {
  std::vector<symbolize::Mapping> mappings;
  mappings.reserve(modules.size());
  for (const run::Module &module : modules)
    mappings.push_back({module.low, module.high, module.base, file_of(module)});
  return symbolize::Symbolizer(std::move(mappings));
}

} // namespace culprit::monitor
