// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each test/report/NAME.json, shown as text, is NAME.txt to the byte, and where it has findings, as
// SARIF NAME.sarif and as JUnit NAME.xml. After a change that is meant, `report_test
// --gtest_filter=Golden.* --gtest_also_run_disabled_tests` rewrites all of them; the difference is
// to be reviewed.
#include "report/check_text.h"
#include "report/document.h"
#include "report/explain_text.h"
#include "report/junit.h"
#include "report/locate_text.h"
#include "report/model_text.h"
#include "report/sarif.h"
#include "report/triage_text.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

namespace culprit::report {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> documents() {
  std::vector<fs::path> files;
  for (const auto &entry : fs::directory_iterator(CULPRIT_GOLDEN))
    if (entry.path().extension() == ".json")
      files.push_back(entry.path());
  return files;
}

std::string read(const fs::path &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TextOptions text_options() {
  return {.style = {},
          .source = [](const std::string &file, size_t line) -> std::optional<std::string> {
            if (file == "/src/game/assets.c" && line == 57)
              return "  at->next = n;";
            if (file == "/src/game/pack.c" && line == 88)
              return "  strcpy(name, arg);";
            return std::nullopt;
          },
          .base = "/src/game",
          .verbose = false};
}

std::string text_of(const nlohmann::ordered_json &document) {
  const TextOptions options = text_options();
  if (document["command"] == "check")
    return check_text(document, options);
  if (document["command"] == "explain")
    return explain_text(document, options);
  if (document["command"] == "diff")
    return diff_text(document, options);
  if (document["command"] == "locate")
    return locate_text(document, options);
  if (document["command"] == "triage")
    return triage_text(document, options);
  return model_text(document, {});
}

// What there is of a document, by the extension of its file.
std::vector<std::pair<std::string, std::string>> forms_of(const fs::path &path) {
  const auto document = nlohmann::ordered_json::parse(read(path));
  std::vector<std::pair<std::string, std::string>> forms = {{".txt", text_of(document)}};
  if (!reports_findings(document))
    return forms;
  const TextOptions options = text_options();
  const Reported findings = reported(document, options);
  forms.emplace_back(".sarif",
                     to_text(sarif(findings, {.source = options.source, .root = options.base})));
  forms.emplace_back(".xml", junit(findings, options.base));
  return forms;
}

TEST(Golden, EveryDocumentHasItsForms) {
  ASSERT_FALSE(documents().empty());
  for (const fs::path &path : documents())
    for (const auto &[extension, text] : forms_of(path))
      EXPECT_EQ(text, read(fs::path(path).replace_extension(extension))) << path << extension;
}

TEST(Golden, DISABLED_Rewrite) {
  for (const fs::path &path : documents())
    for (const auto &[extension, text] : forms_of(path))
      std::ofstream(fs::path(path).replace_extension(extension)) << text;
}

} // namespace
} // namespace culprit::report
