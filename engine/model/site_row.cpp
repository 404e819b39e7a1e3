// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See site_row.h.
#include "engine/model/site_row.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace culprit::model {
namespace {

struct SiteRow {
  uint32_t steps;
  float objects;
  float share;
  uint32_t stable; // one bit for each metric
  float low[heap::kSiteMetrics];
  float high[heap::kSiteMetrics];
  float cells[CULPRIT_CELLS];
};
static_assert(sizeof(SiteRow) == 228, "bump kVersion of database.h and docs/formats.md");

struct WriterRow {
  uint64_t writer;
  uint32_t role;
  float share;
};
static_assert(sizeof(WriterRow) == 16, "bump kVersion of database.h and docs/formats.md");
constexpr size_t kMaxWriters = 10'000; // of one site

bool is_between(float value, float low, float high) { return value >= low && value <= high; }

} // namespace

int64_t sum_of(std::string_view text) {
  return static_cast<int64_t>(llvm::xxh3_64bits(llvm::StringRef(text)));
}

std::string run_text(const heap::RunSummary &run) {
  std::string text;
  const auto add = [&](std::string_view part) {
    text += std::to_string(part.size());
    text += ' ';
    text += part;
  };
  for (const std::string_view part : {std::string_view(run.arguments), std::string_view(run.input),
                                      std::string_view(run.status), std::string_view(run.build_id)})
    add(part);
  add(std::to_string(run.points));
  std::map<std::string, const heap::MetricSeries *> by_name; // whatever order this culprit has
  for (const heap::MetricSeries &series : run.series)
    by_name[series.metric] = &series;
  for (const auto &[name, series] : by_name) {
    add(name);
    add(series_bytes(series->values));
  }
  for (const heap::SiteSummary &site : run.sites) {
    add(heap::id_text(site.site));
    add(site_bytes(site));
  }
  for (const heap::SiteWriters &site : run.writers) {
    add(heap::id_text(site.site));
    add(writers_bytes(site));
  }
  return text;
}

std::string series_bytes(std::span<const float> values) {
  return {reinterpret_cast<const char *>(values.data()), values.size_bytes()};
}

std::optional<std::vector<float>> series_from(std::string_view bytes) {
  if (bytes.size() % sizeof(float) != 0 || bytes.size() / sizeof(float) > kMaxSteps)
    return std::nullopt;
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!values.empty())
    std::memcpy(values.data(), bytes.data(), bytes.size());
  for (float &value : values) {
    if (std::isnan(value))
      value = std::nanf(""); // one pattern, so that equal series are equal bytes
    else if (!std::isfinite(value) || value < 0)
      return std::nullopt;
  }
  return values;
}

std::string site_bytes(const heap::SiteSummary &site) {
  SiteRow row{};
  row.steps = site.steps;
  row.objects = site.objects;
  row.share = site.share;
  for (size_t i = 0; i < heap::kSiteMetrics; ++i) {
    row.stable |= (site.stable[i] ? 1U : 0U) << i;
    row.low[i] = site.low[i];
    row.high[i] = site.high[i];
  }
  std::ranges::copy(site.cells, row.cells);
  return {reinterpret_cast<const char *>(&row), sizeof row};
}

std::optional<heap::SiteSummary> site_from(uint64_t id, std::string_view bytes) {
  SiteRow row;
  if (bytes.size() != sizeof row)
    return std::nullopt;
  std::memcpy(&row, bytes.data(), sizeof row);
  heap::SiteSummary site;
  site.site = id;
  site.steps = row.steps;
  site.objects = row.objects;
  site.share = row.share;
  if (row.steps > kMaxSteps || !is_between(row.objects, 0, 1e18F) || !is_between(row.share, 0, 1) ||
      (row.stable >> heap::kSiteMetrics) != 0)
    return std::nullopt;
  for (size_t i = 0; i < heap::kSiteMetrics; ++i) {
    const auto most = static_cast<float>(heap::highest_value(heap::site_metric(i)));
    if (!is_between(row.low[i], 0, most) || !is_between(row.high[i], row.low[i], most))
      return std::nullopt;
    site.low[i] = row.low[i];
    site.high[i] = row.high[i];
    site.stable[i] = (row.stable >> i & 1) != 0;
  }
  for (size_t i = 0; i < CULPRIT_CELLS; ++i) {
    if (!is_between(row.cells[i], 0, 1.001F)) // a mean of shares, rounded
      return std::nullopt;
    site.cells[i] = row.cells[i];
  }
  return site;
}

std::string writers_bytes(const heap::SiteWriters &writers) {
  std::vector<WriterRow> rows;
  rows.reserve(writers.writers.size());
  for (const heap::WriterShare &writer : writers.writers)
    rows.push_back({writer.writer, writer.role, writer.share});
  return {reinterpret_cast<const char *>(rows.data()), rows.size() * sizeof(WriterRow)};
}

std::optional<heap::SiteWriters> writers_from(uint64_t id, std::string_view bytes) {
  if (bytes.size() % sizeof(WriterRow) != 0 || bytes.size() / sizeof(WriterRow) > kMaxWriters)
    return std::nullopt;
  heap::SiteWriters site{id, {}};
  for (size_t at = 0; at < bytes.size(); at += sizeof(WriterRow)) {
    WriterRow row;
    std::memcpy(&row, bytes.data() + at, sizeof row);
    if (row.role >= heap::kWriterRoles || !is_between(row.share, 0, 1))
      return std::nullopt;
    site.writers.push_back({row.writer, row.role, row.share});
  }
  return site;
}

} // namespace culprit::model
