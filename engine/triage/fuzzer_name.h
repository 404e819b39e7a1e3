// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a fuzzer says of an input by the name it gave the file: AFL++ writes
// `id:000001,sig:11,src:…` (`id_000001,sig_11,…` where colons are no good in file names), libFuzzer
// `crash-<sha1>`, `oom-<sha1>` and so on.
#pragma once

#include <string>
#include <string_view>

namespace culprit::triage {

enum class Fuzzer { none, afl, libfuzzer };
std::string_view name_of(Fuzzer fuzzer); // "AFL++", "libFuzzer", ""

struct FuzzerName {
  Fuzzer fuzzer = Fuzzer::none;
  // What it saw: "SIGSEGV", "crash", "out of memory", "timeout", "leak", "slow unit"; empty: the
  // name does not say.
  std::string claim = {};
  bool crash = false; // it saw a crash
  bool operator==(const FuzzerName &) const = default;
};

FuzzerName parse_fuzzer_name(std::string_view file_name);

} // namespace culprit::triage
