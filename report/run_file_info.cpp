// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/run_file_info.h"

#include "report/document.h"
#include "report/utf8.h"

#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace culprit::report {

namespace {

std::map<std::string, size_t> count_kinds(const run::RunFile &file) {
  std::map<std::string, size_t> counts;
  for (const run::Record &record : file.records)
    ++counts[std::string(run::kind_name(run::kind_of(record)))];
  return counts;
}

} // namespace

std::string to_json(const run::RunFile &file, const std::string &path) {
  nlohmann::ordered_json document = document_head("info", path);
  document["type"] = "run file";
  document["pid"] = file.header.pid;
  document["lost"] = file.header.lost;
  document["records"] = count_kinds(file);
  document["tear"] = file.tear ? nlohmann::ordered_json(file.tear->why) : nullptr;
  return to_text(document);
}

std::string to_text(const run::RunFile &file, const std::string &path) {
  std::string text = fmt::format("{}: run file of process {}, {}\n", printable(path),
                                 file.header.pid, counted(file.records.size(), "record"));
  for (const auto &[kind, count] : count_kinds(file))
    text += fmt::format("    {:<14} {:>8}\n", kind, count);
  if (file.header.lost != 0)
    text += fmt::format("  {} records were lost for want of room\n", file.header.lost);
  return text;
}

} // namespace culprit::report
