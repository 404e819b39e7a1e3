// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/native_sites.h"

#include "abi/monitor.h"
#include "engine/build/elf_view.h"
#include "engine/build/file_bytes.h"
#include "engine/monitor/handing_out.h"
#include "engine/monitor/unseen.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

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

// Does the code that a call returns to merely hand on what it got?
bool hands_out_at(const symbolize::Mapping &mapping, uint64_t address) {
  if (is_system_library(mapping.file.filename().string()))
    return true;
  const auto bytes = build::FileBytes::map(mapping.file);
  if (!bytes)
    return false;
  const auto elf = build::read_elf(bytes->view());
  if (!elf)
    return false;
  const uint64_t in_file = address - mapping.base;
  const std::string_view code = build::loaded_at(*elf, in_file);
  if (code.empty())
    return false;
  for (const build::ElfSegment &segment : elf->segments)
    if (segment.type == llvm::ELF::PT_LOAD && in_file >= segment.address &&
        in_file < segment.address + segment.file_size)
      return hands_out({code.data() - (in_file - segment.address), in_file - segment.address},
                       code);
  return false;
}

// What calls main or a thread's function says nothing about this program: calls in the C library at
// the outer end of a chain are left out.
uint64_t without_outer_calls(uint64_t chain, const std::set<uint32_t> &in_libraries) {
  constexpr unsigned kBits = CULPRIT_CONTEXT_SHIFT;
  for (unsigned at = CULPRIT_CONTEXT_DEPTH - 1; at > 0; --at) {
    const auto number = static_cast<uint32_t>(chain >> (at * kBits) & CULPRIT_LARGEST_SITE);
    if (number != 0 && !in_libraries.contains(number))
      break;
    chain &= (uint64_t{1} << (at * kBits)) - 1;
  }
  return chain;
}

} // namespace

NativeSites::Known NativeSites::look_at(uint64_t address, symbolize::Symbolizer &symbolizer) const {
  const symbolize::Mapping *mapping = symbolizer.mapping_of(address);
  return {symbolizer.return_address(address).front(),
          finds_wrappers_ && mapping != nullptr && hands_out_at(*mapping, address)};
}

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
  std::set<uint32_t> in_libraries;
  const std::lock_guard held(lock_);
  for (const auto &[number, address] : addresses) {
    const run::Module *module = module_of(modules, address);
    if (module == nullptr)
      continue;
    if (is_system_library(std::filesystem::path(module->path).filename().string()))
      in_libraries.insert(number);
    heap::Site &site = sites[number - 1];
    site.kind = heap::SiteKind::alloc;
    site.id = llvm::xxh3_64bits(fmt::format(
        "{} {}", std::filesystem::path(module->path).filename().string(), address - module->base));
    auto known = known_.find(site.id);
    if (known == known_.end())
      known = known_.emplace(site.id, look_at(address, symbolizer)).first;
    const symbolize::Place &place = known->second.place;
    site.function = place.function;
    site.file = place.file;
    site.line = place.line;
    site.column = place.column;
    site.wrapper = known->second.wrapper;
  }
  if (finds_wrappers_)
    for (run::Record &record : file.records)
      if (auto *context = std::get_if<run::Context>(&record.what))
        context->chain = without_outer_calls(context->chain, in_libraries);
  // Numbers begin at 1.
  file.records.push_back(
      {.offset = 0, .thread = 0, .what = run::Unit{kUnit, 1, static_cast<uint32_t>(sites.size())}});
  return std::make_shared<const heap::SiteTables>(std::move(tables));
}

} // namespace culprit::monitor
