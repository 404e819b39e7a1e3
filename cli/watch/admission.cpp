// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/watch/admission.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <sys/random.h>

namespace culprit::cli {

namespace {

constexpr std::array<std::string_view, 2> kNames = {"127.0.0.1", "localhost"};

bool is_ours(const std::string &address, std::string_view scheme, int port) {
  std::string lower = address;
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char byte) { return static_cast<char>(std::tolower(byte)); });
  return std::ranges::any_of(kNames, [&](std::string_view name) {
    return lower == fmt::format("{}{}:{}", scheme, name, port);
  });
}

// In a time that does not tell how much of it is right.
bool is_same(std::string_view a, std::string_view b) {
  if (a.size() != b.size())
    return false;
  unsigned different = 0;
  for (size_t i = 0; i < a.size(); ++i)
    different |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return different == 0;
}

} // namespace

std::string refusal(const Asked &asked, const Admission &admission) {
  if (asked.hosts.size() != 1 || !is_ours(asked.hosts[0], "", admission.port))
    return "this address is not that of culprit watch";
  if (!asked.origins.empty() &&
      (asked.origins.size() != 1 || !is_ours(asked.origins[0], "http://", admission.port)))
    return "another site's pages are not served";
  if (admission.token.empty() || asked.tokens.size() != 1 ||
      !is_same(asked.tokens[0], admission.token))
    return "the token is missing or wrong: open the address that culprit watch printed";
  if (asked.method != "GET" && asked.method != "HEAD")
    return "there is nothing here to be changed";
  return {};
}

std::string new_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return {};
  std::string token;
  for (const unsigned char byte : bytes)
    token += fmt::format("{:02x}", byte);
  return token;
}

} // namespace culprit::cli
