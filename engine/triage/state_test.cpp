// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/triage/state.h"

#include "engine/launch/temporary.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace culprit::triage {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const Json kDocument = {{"outcome", "no-corruption"}, {"executions", 1}};

class TriageState : public testing::Test {
protected:
  fs::path file() const { return directory_->path() / "below" / "state"; }
  std::string text() const {
    std::ostringstream text;
    text << std::ifstream(file()).rdbuf();
    return text.str();
  }
  Result<launch::TemporaryDirectory> directory_ = launch::TemporaryDirectory::create();
};

TEST_F(TriageState, KeepsWhatIsAdded) {
  {
    auto state = State::open(file(), "p");
    ASSERT_TRUE(state);
    EXPECT_EQ(state->find("d"), nullptr);
    EXPECT_TRUE(state->add("d", kDocument));
  }
  auto again = State::open(file(), "p");
  ASSERT_TRUE(again);
  ASSERT_NE(again->find("d"), nullptr);
  EXPECT_EQ(*again->find("d"), kDocument);
}

TEST_F(TriageState, DropsALineThatWasNotFinished) {
  ASSERT_TRUE(State::open(file(), "p")->add("d", kDocument));
  std::ofstream(file(), std::ios::app) << state_line("p", "e", kDocument).substr(0, 20);
  auto state = State::open(file(), "p");
  ASSERT_TRUE(state);
  EXPECT_NE(state->find("d"), nullptr);
  EXPECT_TRUE(state->add("f", kDocument));
  auto again = State::open(file(), "p");
  ASSERT_TRUE(again);
  EXPECT_NE(again->find("f"), nullptr);
}

TEST_F(TriageState, DropsWhatIsOfAnotherProgram) {
  ASSERT_TRUE(State::open(file(), "p")->add("d", kDocument));
  auto other = State::open(file(), "q");
  ASSERT_TRUE(other);
  EXPECT_EQ(other->find("d"), nullptr);
  EXPECT_EQ(text(), state_head());
}

TEST_F(TriageState, ForgetsAllWhenAsked) {
  ASSERT_TRUE(State::open(file(), "p")->add("d", kDocument));
  auto fresh = State::open(file(), "p", State::Keep::nothing);
  ASSERT_TRUE(fresh);
  EXPECT_EQ(fresh->find("d"), nullptr);
  EXPECT_EQ(text(), state_head());
}

TEST_F(TriageState, LeavesOtherFilesAlone) {
  fs::create_directories(file().parent_path());
  std::ofstream(file()) << "my thesis\n";
  EXPECT_FALSE(State::open(file(), "p"));
  EXPECT_FALSE(State::open(file(), "p", State::Keep::nothing));
  EXPECT_EQ(text(), "my thesis\n");
}

TEST_F(TriageState, NoticesEveryDamagedByte) {
  const std::string line = state_line("p", "d", kDocument);
  const std::string whole = std::string(state_head()) + line;
  ASSERT_TRUE(parse_state(whole, "p"));
  for (size_t i = 0; i + 1 < whole.size(); ++i) { // without its end it is torn, not damaged
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    EXPECT_FALSE(parse_state(damaged, "p")) << i;
  }
}

TEST_F(TriageState, RefusesWhatIsTooDeep) {
  Json deep = kDocument;
  for (int i = 0; i < 100; ++i)
    deep = Json{{"outcome", "no-corruption"}, {"below", deep}};
  EXPECT_FALSE(parse_state(std::string(state_head()) + state_line("p", "d", deep), "p"));
}

} // namespace
} // namespace culprit::triage
