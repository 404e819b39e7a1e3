// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See at.h.
#include "engine/explain/at.h"

#include "engine/explain/difference.h"
#include "engine/explain/naming.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <tuple>

namespace culprit::explain {
namespace {

template <typename Number> bool parse_number(std::string_view text, Number &number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number > 0;
}

bool is_file(const std::string &path, const std::string &asked) {
  return path == asked || path.ends_with("/" + asked);
}

} // namespace

Result<AtLine> parse_at(std::string_view text) {
  AtLine at;
  const std::string_view whole = text;
  bool good = true;
  if (const size_t hash = text.rfind('#'); hash != std::string_view::npos) {
    good = parse_number(text.substr(hash + 1), at.instance);
    text = text.substr(0, hash);
  }
  const size_t colon = text.rfind(':');
  good = good && colon != std::string_view::npos && colon > 0 &&
         parse_number(text.substr(colon + 1), at.line);
  if (!good)
    return fail(fmt::format("'{}' is no place", whole), "FILE:LINE or FILE:LINE#N");
  at.file = text.substr(0, colon);
  return at;
}

Result<size_t> find_pair(const Trace &a, const Tables &tables, const Alignment &alignment,
                         const AtLine &at) {
  uint32_t site = 0;
  size_t seen = 0;
  size_t position = 0;
  for (; position < a.size() && seen < at.instance; ++position) {
    if (!is_point(a[position]))
      continue;
    const Location &here = tables.site(a[position].site)->at;
    if (site == 0 && here.line == at.line && is_file(here.file, at.file))
      site = a[position].site;
    seen += site != 0 && a[position].site == site ? 1 : 0;
  }
  if (seen == 0)
    return fail(fmt::format("{}:{} is not executed", at.file, at.line),
                "a line where a statement begins is needed");
  if (seen < at.instance)
    return fail(
        fmt::format("{}:{} is executed {} times, not {}", at.file, at.line, seen, at.instance));
  const auto pair = std::ranges::find(alignment.points, position - 1, &Alignment::Pair::a);
  if (pair == alignment.points.end())
    return fail(fmt::format("{}:{}#{}: the other run does not come to that point", at.file, at.line,
                            at.instance),
                "the runs have parted before; without --at the place where they do is told");
  return static_cast<size_t>(pair - alignment.points.begin());
}

Result<std::vector<NamedDifference>> differences_at(const Run &a, const Run &b,
                                                    const Compared &compared, const AtLine &at,
                                                    const std::filesystem::path &scratch) {
  auto pair = find_pair(compared.a.trace, a.target.tables(), compared.alignment, at);
  if (!pair)
    return std::unexpected(pair.error());
  const uint64_t index = compared.a.trace[compared.alignment.points[*pair].a].index;
  constexpr std::chrono::seconds kPatience{60};
  auto left = a.target.stop(a.request, index, {scratch, kPatience});
  if (!left)
    return std::unexpected(left.error());
  auto right = b.target.stop(b.request, index, {scratch, kPatience});
  if (!right)
    return std::unexpected(right.error());
  const Snapshot &x = (*left)->snapshot();
  const Snapshot &y = (*right)->snapshot();
  const Naming naming({x, a.target.tables()}, {y, b.target.tables()});
  std::vector<NamedDifference> found;
  const auto is_number = [&](const Place &place) { return naming.is_number(place); };
  for (const Difference &each : join_halves(compare(x, y), is_number))
    for (const NamedValue &named : naming.describe(each)) {
      if (std::ranges::find(found, named.name, &NamedDifference::name) == found.end() ||
          named.name == "(temporary)")
        found.push_back({fmt::format("{:016x}+{}", each.at.region, each.at.offset), named.name,
                         named.passing, named.failing});
    }
  std::ranges::sort(found, {},
                    [](const NamedDifference &each) { return std::tie(each.name, each.index); });
  return found;
}

} // namespace culprit::explain
