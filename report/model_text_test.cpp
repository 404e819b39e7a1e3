// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/model_text.h"

#include "report/wrap.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace culprit::report {
namespace {

TEST(ModelText, FitsTheTerminalAndAlwaysHasTheRanges) {
  std::ifstream file(std::filesystem::path(CULPRIT_GOLDEN) / "train.json");
  const auto document = nlohmann::ordered_json::parse(file);
  for (const size_t width : {40, 60, 80, 100, 200}) {
    const std::string text =
        model_text(document, {.style = {.color = true, .width = width}, .every_run = true});
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with("next: "))
        EXPECT_LE(columns_of(line), width) << line;
    EXPECT_NE(text.find("range"), std::string::npos);
    EXPECT_EQ(text.find("change, %") != std::string::npos, width >= 100);
    EXPECT_EQ(text.find("a run\n") != std::string::npos, width >= 80) << text;
  }
}

} // namespace
} // namespace culprit::report
