// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit flavour NAME PROG`: makes a flavour, or finds it in the cache, and prints the path of
// its file. For scripts and benchmarks; `culprit run` is the way to execute one.
#include "cli/command.h"
#include "engine/build/cache.h"

#include <fmt/format.h>
#include <memory>
#include <thread>

namespace culprit::cli {

namespace {

struct Options {
  std::string flavour;
  std::string program;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  bool quiet = false;
};

Result<build::CachedFlavour> find_or_make(const Options &options) {
  auto kind = build::find_flavour_kind(options.flavour);
  if (!kind)
    return std::unexpected(kind.error());
  auto carried = build::read_carried(options.program);
  if (!carried)
    return std::unexpected(carried.error());
  auto cache = build::Cache::open();
  if (!cache)
    return std::unexpected(cache.error());
  return cache->flavour(build::find_toolchain(), *carried, **kind, options.jobs,
                        [&] { say_making(options.quiet, options.flavour, options.program); });
}

} // namespace

Action declare_flavour(CLI::App &app) {
  auto options = std::make_shared<Options>();
  app.add_option("NAME", options->flavour, "which flavour; an unknown name lists them")->required();
  app.add_option("PROG", options->program, "executable or shared object built with culprit cc")
      ->required();
  app.add_option("-j", options->jobs, "compilations at once (default: the machine's cores)");
  app.add_flag("-q", options->quiet, "print the path only");
  return [options] {
    auto made = find_or_make(*options);
    if (!made)
      return report_error(made.error());
    fmt::print("{}\n", made->file.string());
    return kDone;
  };
}

} // namespace culprit::cli
