// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `check --clb`: every case once more, in the flavour that tells every access one by one; what the
// paper's look-aside buffer makes of them is added to the document.
#include "engine/access/clb.h"
#include "cli/checking.h"
#include "cli/progress.h"
#include "report/clb_document.h"

#include <fmt/format.h>

namespace culprit::cli {

namespace fs = std::filesystem;

namespace {

report::ClbFindings found_in(const nlohmann::ordered_json &run) {
  report::ClbFindings found;
  for (const auto &finding : run["findings"])
    if (finding["detector"] == "access") {
      ++found.findings;
      found.ranks.push_back(finding["rank"].get<size_t>());
    }
  for (const auto &note : run["notes"])
    found.notes += note["detector"] == "access" ? 1 : 0;
  return found;
}

} // namespace

Result<void> Check::measure_clb() {
  auto target = options_.open_target(options_.input.command[0], "access-events");
  if (!target)
    return std::unexpected(target.error());
  Progress progress({.label = "clb", .total = requests_.size(), .quiet = options_.quiet});
  std::vector<access::ClbReport> all;
  report::ClbFindings found;
  const uint64_t most = standard_.settings.access.clb_events;
  for (size_t i = 0; i < requests_.size(); ++i) { // one by one: the files are large
    const fs::path run_file = scratch_ / fmt::format("{}.clb", i);
    const fs::path events = scratch_ / fmt::format("{}.events", i);
    launch::Request request = target->request(requests_[i], run_file);
    request.runtime_options.emplace_back("events", events.string());
    request.runtime_options.emplace_back("events_limit", fmt::format("{}", most));
    auto outcome = launch::run(request);
    if (!outcome)
      return std::unexpected(outcome.error());
    auto read = target->read_run(run_file);
    if (!read)
      return std::unexpected(read.error());
    auto measured =
        access::measure_clb(events, read->access, *standard_.accesses, standard_.settings.access);
    std::error_code ignored;
    fs::remove(events, ignored);
    fs::remove(run_file, ignored);
    if (!measured)
      return std::unexpected(measured.error());
    if (!documents_[i].is_null()) {
      report::ClbFindings here = found_in(documents_[i]);
      here.cut_short = measured->events >= most;
      found.cut_short |= here.cut_short;
      documents_[i]["clb"] = report::clb_document(*measured, here);
      found.findings += here.findings;
      found.notes += here.notes;
      found.ranks.insert(found.ranks.end(), here.ranks.begin(), here.ranks.end());
    }
    all.push_back(std::move(*measured));
    progress.advance();
  }
  clb_ = report::clb_document(report::sum(all), found);
  return {};
}

} // namespace culprit::cli
