// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Delta debugging (ddmin): the smallest part of a set that still makes a test fail, in the sense
// that no single element of it can be left out. Tests that neither fail nor pass are a verdict of
// their own; they teach nothing, and the search goes on in smaller steps.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace culprit::explain {

enum class Verdict { fails, passes, unresolved };

// Positions in the set, ascending.
using Subset = std::vector<size_t>;
// Asked at most once for each subset; several at once may be tested at the same time.
using Tests = std::function<std::vector<Verdict>(const std::vector<Subset> &)>;

struct MinimizeOptions {
  size_t width = 1; // subsets asked for at once; the answer does not depend on it
  // Asked before each test: when it says so, what has been reached so far is the answer.
  std::function<bool()> enough = {};
};

// Of 0 … count - 1; the whole set is known to fail.
Subset minimize(size_t count, const Tests &tests, const MinimizeOptions &options = {});

} // namespace culprit::explain
