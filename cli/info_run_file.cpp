// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/info_run_file.h"

#include "cli/command.h"
#include "cli/output.h"
#include "engine/run/run_file.h"

#include <array>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace culprit::cli {

namespace {

uint16_t kind_of(const run::Record &record) {
  struct Visitor {
    uint16_t operator()(const run::ProcessStart &) const { return CULPRIT_RECORD_start; }
    uint16_t operator()(const run::Module &) const { return CULPRIT_RECORD_module; }
    uint16_t operator()(const run::ProcessExit &) const { return CULPRIT_RECORD_exit; }
    uint16_t operator()(const run::HeapSummary &) const { return CULPRIT_RECORD_heap; }
    uint16_t operator()(const run::Unknown &unknown) const { return unknown.kind; }
  };
  return std::visit(Visitor{}, record.what);
}

std::map<std::string, size_t> count_kinds(const run::RunFile &file) {
  std::map<std::string, size_t> counts;
  for (const run::Record &record : file.records)
    ++counts[std::string(run::kind_name(kind_of(record)))];
  return counts;
}

std::string to_json(const run::RunFile &file, const std::string &path) {
  nlohmann::ordered_json document = document_head("info", path);
  document["type"] = "run file";
  document["pid"] = file.header.pid;
  document["lost"] = file.header.lost;
  document["records"] = count_kinds(file);
  document["tear"] = file.tear ? nlohmann::ordered_json(file.tear->why) : nullptr;
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string to_text(const run::RunFile &file, const std::string &path) {
  std::string text = fmt::format("{}: run file of process {}, {} record{}\n", path, file.header.pid,
                                 file.records.size(), file.records.size() == 1 ? "" : "s");
  for (const auto &[kind, count] : count_kinds(file))
    text += fmt::format("    {:<12} {:>8}\n", kind, count);
  if (file.header.lost != 0)
    text += fmt::format("  {} records were lost for want of room\n", file.header.lost);
  return text;
}

} // namespace

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
    if (auto written = write_document(json, to_json(*file, path)); !written)
      return report_error(written.error());
  if (json != "-")
    if (auto written = write_document("-", to_text(*file, path)); !written)
      return report_error(written.error());
  if (file->tear)
    fmt::print(stderr, "culprit: note: {}: {}; what is before it was read\n", path,
               file->tear->why);
  return kDone;
}

} // namespace culprit::cli
