// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/triage/fuzzer_name.h"

#include <gtest/gtest.h>

namespace culprit::triage {
namespace {

TEST(FuzzerName, AflTellsTheSignal) {
  EXPECT_EQ(parse_fuzzer_name("id:000001,sig:11,src:000003,time:40,execs:9,op:havoc,rep:2"),
            (FuzzerName{Fuzzer::afl, "SIGSEGV", true}));
  EXPECT_EQ(parse_fuzzer_name("id_000017,sig_06,src_000003,op_havoc"),
            (FuzzerName{Fuzzer::afl, "SIGABRT", true}));
  EXPECT_EQ(parse_fuzzer_name("id:000001,sig:99,src:000003").claim, "signal 99");
}

TEST(FuzzerName, AnInputOfTheQueueClaimsNothing) {
  EXPECT_EQ(parse_fuzzer_name("id:000000,time:0,execs:0,orig:seed"),
            (FuzzerName{Fuzzer::afl, "", false}));
}

TEST(FuzzerName, LibFuzzerTellsTheKind) {
  const std::string digest = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
  EXPECT_EQ(parse_fuzzer_name("crash-" + digest), (FuzzerName{Fuzzer::libfuzzer, "crash", true}));
  EXPECT_EQ(parse_fuzzer_name("oom-" + digest).claim, "out of memory");
  EXPECT_EQ(parse_fuzzer_name("timeout-" + digest).claim, "timeout");
  EXPECT_EQ(parse_fuzzer_name("leak-" + digest).claim, "leak");
  EXPECT_EQ(parse_fuzzer_name("slow-unit-" + digest).claim, "slow unit");
  EXPECT_FALSE(parse_fuzzer_name("slow-unit-" + digest).crash);
}

TEST(FuzzerName, OtherNamesAreNobodys) {
  for (const char *name : {"", "id:", "id:1,sig:11", "crash-", "crash-report.txt", "crashes",
                           "idea", "crash-DA39A3EE5E6B4B0D3255BFEF95601890AFD80709"})
    EXPECT_EQ(parse_fuzzer_name(name), FuzzerName{}) << name;
  EXPECT_EQ(parse_fuzzer_name("id:000001,sig:x").claim, "");
}

} // namespace
} // namespace culprit::triage
