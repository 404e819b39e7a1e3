// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit info FILE`: what a program carries, what it does not, and which of its flavours are
// cached; or what a run file holds.
#include "cli/command.h"
#include "cli/output.h"
#include "engine/build/cache.h"
#include "engine/build/carried.h"
#include "engine/build/needed.h"
#include "engine/run/run_file.h"
#include "report/program_info.h"
#include "report/run_file_info.h"
#include "report/utf8.h"

#include <array>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>

namespace culprit::cli {

namespace {

struct Options {
  std::string program;
  std::string json;
};

Result<report::ProgramInfo> collect(const std::string &program) {
  auto carried = build::read_carried(program);
  if (!carried)
    return std::unexpected(carried.error());
  report::ProgramInfo info{program, std::move(*carried), {}, {}};
  if (info.carried.type != build::FileType::object) {
    auto objects = build::needed_objects(program, info.carried.type == build::FileType::executable
                                                      ? build::Missing::is_an_error
                                                      : build::Missing::is_left_out);
    if (!objects)
      return std::unexpected(objects.error());
    for (const auto &path : *objects) {
      auto other = build::read_carried(path);
      if (!other)
        return std::unexpected(other.error());
      info.shared_objects.push_back({path, other->modules().size()});
    }
  }
  const build::Toolchain toolchain = build::find_toolchain();
  if (auto cache = build::Cache::open(); cache && !info.carried.units.empty())
    for (const build::FlavourKind &kind : build::flavour_kinds())
      if (auto entry = cache->lookup(toolchain, info.carried, kind); entry && *entry)
        info.flavours.push_back(**entry);
  return info;
}

// By its first bytes.
bool is_run_file(const std::string &path) {
  // Only of a regular file: opening a pipe would wait for its writer.
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return false;
  uint64_t magic = 0;
  std::array<char, sizeof magic> start{};
  std::ifstream(path, std::ios::binary).read(start.data(), start.size());
  std::memcpy(&magic, start.data(), sizeof magic);
  return magic == CULPRIT_RUN_MAGIC;
}

int info_run_file(const std::string &path, const std::string &json) {
  auto file = run::read(path);
  if (!file)
    return report_error(file.error());
  if (!json.empty())
    if (auto written = write_document(json, report::to_json(*file, path)); !written)
      return report_error(written.error());
  if (json != "-")
    if (auto written = write_document("-", report::to_text(*file, path)); !written)
      return report_error(written.error());
  if (file->tear)
    fmt::print(stderr, "culprit: note: {}: {}; what is before it was read\n",
               report::printable(path), file->tear->why);
  return kDone;
}

} // namespace

Action declare_info(CLI::App &app) {
  auto options = std::make_shared<Options>();
  app.add_option("PROG", options->program, "executable, shared object, object or run file")
      ->required();
  app.add_option("--json", options->json, "write the same as JSON to FILE (`-`: standard output)")
      ->type_name("FILE");
  return [options] {
    if (is_run_file(options->program))
      return info_run_file(options->program, options->json);
    auto info = collect(options->program);
    if (!info)
      return report_error(info.error());
    if (!options->json.empty()) {
      if (auto written = write_document(options->json, report::to_json(*info)); !written)
        return report_error(written.error());
    }
    if (options->json != "-")
      if (auto written = write_document("-", report::to_text(*info)); !written)
        return report_error(written.error());
    return kDone;
  };
}

} // namespace culprit::cli
