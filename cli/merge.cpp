// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit merge -o OUT MODEL...`: one model with the runs of all; in whatever order, the same.
#include "cli/command.h"
#include "engine/model/model.h"
#include "engine/settings/settings.h"
#include "report/document.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace culprit::cli {

namespace {

struct Options {
  std::string output;
  std::vector<std::string> models;
  bool quiet = false;
};

// Two models of one program share allocation and call sites, also when its builds differ.
bool of_one_program(const model::Contents &a, const model::Contents &b, double least) {
  if (a.sites.empty() || b.sites.empty())
    return true; // nothing to tell them apart by
  size_t shared = 0;
  for (const auto &[id, site] : a.sites)
    shared += b.sites.contains(id) ? 1 : 0;
  return static_cast<double>(shared) >=
         least * static_cast<double>(std::min(a.sites.size(), b.sites.size()));
}

// One that both analyses learned from is one run.
size_t runs_of(const model::Contents &contents) {
  return std::max(contents.runs.size(), contents.access.runs.size());
}

int execute(const Options &options) {
  model::Contents all;
  for (const std::string &path : options.models) {
    auto contents = model::read(path);
    if (!contents)
      return report_error(contents.error());
    if (!of_one_program(all, *contents, heap::HeapSettings{}.program_overlap))
      return report_error(
          {fmt::format("{}: the model of another program than {}", path, options.models[0]),
           "merge models of one program only"});
    all = model::merge(all, *contents);
  }
  if (auto written = model::write(options.output, all); !written)
    return report_error(written.error());
  if (!options.quiet)
    fmt::print("{}: {} of {}\nnext: culprit show {}\n", options.output,
               report::counted(runs_of(all), "run"), report::counted(all.builds.size(), "build"),
               options.output);
  return kDone;
}

} // namespace

Action declare_merge(CLI::App &app) {
  auto options = std::make_shared<Options>();
  app.add_option("-o,--output", options->output, "the model file to write")
      ->required()
      ->type_name("OUT");
  app.add_option("MODEL", options->models, "models of one program, of any of its builds")
      ->required();
  app.add_flag("-q", options->quiet, "say nothing");
  return [options] { return execute(*options); };
}

} // namespace culprit::cli
