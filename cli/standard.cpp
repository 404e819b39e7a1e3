// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/standard.h"

#include "engine/launch/temporary.h"
#include "engine/monitor/unmodified.h"
#include "report/document.h"

#include <fmt/format.h>

namespace culprit::cli {

namespace fs = std::filesystem;

namespace {

std::string train_command(const AnalysisOptions &options, const std::string &program,
                          std::string_view more = {}) {
  return fmt::format("culprit train {}{}-- {} …", more,
                     options.model.empty() ? "" : fmt::format("-m {} ", options.model), program);
}

// Leaves in `standard.parts` what the model knows of what is wanted.
Result<void> take_what_is_known(Standard &standard, const AnalysisOptions &options,
                                const std::string &program) {
  const std::string file = standard.file.string();
  const bool knows_heap = standard.heap.used_runs != 0;
  const bool knows_accesses = standard.accesses->runs != 0;
  if (!knows_heap && !knows_accesses)
    return fail(fmt::format("{}: nothing could be learned from its {}", file,
                            report::counted(standard.contents.runs.size() +
                                                standard.contents.access.runs.size(),
                                            "run")),
                "train on inputs with more work to do");
  if (standard.parts.heap && !knows_heap) {
    if (!standard.parts.access)
      return fail(fmt::format("{}: the model knows nothing of the heap", file),
                  fmt::format("train it: {}", train_command(options, program)));
    standard.parts.heap = false;
    standard.remarks.push_back(standard.contents.runs.empty()
                                   ? "the model was trained on access sets only: heap health is "
                                     "not judged"
                                   : "nothing could be learned of the heap: access sets alone are "
                                     "judged");
  }
  if (standard.parts.access && !knows_accesses) {
    if (!standard.parts.heap)
      return fail(fmt::format("{}: the model knows no access sets", file),
                  fmt::format("train it: {}", train_command(options, program)));
    standard.parts.access = false;
    standard.remarks.emplace_back(
        "the model was trained on the heap only: access sets are not judged");
  }
  if (standard.parts.access && standard.parts.reads && standard.accesses->read_runs == 0)
    return fail(fmt::format("{}: the model was trained on writes only", file),
                fmt::format("leave reads out, or train them: {}",
                            train_command(options, program, "--reads ")));
  return {};
}

} // namespace

heap::Verdict Standard::judge(const heap::HeapRun &run) const {
  if (!parts.heap)
    return {};
  return by_start ? heap::learn_then_judge(run, settings.heap)
                  : heap::judge(heap, run, settings.heap);
}

heap::HeapModel Standard::model_for(const heap::HeapRun &run) const {
  return by_start ? heap::learn_from_start(run, settings.heap) : heap;
}

report::CheckedAccesses Standard::judge(access::AccessRun run) const {
  report::CheckedAccesses checked;
  if (!parts.access || !run.watched)
    return checked;
  checked.run = std::move(run);
  checked.by_start = by_start;
  checked.model = by_start ? std::make_shared<const access::AccessModel>(
                                 access::learn_from_start(checked.run, settings.access))
                           : accesses;
  checked.verdict = by_start ? access::learn_then_judge(checked.run, settings.access)
                             : access::judge(*accesses, checked.run, settings.access);
  return checked;
}

std::vector<access::Settled> Standard::settled(const report::CheckedAccesses &judged) const {
  std::vector<access::Settled> all;
  if (by_start || judged.model == nullptr)
    return all;
  for (const access::Finding &finding : judged.verdict.findings) {
    const access::Outlier &lead = finding.lead();
    all.push_back(access::settled(contents.access, lead.name,
                                  judged.run.pairs[lead.pair].site->read,
                                  judged.model->call_chain));
  }
  return all;
}

Standard standard_by_start(const AnalysisOptions &options, const settings::Settings &settings) {
  Standard standard;
  standard.by_start = true;
  standard.settings = settings;
  standard.parts = options.parts(settings);
  standard.parts.counts = true;
  return standard;
}

Standard no_standard(const AnalysisOptions &options, const std::string &program,
                     const settings::Settings &settings) {
  Standard standard;
  standard.settings = settings;
  standard.parts = {.heap = false, .access = false};
  standard.remarks.push_back(
      fmt::format("there is no model: the run was not judged; learn one from "
                  "good inputs: {}",
                  train_command(options, program)));
  return standard;
}

Result<Standard> read_standard(const AnalysisOptions &options, const std::string &program,
                               const settings::Settings &settings) {
  Standard standard;
  standard.settings = settings;
  standard.parts = options.parts(settings);
  standard.file = options.model_path(program);
  std::error_code error;
  if (!fs::exists(standard.file, error)) {
    // What is wrong with the program comes first: training would fail over it.
    if (auto target = options.open_target(program, flavour_of(standard.parts)); !target)
      return std::unexpected(target.error());
    return fail(fmt::format("{}: there is no model yet", standard.file.string()),
                fmt::format("learn one from good inputs: {}, or judge the run by its own start "
                            "with --learn",
                            train_command(options, options.input.command.empty()
                                                       ? "PROG"
                                                       : options.input.command[0])));
  }
  auto contents = model::read(standard.file);
  if (!contents)
    return std::unexpected(contents.error());
  standard.contents = std::move(*contents);
  standard.heap = heap::learn(model::ordered_runs(standard.contents), settings.heap);
  standard.accesses = std::make_shared<const access::AccessModel>(
      access::learn(standard.contents.access, settings.access));
  if (auto known = take_what_is_known(standard, options, program); !known)
    return std::unexpected(known.error());
  return standard;
}

namespace {

std::string_view runs_text(monitor::How how) {
  switch (how) {
  case monitor::How::flavour:
    return "instrumented runs";
  case monitor::How::as_it_is:
    return "runs without instrumentation";
  case monitor::How::deep:
    return "runs with --deep";
  }
  return "";
}

std::string_view way_text(monitor::How how) {
  switch (how) {
  case monitor::How::flavour:
    return "with instrumentation";
  case monitor::How::as_it_is:
    return "as it is";
  case monitor::How::deep:
    return "with --deep";
  }
  return "";
}

} // namespace

Result<void> compare_kind(const model::Contents &contents, const monitor::Target &target,
                          const fs::path &file) {
  for (const auto &[id, path] : contents.builds) {
    const monitor::How learned = monitor::how_of_build(id);
    if (learned == target.how())
      continue;
    return fail(fmt::format("{}: learned from {}, and {} is run {}", file.string(),
                            runs_text(learned), target.program().name, way_text(target.how())),
                "give each a model of its own: --model FILE");
  }
  return {};
}

Result<void> compare_program(Standard &standard, const monitor::Target &target) {
  if (standard.parts.access && !target.unseen().empty())
    standard.remarks.push_back(target.unseen());
  if (standard.by_start)
    return {};
  if (auto same = compare_kind(standard.contents, target, standard.file); !same)
    return same;
  auto overlap = model::overlap_with(standard.contents, *target.sites(), standard.settings.heap,
                                     standard.file);
  if (!overlap)
    return std::unexpected(overlap.error());
  if (overlap->known < overlap->total)
    standard.remarks.push_back(
        fmt::format("the program has changed since training: {} of its {} allocation and call "
                    "sites are known to the model",
                    overlap->known, overlap->total));
  return {};
}

Result<std::optional<fs::path>> write_ranges(const Standard &standard, const fs::path &scratch) {
  const std::vector<culprit_range> ranges = heap::runtime_ranges(standard.heap);
  if (standard.by_start || !standard.parts.heap || ranges.empty())
    return std::nullopt;
  fs::path file = scratch / "ranges";
  const std::string_view bytes(reinterpret_cast<const char *>(ranges.data()),
                               ranges.size() * sizeof(culprit_range));
  if (auto written = launch::write_atomically(file, bytes); !written)
    return std::unexpected(written.error());
  return file;
}

} // namespace culprit::cli
