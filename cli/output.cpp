// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/output.h"

#include "cli/source_lines.h"
#include "engine/launch/temporary.h"
#include "report/html/page.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace culprit::cli {

Result<void> write_document(const std::string &destination, const std::string &text) {
  if (destination != "-")
    return launch::write_atomically(destination, text);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    return fail("standard output cannot be written");
  return {};
}

Result<void> write_page(const std::string &destination, const nlohmann::ordered_json &document) {
  return write_joint_page(destination, std::span(&document, 1));
}

Result<void> write_joint_page(const std::string &destination,
                              std::span<const nlohmann::ordered_json> documents) {
  for (const nlohmann::ordered_json &document : documents)
    if (!report::html::has_page(document))
      return fail(fmt::format("there is no HTML page of what culprit {} reports",
                              document.value("command", "")),
                  "--json has all of it");
  std::error_code ignored;
  return write_document(destination, report::html::joint_page(
                                         documents, {.source = source_lines(),
                                                     .base = std::filesystem::current_path(ignored),
                                                     .outline = {}}));
}

} // namespace culprit::cli
