// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/standard.h"

#include "engine/launch/temporary.h"
#include "engine/model/model.h"
#include "report/document.h"

#include <fmt/format.h>

namespace culprit::cli {

namespace fs = std::filesystem;

Result<Standard> read_standard(const AnalysisOptions &options, bool by_start,
                               const monitor::Target &target, const heap::HeapSettings &settings) {
  Standard standard{
      .by_start = by_start, .model = {}, .settings = settings, .file = {}, .remarks = {}};
  if (by_start)
    return standard;
  standard.file = options.model_path(target.program().original.lexically_normal());
  std::error_code error;
  if (!fs::exists(standard.file, error))
    return fail(fmt::format("{}: there is no model yet", standard.file.string()),
                fmt::format("learn one from good inputs: culprit train {}-- {} …, or judge the run "
                            "by its own start with --learn",
                            options.model.empty() ? "" : fmt::format("-m {} ", options.model),
                            options.input.command.empty() ? "PROG" : options.input.command[0]));
  auto contents = model::read(standard.file);
  if (!contents)
    return std::unexpected(contents.error());
  auto overlap = model::overlap_with(*contents, *target.sites(), settings, standard.file);
  if (!overlap)
    return std::unexpected(overlap.error());
  if (overlap->known < overlap->total)
    standard.remarks.push_back(
        fmt::format("the program has changed since training: {} of its {} allocation and call "
                    "sites are known to the model",
                    overlap->known, overlap->total));
  standard.model = heap::learn(model::ordered_runs(*contents), settings);
  if (standard.model.used_runs == 0)
    return fail(fmt::format("{}: nothing could be learned from its {}", standard.file.string(),
                            report::counted(contents->runs.size(), "run")),
                "train on inputs with more work to do on the heap");
  return standard;
}

Result<std::optional<fs::path>> write_ranges(const Standard &standard, const fs::path &scratch) {
  const std::vector<culprit_range> ranges = heap::runtime_ranges(standard.model);
  if (standard.by_start || ranges.empty())
    return std::nullopt;
  fs::path file = scratch / "ranges";
  const std::string_view bytes(reinterpret_cast<const char *>(ranges.data()),
                               ranges.size() * sizeof(culprit_range));
  if (auto written = launch::write_atomically(file, bytes); !written)
    return std::unexpected(written.error());
  return file;
}

} // namespace culprit::cli
