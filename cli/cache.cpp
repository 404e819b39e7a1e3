// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit cache`: the flavours made so far.
#include "engine/build/cache.h"
#include "cli/command.h"
#include "report/document.h"

#include <charconv>
#include <cmath>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <memory>
#include <optional>

namespace culprit::cli {

namespace {

struct Options {
  bool show = false;
  bool clear = false;
  std::string limit;
};

// "500M", "2G", "1.5GB", "1048576": decimal multiples, as `culprit cache` prints them.
std::optional<uint64_t> parse_size(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0)
    return std::nullopt;
  std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  if (!unit.empty() && (unit.back() == 'B' || unit.back() == 'b'))
    unit.remove_suffix(1);
  double scale = 1;
  if (unit.size() > 1)
    return std::nullopt;
  if (!unit.empty()) {
    const size_t power = std::string_view("KMGT").find(static_cast<char>(std::toupper(unit[0])));
    if (power == std::string_view::npos)
      return std::nullopt;
    scale = std::pow(1000.0, static_cast<double>(power + 1));
  }
  return number * scale < 1e18 ? std::optional(static_cast<uint64_t>(number * scale))
                               : std::nullopt;
}

void print(const build::Cache &cache) {
  uint64_t total = 0;
  const auto entries = cache.entries();
  for (const build::CacheEntry &entry : entries) {
    const auto used = std::chrono::time_point_cast<std::chrono::seconds>(
        std::chrono::file_clock::to_sys(entry.last_used));
    fmt::print("{:<24} {:<10} {:>10}  last used {:%Y-%m-%d %H:%M}\n", entry.program, entry.flavour,
               report::human_size(entry.size), used);
    total += entry.size;
  }
  fmt::print("{} flavour{}, {} of {} in {}\n", entries.size(), entries.size() == 1 ? "" : "s",
             report::human_size(total), report::human_size(cache.limit()), cache.root().string());
}

} // namespace

Action declare_cache(CLI::App &app) {
  auto options = std::make_shared<Options>();
  app.add_flag("--show", options->show, "list the flavours (the default)");
  app.add_flag("--clear", options->clear, "remove all of them");
  app.add_option("--limit", options->limit, "keep at most SIZE bytes from now on (500M, 4G)")
      ->type_name("SIZE");
  return [options] {
    auto cache = build::Cache::open();
    if (!cache)
      return report_error(cache.error());
    if (!options->limit.empty()) {
      const auto bytes = parse_size(options->limit);
      if (!bytes)
        return report_error(
            {fmt::format("--limit: '{}' is no size", options->limit), "write it as 500M or 4G"});
      if (auto set = cache->set_limit(*bytes); !set)
        return report_error(set.error());
    }
    if (options->clear) {
      auto freed = cache->clear();
      if (!freed)
        return report_error(freed.error());
      fmt::print("removed {}\n", report::human_size(*freed));
    }
    if (options->show || (!options->clear && options->limit.empty()))
      print(*cache);
    return kDone;
  };
}

} // namespace culprit::cli
