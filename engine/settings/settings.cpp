// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/settings/settings.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <numeric>
#include <sstream>

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace culprit::settings {

namespace {

constexpr std::string_view kHeapSection = "heap";
constexpr std::string_view kAccessSection = "access";
constexpr std::string_view kLocateSection = "locate";

std::unexpected<Error> fail_at(std::string_view file, const toml::key &key, const std::string &what,
                               const std::string &hint = {}) {
  return fail(fmt::format("{}:{}: {}", file, key.source().begin.line, what), hint);
}

std::string hint_for(std::string_view wrong, std::span<const std::string> names) {
  const std::string near = did_you_mean(wrong, names);
  return near.empty() ? "`culprit show --settings` lists all settings"
                      : fmt::format("did you mean '{}'?", near);
}

// What a list of settings takes from the file: the heap's know text, those of accesses flags.
bool take(const toml::node &value, heap::SettingValue &given) {
  if (value.is_string())
    given = value.as_string()->get();
  else if (value.is_number())
    given = value.value<double>().value_or(0);
  else
    return false;
  return true;
}

bool take(const toml::node &value, access::SettingValue &given) {
  if (value.is_boolean())
    given = value.as_boolean()->get();
  else if (value.is_number())
    given = value.value<double>().value_or(0);
  else
    return false;
  return true;
}

template <typename Value, typename List>
Result<void> apply(const toml::table &table, std::string_view file, std::string_view section,
                   std::span<const SettingInfo> infos, std::string_view types, List &settings) {
  std::vector<std::string> names;
  for (const SettingInfo &info : infos)
    names.emplace_back(info.name);
  for (const auto &[key, value] : table) {
    const std::string name = fmt::format("{}.{}", section, key.str());
    if (std::ranges::find(names, name) == names.end())
      return fail_at(file, key, fmt::format("there is no setting '{}'", name),
                     hint_for(name, names));
    Value given;
    if (!take(value, given))
      return fail_at(file, key, fmt::format("'{}' must be {}", name, types));
    if (auto set = set_setting(settings, name, given); !set)
      return fail_at(file, key, set.error().what, set.error().hint);
  }
  return {};
}

} // namespace

Result<Settings> parse(std::string_view text, std::string_view name) {
  const toml::parse_result parsed = toml::parse(text, name);
  if (!parsed)
    return fail(fmt::format("{}:{}: {}", name, parsed.error().source().begin.line,
                            parsed.error().description()));
  Settings settings;
  const std::vector<std::string> sections = {std::string(kHeapSection), std::string(kAccessSection),
                                             std::string(kLocateSection)};
  for (const auto &[key, value] : parsed.table()) {
    if (std::ranges::find(sections, key.str()) == sections.end())
      return fail_at(name, key, fmt::format("there is no section '{}'", key.str()),
                     hint_for(key.str(), sections));
    const toml::table *table = value.as_table();
    if (table == nullptr)
      return fail_at(name, key, fmt::format("'{}' is a section, not a value", key.str()),
                     fmt::format("write [{}] on a line of its own", key.str()));
    Result<void> applied;
    if (key.str() == kHeapSection)
      applied = apply<heap::SettingValue>(*table, name, kHeapSection, heap::heap_settings(),
                                          "a number or a text in quotes", settings.heap);
    else if (key.str() == kAccessSection)
      applied = apply<access::SettingValue>(*table, name, kAccessSection, access::access_settings(),
                                            "a number, true or false", settings.access);
    else
      applied = apply<locate::SettingValue>(*table, name, kLocateSection, locate::locate_settings(),
                                            "a number", settings.locate);
    if (!applied)
      return std::unexpected(applied.error());
  }
  return settings;
}

Result<Settings> read(const std::filesystem::path &path) {
  std::error_code error;
  if (path.empty()) {
    if (!std::filesystem::exists(kDefaultFile, error))
      return Settings{};
    return read(kDefaultFile);
  }
  if (!std::filesystem::exists(path, error))
    return fail(fmt::format("{}: no such file", path.string()));
  if (!std::filesystem::is_regular_file(path, error))
    return fail(fmt::format("{}: not a regular file", path.string()));
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf(); // sets the failbit of `text` for an empty file, which is none
  if (!stream)
    return fail(fmt::format("{}: cannot be read", path.string()));
  return parse(text.str(), path.string());
}

std::vector<Shown> shown(const Settings &settings) {
  std::vector<Shown> all;
  auto add = [&](std::span<const SettingInfo> infos, const auto &list) {
    for (const SettingInfo &info : infos)
      all.push_back({std::string(info.name), std::string(info.type), setting_text(list, info.name),
                     std::string(info.default_value), std::string(info.meaning)});
  };
  add(heap::heap_settings(), settings.heap);
  add(access::access_settings(), settings.access);
  add(locate::locate_settings(), settings.locate);
  return all;
}

std::string did_you_mean(std::string_view wrong, std::span<const std::string> names) {
  std::string best;
  size_t least = wrong.size() / 3 + 1; // more changes than that is another word
  for (const std::string &name : names) {
    // Edit distance, one row of the table at a time.
    std::vector<size_t> row(name.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 1; i <= wrong.size(); ++i) {
      size_t diagonal = row[0];
      row[0] = i;
      for (size_t j = 1; j <= name.size(); ++j) {
        const size_t changed = diagonal + (wrong[i - 1] == name[j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
      }
    }
    if (row.back() <= least) {
      if (row.back() < least || best.empty())
        best = name;
      least = row.back();
    }
  }
  return best;
}

} // namespace culprit::settings
