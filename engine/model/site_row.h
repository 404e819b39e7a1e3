// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The blobs of a model file: a series of floats, and the sites of a run. Little-endian, as the
// machine has it; sizes and numbers are checked on reading.
#pragma once

#include "engine/heap/summary.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::model {

constexpr size_t kMaxSteps = 10'000; // of a series
constexpr size_t kMaxSites = 1'000'000;

// SQLite notices damage to its own structure only, so each row (each run with all of its rows) has
// a sum of what it says.
int64_t sum_of(std::string_view text);
std::string run_text(const heap::RunSummary &run);

std::string series_bytes(std::span<const float> values);
// Values are NaN (missing), or finite and not negative.
std::optional<std::vector<float>> series_from(std::string_view bytes);

std::string site_bytes(const heap::SiteSummary &site); // without its id
std::optional<heap::SiteSummary> site_from(uint64_t id, std::string_view bytes);

std::string writers_bytes(const heap::SiteWriters &writers); // without its id
std::optional<heap::SiteWriters> writers_from(uint64_t id, std::string_view bytes);

} // namespace culprit::model
