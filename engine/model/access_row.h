// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The blobs of a model file that hold accesses: the pairs of a run and sets of static ids.
//
// Pairs are the greatest part of a model, so they are stored as numbers of the file's tables of
// sites and names, in order, each as the distance from the one before, in bytes of seven bits: some
// six bytes for a pair instead of 48. What is read is checked: every number is one of the tables,
// every pair is there once.
#pragma once

#include "engine/access/history.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace culprit::model {

// Numbers of the tables access_sites and access_names, by static id and by key.
struct AccessNumbers {
  std::unordered_map<uint64_t, uint64_t> sites;
  std::unordered_map<uint64_t, uint64_t> names;
  uint64_t next_site = 0; // above all there are: a file may leave some out
  uint64_t next_name = 0;
};
// And back.
struct AccessIds {
  std::unordered_map<uint64_t, uint64_t> sites;
  std::unordered_map<uint64_t, uint64_t> names;
};

// Nothing: a site or name has no number.
std::optional<std::string> pairs_bytes(const std::vector<access::RunPair> &pairs,
                                       const AccessNumbers &numbers);
std::optional<std::vector<access::RunPair>> pairs_from(std::string_view bytes,
                                                       const AccessIds &ids);

std::string ids_bytes(const std::vector<uint64_t> &ids);
std::optional<std::vector<uint64_t>> ids_from(std::string_view bytes); // ascending, each once

// What the sums are made of.
std::string access_site_text(const access::AccessSite &site);
std::string access_name_text(const access::Name &name);
std::string access_run_text(const access::RunPairs &run);

} // namespace culprit::model
