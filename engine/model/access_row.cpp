// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See access_row.h.
#include "engine/model/access_row.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace culprit::model {
namespace {

void put(std::string &bytes, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    bytes += static_cast<char>(value | 0x80);
  bytes += static_cast<char>(value);
}

// One way to write each number, so that equal pairs are equal bytes.
std::optional<uint64_t> take(std::string_view &bytes) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (bytes.empty())
      return std::nullopt;
    const auto byte = static_cast<uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    if ((shift == 63 && byte > 1) || (shift != 0 && byte == 0))
      return std::nullopt;
    value |= uint64_t{byte & 0x7fU} << shift;
    if ((byte & 0x80) == 0)
      return value;
  }
  return std::nullopt;
}

// A pair in the numbers of the file.
struct Numbered {
  uint64_t site;
  uint64_t name;
  uint64_t before; // + 1; 0: none
  uint64_t previous;
  const access::RunPair *pair;
};

void add(std::string &text, std::string_view part) {
  text += fmt::format("{} ", part.size());
  text += part;
}

} // namespace

std::optional<std::string> pairs_bytes(const std::vector<access::RunPair> &pairs,
                                       const AccessNumbers &numbers) {
  std::vector<Numbered> ordered;
  ordered.reserve(pairs.size());
  for (const access::RunPair &pair : pairs) {
    const auto site = numbers.sites.find(pair.site);
    const auto name = numbers.names.find(pair.name);
    const auto before = numbers.names.find(pair.before);
    const auto previous = numbers.names.find(pair.previous);
    const auto none = numbers.names.end();
    if (site == numbers.sites.end() || name == none || (pair.before != 0 && before == none) ||
        (pair.previous != 0 && previous == none))
      return std::nullopt;
    ordered.push_back({site->second, name->second, pair.before == 0 ? 0 : before->second + 1,
                       pair.previous == 0 ? 0 : previous->second + 1, &pair});
  }
  std::ranges::sort(ordered, [](const Numbered &a, const Numbered &b) {
    return std::pair(a.site, a.name) < std::pair(b.site, b.name);
  });
  std::string bytes;
  uint64_t site = 0;
  uint64_t name = 0;
  for (const Numbered &one : ordered) {
    put(bytes, one.site - site);
    name = one.site == site ? name : 0;
    put(bytes, one.name - name);
    site = one.site;
    name = one.name;
    put(bytes, one.pair->direct ? 1 : 0);
    put(bytes, one.pair->count);
    put(bytes, one.before);
    put(bytes, one.previous);
  }
  return bytes;
}

std::optional<std::vector<access::RunPair>> pairs_from(std::string_view bytes,
                                                       const AccessIds &ids) {
  std::vector<access::RunPair> pairs;
  uint64_t site = 0;
  uint64_t name = 0;
  const auto name_at = [&](uint64_t number) -> std::optional<uint64_t> {
    if (number == 0)
      return 0;
    const auto found = ids.names.find(number - 1);
    return found == ids.names.end() ? std::nullopt : std::optional(found->second);
  };
  while (!bytes.empty()) {
    const auto site_step = take(bytes);
    const auto name_step = take(bytes);
    const auto direct = take(bytes);
    const auto count = take(bytes);
    const auto before_number = take(bytes);
    const auto previous_number = take(bytes);
    if (!site_step || !name_step || !direct || *direct > 1 || !count || !before_number ||
        !previous_number || *site_step > UINT32_MAX || *name_step > UINT32_MAX)
      return std::nullopt;
    name = *site_step == 0 ? name : 0;
    // Only the very first pair may be no step further than number 0 of both tables.
    if (!pairs.empty() && *site_step == 0 && *name_step == 0)
      return std::nullopt;
    site += *site_step;
    name += *name_step;
    const auto site_id = ids.sites.find(site);
    const auto name_id = ids.names.find(name);
    const auto before = name_at(*before_number);
    const auto previous = name_at(*previous_number);
    if (site_id == ids.sites.end() || name_id == ids.names.end() || !before || !previous)
      return std::nullopt;
    pairs.push_back({site_id->second, name_id->second, *count, *before, *previous, *direct == 1});
  }
  std::ranges::sort(pairs);
  return pairs;
}

std::string ids_bytes(const std::vector<uint64_t> &ids) {
  return {reinterpret_cast<const char *>(ids.data()), ids.size() * sizeof(uint64_t)};
}

std::optional<std::vector<uint64_t>> ids_from(std::string_view bytes) {
  if (bytes.size() % sizeof(uint64_t) != 0)
    return std::nullopt;
  std::vector<uint64_t> ids(bytes.size() / sizeof(uint64_t));
  if (!ids.empty())
    std::memcpy(ids.data(), bytes.data(), bytes.size());
  if (std::ranges::adjacent_find(ids, std::greater_equal<>()) != ids.end())
    return std::nullopt;
  return ids;
}

std::string access_site_text(const access::AccessSite &site) {
  std::string text =
      fmt::format("{} {} {} {} {} ", site.id, site.line, site.column, site.read, site.direct);
  for (const std::string &part : {site.file, site.function, site.callee})
    add(text, part);
  return text;
}

std::string access_name_text(const access::Name &name) {
  std::string text =
      fmt::format("{} {} {} ", static_cast<int>(name.kind), name.line, name.internal);
  for (const std::string &part : {name.symbol, name.function, name.file, name.type, name.member})
    add(text, part);
  for (const uint64_t id : name.chain)
    text += fmt::format("{} ", id);
  return text;
}

std::string access_run_text(const access::RunPairs &run) {
  std::string text =
      fmt::format("{} {} {} {} ", run.reads, run.periods, run.watched_bytes, run.pairs.size());
  for (const std::string &part : {run.arguments, run.input, run.status, run.build_id})
    add(text, part);
  for (const access::RunPair &pair : run.pairs)
    for (const uint64_t value :
         {pair.site, pair.name, pair.count, pair.before, pair.previous, uint64_t{pair.direct}})
      text.append(reinterpret_cast<const char *>(&value), sizeof value);
  return text;
}

} // namespace culprit::model
