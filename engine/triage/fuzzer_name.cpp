// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/triage/fuzzer_name.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <optional>

namespace culprit::triage {

namespace {

bool is_hexadecimal(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "id:000001" or "id_000001": the rest behind the digits.
std::optional<std::string_view> behind_id(std::string_view name) {
  if (!name.starts_with("id:") && !name.starts_with("id_"))
    return std::nullopt;
  const size_t digits = static_cast<size_t>(std::ranges::find_if_not(name.substr(3), is_digit) -
                                            name.substr(3).begin());
  if (digits < 6)
    return std::nullopt;
  return name.substr(3 + digits);
}

std::optional<int> signal_in(std::string_view fields) {
  for (const std::string_view key : {",sig:", ",sig_"}) {
    const size_t at = fields.find(key);
    if (at == std::string_view::npos)
      continue;
    const std::string_view number = fields.substr(at + key.size());
    int signal = 0;
    if (std::from_chars(number.data(), number.data() + number.size(), signal).ec == std::errc())
      return signal;
  }
  return std::nullopt;
}

std::string signal_name(int signal) {
  const char *name = ::sigabbrev_np(signal);
  return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name);
}

} // namespace

std::string_view name_of(Fuzzer fuzzer) {
  switch (fuzzer) {
  case Fuzzer::afl:
    return "AFL++";
  case Fuzzer::libfuzzer:
    return "libFuzzer";
  case Fuzzer::none:
    break;
  }
  return "";
}

FuzzerName parse_fuzzer_name(std::string_view file_name) {
  if (const auto fields = behind_id(file_name)) {
    const auto signal = signal_in(*fields);
    return {Fuzzer::afl, signal ? signal_name(*signal) : "", signal.has_value()};
  }
  struct Prefix {
    std::string_view text;
    std::string_view claim;
    bool crash;
  };
  constexpr size_t kDigest = 40; // of SHA-1
  static constexpr std::array<Prefix, 5> kPrefixes = {{{"crash-", "crash", true},
                                                       {"oom-", "out of memory", false},
                                                       {"timeout-", "timeout", false},
                                                       {"leak-", "leak", false},
                                                       {"slow-unit-", "slow unit", false}}};
  for (const Prefix &prefix : kPrefixes)
    if (file_name.starts_with(prefix.text) && file_name.size() == prefix.text.size() + kDigest &&
        std::ranges::all_of(file_name.substr(prefix.text.size()), is_hexadecimal))
      return {Fuzzer::libfuzzer, std::string(prefix.claim), prefix.crash};
  return {};
}

} // namespace culprit::triage
