// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/native_sites.h"

#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit::monitor {

namespace {

constexpr uint64_t kUnit = CULPRIT_NATIVE_UNIT;

// Where the address is, in a file; null: in none.
const run::Module *module_of(const std::vector<const run::Module *> &modules, uint64_t address) {
  for (const run::Module *module : modules)
    if (address >= module->low && address < module->high)
      return module;
  return nullptr;
}

} // namespace

heap::SharedSites NativeSites::of(run::RunFile &file, symbolize::Symbolizer symbolizer) {
  std::vector<const run::Module *> modules;
  std::map<uint32_t, uint64_t> addresses;
  for (const run::Record &record : file.records) {
    if (const auto *module = std::get_if<run::Module>(&record.what))
      modules.push_back(module);
    if (const auto *site = std::get_if<run::NativeSite>(&record.what))
      addresses[site->number] = site->address;
  }
  heap::SiteTables tables;
  if (addresses.empty())
    return std::make_shared<const heap::SiteTables>();
  std::vector<heap::Site> &sites = tables[kUnit];
  sites.resize(addresses.rbegin()->first);
  const std::lock_guard held(lock_);
  for (const auto &[number, address] : addresses) {
    const run::Module *module = module_of(modules, address);
    if (module == nullptr)
      continue;
    heap::Site &site = sites[number - 1];
    site.kind = heap::SiteKind::alloc;
    site.id = llvm::xxh3_64bits(fmt::format(
        "{} {}", std::filesystem::path(module->path).filename().string(), address - module->base));
    auto known = places_.find(site.id);
    if (known == places_.end())
      known = places_.emplace(site.id, symbolizer.return_address(address).front()).first;
    site.function = known->second.function;
    site.file = known->second.file;
    site.line = known->second.line;
    site.column = known->second.column;
  }
  // Numbers begin at 1.
  file.records.push_back(
      {.offset = 0, .thread = 0, .what = run::Unit{kUnit, 1, static_cast<uint32_t>(sites.size())}});
  return std::make_shared<const heap::SiteTables>(std::move(tables));
}

} // namespace culprit::monitor
