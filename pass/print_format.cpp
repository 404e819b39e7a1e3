// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/print_format.h"

#include "llvm/ADT/StringExtras.h"

namespace culprit {

namespace {

llvm::StringRef skip(llvm::StringRef &rest, llvm::StringRef letters) {
  const llvm::StringRef skipped =
      rest.take_while([&](char letter) { return letters.contains(letter); });
  rest = rest.drop_front(skipped.size());
  return skipped;
}

uint64_t size_of_count(llvm::StringRef modifier) {
  if (modifier == "hh")
    return 1;
  if (modifier == "h")
    return 2;
  return modifier.empty() ? 4 : 8;
}

} // namespace

llvm::SmallVector<PrintTarget> print_targets(llvm::StringRef format) {
  using Use = PrintTarget::Use;
  constexpr llvm::StringLiteral kDigits = "0123456789";
  llvm::SmallVector<PrintTarget> targets;
  for (llvm::StringRef rest = format.split('%').second; !rest.empty();
       rest = rest.split('%').second) {
    if (rest.consume_front("%")) // "%%"
      continue;
    skip(rest, "-+ #0'I");
    const bool has_digits = !skip(rest, kDigits).empty();
    if (has_digits && rest.starts_with("$"))
      return {};
    if (rest.consume_front("*"))
      targets.push_back({Use::value});
    const bool is_limited = rest.consume_front(".");
    if (is_limited && rest.consume_front("*"))
      targets.push_back({Use::value});
    else if (is_limited)
      skip(rest, kDigits);
    const llvm::StringRef modifier = skip(rest, "hlLqjzt");
    if (rest.empty())
      break;
    const char conversion = rest.front();
    rest = rest.drop_front();
    if (conversion == 's')
      targets.push_back({is_limited || modifier == "l" ? Use::part : Use::text});
    else if (conversion == 'n')
      targets.push_back({Use::written, size_of_count(modifier)});
    else if (llvm::StringRef("diouxXcpaefgAEFG").contains(conversion))
      targets.push_back({Use::value});
    else if (conversion != 'm') // the text of errno: no argument
      break;
  }
  return targets;
}

} // namespace culprit
