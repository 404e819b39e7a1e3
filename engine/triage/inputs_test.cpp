// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/triage/inputs.h"

#include "engine/launch/temporary.h"

#include <fstream>
#include <gtest/gtest.h>

namespace culprit::triage {
namespace {

namespace fs = std::filesystem;

class TriageInputs : public testing::Test {
protected:
  void put(const fs::path &name, const std::string &text) const {
    fs::create_directories((root() / name).parent_path());
    std::ofstream(root() / name) << text;
  }
  fs::path root() const { return directory_->path(); }
  std::vector<std::string> labels() const {
    std::vector<std::string> names;
    auto inputs = inputs_of_directory(root(), arguments_);
    EXPECT_TRUE(inputs);
    if (inputs)
      for (const Input &input : *inputs)
        names.push_back(input.run.label);
    return names;
  }

  Result<launch::TemporaryDirectory> directory_ = launch::TemporaryDirectory::create();
  std::vector<std::string> arguments_ = {"-x", "@@"};
};

TEST_F(TriageInputs, AreTheFilesOfAFolderWithoutTheReadme) {
  put("crashes/id:000001,sig:06,src:000001", "b");
  put("crashes/id:000000,sig:11,src:000001", "a");
  put("crashes/README.txt", "Command line used to find this crash");
  auto inputs = inputs_of_directory(root() / "crashes", arguments_);
  ASSERT_TRUE(inputs);
  ASSERT_EQ(inputs->size(), 2u);
  EXPECT_EQ((*inputs)[0].run.label, "id:000000,sig:11,src:000001");
  EXPECT_EQ((*inputs)[0].name.claim, "SIGSEGV");
  EXPECT_EQ((*inputs)[0].run.arguments[1], (root() / "crashes" / (*inputs)[0].run.label).string());
}

TEST_F(TriageInputs, OfOneFuzzersOutputAreItsCrashes) {
  put("fuzzer_stats", "cycles_done: 1");
  put("queue/id:000000,time:0,orig:seed", "seed");
  put("hangs/id:000000,src:000000", "slow");
  put("crashes/id:000000,sig:11,src:000000", "a");
  put("crashes.2026-01-02-03:04:05/id:000000,sig:11,src:000009", "b");
  EXPECT_EQ(labels(),
            (std::vector<std::string>{"crashes/id:000000,sig:11,src:000000",
                                      "crashes.2026-01-02-03:04:05/id:000000,sig:11,src:000009"}));
}

TEST_F(TriageInputs, OfSeveralFuzzersOutputAreTheCrashesOfAll) {
  put("main/crashes/id:000000,sig:11,src:000000", "a");
  put("second/crashes/id:000000,sig:06,src:000000", "b");
  put("third/crashes/README.txt", "nothing found here but this");
  EXPECT_EQ(labels(), (std::vector<std::string>{"main/crashes/id:000000,sig:11,src:000000",
                                                "second/crashes/id:000000,sig:06,src:000000"}));
}

TEST_F(TriageInputs, OfAFolderWithoutAnyAreAnError) {
  put("main/crashes/README.txt", "");
  put("second/crashes/README.txt", "");
  EXPECT_FALSE(inputs_of_directory(root(), arguments_));
  EXPECT_FALSE(inputs_of_directory(root() / "absent", arguments_));
}

TEST_F(TriageInputs, WithTheSameContentHaveTheSameDigest) {
  put("in/a", "one");
  put("in/b", "two");
  put("in/c", "one");
  auto inputs = inputs_of_directory(root() / "in", arguments_);
  ASSERT_TRUE(inputs);
  EXPECT_EQ((*inputs)[0].digest, (*inputs)[2].digest);
  EXPECT_NE((*inputs)[0].digest, (*inputs)[1].digest);
  const std::vector<std::string> others = {"-y", "@@"};
  EXPECT_NE((*inputs)[0].digest, inputs_of_directory(root() / "in", others)->front().digest);
}

TEST_F(TriageInputs, OfCasesAreKnownByArgumentsAndContents) {
  put("data", "one");
  put("cases", "-a " + (root() / "data").string() + "\n-b\n-b < " + (root() / "data").string());
  auto before = inputs_of_cases(root() / "cases", {});
  put("data", "two");
  auto after = inputs_of_cases(root() / "cases", {});
  ASSERT_TRUE(before && after);
  ASSERT_EQ(before->size(), 3u);
  EXPECT_NE((*before)[0].digest, (*after)[0].digest);
  EXPECT_EQ((*before)[1].digest, (*after)[1].digest);
  EXPECT_NE((*before)[2].digest, (*after)[2].digest);
  EXPECT_NE((*before)[1].digest, (*before)[2].digest);
}

} // namespace
} // namespace culprit::triage
