// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/scan_format.h"

#include "llvm/ADT/StringExtras.h"

namespace culprit {

namespace {

uint64_t size_of_integer(llvm::StringRef modifier) {
  if (modifier == "hh")
    return 1;
  if (modifier == "h")
    return 2;
  return modifier.empty() ? 4 : 8; // l, ll, q, j, z, t
}

uint64_t size_of_real(llvm::StringRef modifier) {
  if (modifier == "L")
    return 16;
  return modifier == "l" ? 8 : 4;
}

// Behind "%[".
llvm::StringRef skip_set(llvm::StringRef rest) {
  rest.consume_front("^");
  rest.consume_front("]");
  return rest.drop_until([](char letter) { return letter == ']'; }).drop_front(rest.contains(']'));
}

} // namespace

llvm::SmallVector<ScanTarget> scan_targets(llvm::StringRef format) {
  llvm::SmallVector<ScanTarget> targets;
  for (llvm::StringRef rest = format.split('%').second; !rest.empty();
       rest = rest.split('%').second) {
    if (rest.consume_front("%")) // "%%"
      continue;
    const bool is_skipped = rest.consume_front("*");
    uint64_t width = 1;
    rest.consumeInteger(10, width);
    const bool allocates = rest.consume_front("m");
    const llvm::StringRef modifier =
        rest.take_while([](char letter) { return llvm::StringRef("hlLqjzt").contains(letter); });
    rest = rest.drop_front(modifier.size());
    if (rest.empty())
      break;
    const char conversion = rest.front();
    rest = rest.drop_front();
    if (conversion == '[')
      rest = skip_set(rest);
    if (is_skipped)
      continue;
    const bool is_wide = modifier == "l";
    if (allocates || conversion == 'p')
      targets.push_back({8, true});
    else if (llvm::StringRef("diouxX").contains(conversion))
      targets.push_back({size_of_integer(modifier), true});
    else if (llvm::StringRef("aefgAEFG").contains(conversion))
      targets.push_back({size_of_real(modifier), true});
    else if (conversion == 'n')
      targets.push_back({size_of_integer(modifier), false});
    else if (conversion == 'c' && !is_wide)
      targets.push_back({width, true});
    else if ((conversion == 's' || conversion == '[') && !is_wide)
      targets.push_back({0, true});
    else
      break;
  }
  return targets;
}

} // namespace culprit
