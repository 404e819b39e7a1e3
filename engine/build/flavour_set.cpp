// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/flavour_set.h"

#include "engine/build/link_line.h"
#include "engine/build/needed.h"
#include "engine/launch/spawn.h"

#include <fmt/format.h>

namespace culprit::build {

namespace fs = std::filesystem;

Result<FlavourSet> FlavourSet::open(std::string_view flavour, unsigned jobs, OnMake on_make) {
  auto kind = find_flavour_kind(flavour);
  if (!kind)
    return std::unexpected(kind.error());
  auto cache = Cache::open();
  if (!cache)
    return std::unexpected(cache.error());
  return FlavourSet(find_toolchain(), *cache, **kind, jobs, std::move(on_make));
}

FlavourSet::FlavourSet(Toolchain toolchain, Cache cache, const FlavourKind &kind, unsigned jobs,
                       OnMake on_make)
    : toolchain_(std::move(toolchain)), cache_(std::move(cache)), kind_(kind), jobs_(jobs),
      on_make_(std::move(on_make)) {}

Result<CachedFlavour> FlavourSet::flavour(const Carried &carried) const {
  return cache_.flavour(toolchain_, carried, kind_, jobs_, [&] {
    if (on_make_)
      on_make_(carried.path);
  });
}

Result<std::optional<fs::path>> FlavourSet::object(const fs::path &path) const {
  auto carried = read_carried(path);
  if (!carried)
    return std::unexpected(carried.error());
  if (carried->units.empty() || !carried->link)
    return std::nullopt;
  auto made = flavour(*carried);
  if (!made)
    return std::unexpected(made.error());
  return made->file;
}

launch::ObjectAnswer FlavourSet::object_answer() const {
  return [set = *this](const launch::ObjectRequest &request) -> std::string {
    launch::SearchPaths paths;
    if (auto needs = read_dynamic_needs(request.caller))
      paths = search_paths(*needs);
    const auto file = launch::resolve_object(request, paths);
    if (!file || is_system_file(file->string()))
      return {};
    // A flavour that cannot be made must not stop the target: it loads the plain object.
    auto flavour = set.object(*file);
    return flavour && *flavour ? (*flavour)->string() : std::string();
  };
}

Result<launch::Program> FlavourSet::program(const std::string &typed) const {
  const auto found = launch::find_program(typed);
  if (!found)
    return fail(fmt::format("{}: no such program", typed));
  auto carried = read_carried(*found);
  if (!carried)
    return std::unexpected(carried.error());
  if (carried->type != FileType::executable)
    return fail(fmt::format("{}: not an executable", typed));
  auto made = flavour(*carried);
  if (!made)
    return std::unexpected(made.error());

  launch::Program program{
      .original = fs::absolute(*found), .executable = made->file, .name = typed};
  auto objects = needed_objects(*found, Missing::is_an_error);
  if (!objects)
    return std::unexpected(objects.error());
  for (const fs::path &path : *objects) {
    auto replacement = object(path);
    if (!replacement)
      return std::unexpected(replacement.error());
    if (*replacement)
      program.substitutions.push_back({path, **replacement});
  }
  return program;
}

} // namespace culprit::build
