// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/access_model_text.h"

#include "report/access_text.h"
#include "report/document.h"
#include "report/fields.h"
#include "report/sparkline.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <vector>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kBars = 16;

struct Step {
  double value = 0;
  double share = 0;
};

// A distribution of the document: [{"size": 1, "share": 0.6}, …], in the document's order.
std::vector<Step> steps_of(const Json &access, const char *key, const char *axis) {
  std::vector<Step> steps;
  for (const Json &step : list_of(access, key))
    if (step.is_object())
      steps.push_back({number_of(step, axis, 0), number_of(step, "share", 0)});
  return steps;
}

// Of a distribution of "at most": the share at `value`.
double share_up_to(const std::vector<Step> &steps, double value) {
  double share = 0;
  for (const Step &step : steps)
    if (step.value <= value)
      share = std::max(share, step.share);
  return share;
}

// Of a distribution of "at least".
double share_from(const std::vector<Step> &steps, double value) {
  double share = 0;
  for (const Step &step : steps)
    if (step.value >= value)
      share = std::max(share, step.share);
  return share;
}

std::string bars(const std::vector<double> &shares) {
  return sparkline(shares, kBars, Scale{0, 1});
}

// "  sites of an object   ▅▇██████  1: 61 % · up to 2: 80 % · … · most 17"
std::string sizes_line(const char *title, const std::vector<Step> &steps) {
  if (steps.empty())
    return {};
  std::vector<double> shares;
  for (size_t i = 1; i <= kBars; ++i)
    shares.push_back(share_up_to(steps, static_cast<double>(i)));
  std::string text = fmt::format("  {:<22} {}  ", title, bars(shares));
  for (const unsigned size : {1U, 2U, 4U, 10U})
    text += fmt::format("{}{}: {:.0f} % · ", size == 1 ? "" : "up to ", size,
                        share_up_to(steps, size) * 100);
  double most = 0;
  for (const Step &step : steps)
    most = std::max(most, step.value);
  return text + fmt::format("most {}\n", grouped(static_cast<uint64_t>(std::max(0.0, most))));
}

std::string similarity_line(const char *title, const std::vector<Step> &steps) {
  if (steps.empty())
    return {};
  std::vector<double> shares;
  shares.reserve(kBars);
  for (size_t i = 0; i < kBars; ++i)
    shares.push_back(share_from(steps, 1 - static_cast<double>(i) / (kBars - 1)));
  return fmt::format("  {:<22} {}  1: {:.0f} % · 0.97 or more: {:.0f} % · 0.5 or more: {:.0f} %\n",
                     title, bars(shares), share_from(steps, 1) * 100, share_from(steps, 0.97) * 100,
                     share_from(steps, 0.5) * 100);
}

std::string kinds_text(const Json &access) {
  const Json *kinds = object_of(access, "kinds");
  if (kinds == nullptr)
    return {};
  struct Kind {
    const char *key;
    const char *name;
    const char *names;
  };
  constexpr std::array<Kind, 6> kNames = {{
      {"global", "global", "globals"},
      {"heap", "allocation context", "allocation contexts"},
      {"local", "local variable", "local variables"},
      {"return", "return address", "return addresses"},
      {"outside", "place behind blocks", "places behind blocks"},
      {"freed", "name of all freed blocks", "names of freed blocks"},
  }};
  std::string text;
  for (const auto &[key, name, names] : kNames)
    if (const uint64_t count = count_of(*kinds, key); count != 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", grouped(count),
                          count == 1 ? name : names);
  return text.empty() ? "" : fmt::format(" ({})", text);
}

} // namespace

std::string access_model_text(const Json &access, bool verbose) {
  std::string text =
      fmt::format("access sets: {}{}, {}, {}{}\n", counted(count_of(access, "objects"), "object"),
                  kinds_text(access), counted(count_of(access, "sites"), "site"),
                  counted(count_of(access, "pairs"), "pair"),
                  access.value("reads", false) ? ", reads and writes" : "");
  if (count_of(access, "pairs") == 0)
    return text;
  text += sizes_line("sites of an object", steps_of(access, "accset_size_cdf", "size"));
  text += similarity_line("alike between runs", steps_of(access, "similarity_cdf", "similarity"));
  if (const Json *periods = object_of(access, "periods"))
    text += similarity_line("alike between periods",
                            steps_of(*periods, "similarity_cdf", "similarity"));
  text += sizes_line("objects of a site", steps_of(access, "objects_per_site_cdf", "objects"));
  if (const uint64_t accepted = count_of(access, "accepted"); accepted != 0)
    text += fmt::format("  accepted by hand: {}\n", counted(accepted, "pair"));
  if (verbose)
    for (const Json &set : list_of(access, "largest"))
      if (const Json *object = object_of(set, "object"))
        text += fmt::format("  {}: {}, in {}\n", access_object_text(*object, {}),
                            counted(count_of(set, "size"), "site"),
                            counted(count_of(set, "runs"), "run"));
  return text;
}

} // namespace culprit::report
