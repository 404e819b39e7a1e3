// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/watch/admission.h"

#include <gtest/gtest.h>
#include <set>

namespace culprit::cli {
namespace {

const Admission kAdmission{.token = "0123456789abcdef", .port = 8123};

Asked good() {
  return {
      .method = "GET", .hosts = {"127.0.0.1:8123"}, .origins = {}, .tokens = {"0123456789abcdef"}};
}

bool is_refused(const Asked &asked) { return !refusal(asked, kAdmission).empty(); }

TEST(Admission, LetsInWhoHasTheTokenAndMeansUs) {
  EXPECT_FALSE(is_refused(good()));
  Asked asked = good();
  asked.hosts = {"LocalHost:8123"};
  asked.origins = {"http://127.0.0.1:8123"};
  EXPECT_FALSE(is_refused(asked));
}

TEST(Admission, RefusesAMissingShortLongOrRepeatedToken) {
  for (const auto &tokens : {std::vector<std::string>{},
                             {""},
                             {"0123456789abcde"},
                             {"0123456789abcdef0"},
                             {"0123456789ABCDEF"},
                             {"0123456789abcdef", "0123456789abcdef"}}) {
    Asked asked = good();
    asked.tokens = tokens;
    EXPECT_TRUE(is_refused(asked));
  }
  // Nobody knows the token of a server that has none.
  Asked asked = good();
  asked.tokens = {""};
  EXPECT_FALSE(refusal(asked, {.token = "", .port = 8123}).empty());
}

TEST(Admission, RefusesAForeignHost) {
  for (const auto &hosts : {std::vector<std::string>{},
                            {""},
                            {"evil.example"},
                            {"evil.example:8123"},
                            {"127.0.0.1"},
                            {"127.0.0.1:80"},
                            {"127.0.0.1:8123.evil.example"},
                            {"127.0.0.1:81230"},
                            {"127.0.0.1:8123", "evil.example"}}) {
    Asked asked = good();
    asked.hosts = hosts;
    EXPECT_TRUE(is_refused(asked));
  }
}

TEST(Admission, RefusesAForeignOrigin) {
  for (const char *origin : {"", "null", "http://evil.example", "https://127.0.0.1:8123",
                             "http://127.0.0.1:8124", "http://127.0.0.1:8123.evil.example"}) {
    Asked asked = good();
    asked.origins = {origin};
    EXPECT_TRUE(is_refused(asked)) << origin;
  }
}

TEST(Admission, RefusesWhatWouldChangeSomething) {
  for (const char *method : {"POST", "PUT", "DELETE", "OPTIONS", ""}) {
    Asked asked = good();
    asked.method = method;
    EXPECT_TRUE(is_refused(asked)) << method;
  }
}

TEST(Admission, TokensAreLongAndNeverTheSame) {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) {
    const std::string token = new_token();
    EXPECT_EQ(token.size(), 32);
    EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos);
    tokens.insert(token);
  }
  EXPECT_EQ(tokens.size(), 100);
}

} // namespace
} // namespace culprit::cli
