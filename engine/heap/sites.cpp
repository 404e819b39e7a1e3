// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See sites.h.
#include "engine/heap/sites.h"

#include "abi/monitor.h"
#include "abi/sites.h"
#include "engine/build/elf_view.h"
#include "engine/build/file_bytes.h"
#include "engine/build/frames.h"
#include "engine/symbolize/symbolize.h"

#include "llvm/Demangle/Demangle.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace culprit::heap {
namespace {

using nlohmann::json;

constexpr const char *kAgain = "remove the flavour (`culprit cache --clear`) and run again";
// A program of a million lines has some hundred thousand sites; more than this is a forged table.
constexpr size_t kMaxSites = 8'000'000;

SiteKind kind_of(std::string_view text) {
  if (text == "call")
    return SiteKind::call;
  if (text == "alloc")
    return SiteKind::alloc;
  if (text == "store")
    return SiteKind::store;
  if (text == "free")
    return SiteKind::free;
  return SiteKind::other;
}

std::optional<std::string> text_at(const json &object, const char *key) {
  const auto found = object.find(key);
  if (found == object.end())
    return std::string();
  if (!found->is_string())
    return std::nullopt;
  return found->get<std::string>();
}

std::optional<unsigned> number_at(const json &object, const char *key) {
  const auto found = object.find(key);
  if (found == object.end())
    return 0;
  if (!found->is_number_unsigned() || found->get<uint64_t>() > UINT32_MAX)
    return std::nullopt;
  return found->get<unsigned>();
}

std::optional<InlinedAt> caller_of(const json &object) {
  if (!object.is_object())
    return std::nullopt;
  auto function = text_at(object, "function");
  auto file = text_at(object, "file");
  const auto line = number_at(object, "line");
  const auto column = number_at(object, "column");
  if (!function || !file || !line || !column)
    return std::nullopt;
  return InlinedAt{std::move(*function), std::move(*file), *line, *column};
}

std::optional<Site> site_of(const json &object) {
  if (!object.is_object())
    return std::nullopt;
  const auto id = text_at(object, "id");
  const auto kind = text_at(object, "kind");
  auto file = text_at(object, "file");
  auto function = text_at(object, "function");
  auto callee = text_at(object, "callee");
  auto type = text_at(object, "type");
  const auto line = number_at(object, "line");
  const auto column = number_at(object, "column");
  if (!id || !kind || !file || !function || !callee || !type || !line || !column || !id_of(*id))
    return std::nullopt;
  Site site{*id_of(*id),
            kind_of(*kind),
            std::move(*file),
            *line,
            *column,
            std::move(*function),
            std::move(*callee),
            std::move(*type),
            {},
            false,
            {}};
  if (const auto from = object.find("from"); from != object.end()) {
    if (!from->is_array())
      return std::nullopt;
    for (const json &name : *from) {
      if (!name.is_string())
        return std::nullopt;
      site.from.push_back(name.get<std::string>());
    }
  }
  if (const auto wrapper = object.find("wrapper"); wrapper != object.end()) {
    if (!wrapper->is_boolean())
      return std::nullopt;
    site.wrapper = wrapper->get<bool>();
  }
  if (const auto at = object.find("at"); at != object.end()) {
    if (!at->is_array())
      return std::nullopt;
    for (const json &entry : *at) {
      auto caller = caller_of(entry);
      if (!caller)
        return std::nullopt;
      site.at.push_back(std::move(*caller));
    }
  }
  return site;
}

Result<void> read_table(const build::FrameView &frame, const EachTable &each) {
  const json metadata = json::parse(frame.metadata, nullptr, /*allow_exceptions=*/false);
  const auto unit = metadata.is_object() ? text_at(metadata, CULPRIT_SITES_UNIT) : std::nullopt;
  const auto id = unit ? id_of(*unit) : std::nullopt;
  if (!id)
    return fail("a table of sites does not say of which unit", kAgain);
  auto payload = build::payload_of(frame);
  if (!payload)
    return std::unexpected(payload.error());
  return each(*id, *payload);
}

} // namespace

Result<std::vector<Site>> parse_sites(std::string_view text) {
  // What access flavours add is another reader's: not even built, it may be many times as large.
  const auto is_ours = [](int depth, json::parse_event_t event, json &parsed) {
    return depth != 1 || event != json::parse_event_t::key || parsed == CULPRIT_SITES_LIST;
  };
  const json document = json::parse(text, is_ours, /*allow_exceptions=*/false);
  const auto damaged = [] { return fail("a table of sites is not readable", kAgain); };
  if (!document.is_object())
    return damaged();
  const auto list = document.find(CULPRIT_SITES_LIST);
  if (list == document.end() || !list->is_array() || list->size() > kMaxSites)
    return damaged();
  std::vector<Site> sites;
  sites.reserve(list->size());
  for (const json &object : *list) {
    auto site = site_of(object);
    if (!site)
      return fail(fmt::format("site {} of a table of sites is not readable", sites.size()), kAgain);
    sites.push_back(std::move(*site));
  }
  return sites;
}

Result<void> each_table(std::string_view bytes, const std::filesystem::path &name,
                        const EachTable &each) {
  const auto named = [&](const Error &error) {
    return fail(fmt::format("{}: {}", name.string(), error.what), error.hint);
  };
  const auto file = build::read_elf(bytes);
  if (!file)
    return named(file.error());
  for (const build::ElfSection &section : file->sections) {
    if (section.name != CULPRIT_FRAME_SECTION)
      continue;
    const auto frames = build::read_section(section.contents);
    if (!frames)
      return named(frames.error());
    for (const build::FrameView &frame : *frames)
      if (frame.kind == CULPRIT_FRAME_SITES)
        if (auto added = read_table(frame, each); !added)
          return named(added.error());
  }
  return {};
}

Result<SiteTables> read_sites_bytes(std::string_view bytes, const std::filesystem::path &name) {
  SiteTables tables;
  auto read = each_table(bytes, name, [&](uint64_t unit, std::string_view text) -> Result<void> {
    auto sites = parse_sites(text);
    if (!sites)
      return std::unexpected(sites.error());
    // The same unit twice is the same module linked into two objects: equal tables.
    tables.insert_or_assign(unit, std::move(*sites));
    return {};
  });
  if (!read)
    return std::unexpected(read.error());
  return tables;
}

Result<SiteTables> read_sites(const std::filesystem::path &flavour) {
  auto file = build::FileBytes::map(flavour);
  if (!file)
    return std::unexpected(file.error());
  return read_sites_bytes(file->view(), flavour);
}

Result<SharedSites> read_all_sites(std::span<const std::filesystem::path> flavours) {
  auto all = std::make_shared<SiteTables>();
  for (const std::filesystem::path &flavour : flavours) {
    auto tables = read_sites(flavour);
    if (!tables)
      return std::unexpected(tables.error());
    all->merge(*tables);
  }
  return all;
}

SiteNumbers::SiteNumbers(const SiteTables &tables, std::span<const run::Unit> units) {
  for (const run::Unit &unit : units) {
    const auto table = tables.find(unit.id);
    // A table of another length is of another build of the unit: its numbers would be wrong.
    if (table != tables.end() && table->second.size() == unit.sites)
      by_base_.insert_or_assign(unit.base, std::span<const Site>(table->second));
  }
}

const Site *SiteNumbers::at(uint32_t number) const {
  auto above = by_base_.upper_bound(number);
  if (above == by_base_.begin())
    return nullptr;
  --above;
  const size_t position = number - above->first;
  return position < above->second.size() ? &above->second[position] : nullptr;
}

std::vector<const Site *> SiteNumbers::chain(uint64_t context) const {
  constexpr uint64_t kMask = (1U << CULPRIT_CONTEXT_SHIFT) - 1;
  std::vector<const Site *> sites;
  for (; context != 0; context >>= CULPRIT_CONTEXT_SHIFT) {
    const auto number = static_cast<uint32_t>(context & kMask);
    sites.push_back(number == 0 ? nullptr : at(number));
  }
  return sites;
}

const Site *allocation_site(std::span<const Site *const> chain) {
  const Site *outermost = nullptr;
  for (const Site *site : chain) {
    if (site == nullptr)
      continue;
    if (!site->wrapper)
      return site;
    outermost = site;
  }
  return outermost;
}

std::string id_text(uint64_t id) { return fmt::format("{:016x}", id); }

std::optional<uint64_t> id_of(std::string_view text) {
  uint64_t value = 0;
  const char *begin = text.data();
  const char *end = begin + text.size();
  auto [at, error] = std::from_chars(begin, end, value, 16);
  if (text.size() != 16 || error != std::errc() || at != end)
    return std::nullopt;
  return value;
}

std::string display_function(std::string_view linkage) { return llvm::demangle(linkage); }

std::string short_function(std::string_view linkage) {
  std::string name = symbolize::readable_name(linkage);
  return name == linkage ? display_function(linkage) : name; // a variable's, as a whole
}

} // namespace culprit::heap
