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
// Asked at most once for each subset.
using Test = std::function<Verdict(const Subset &)>;

// Of 0 … count - 1; the whole set is known to fail. `enough` is asked before each test: when it is,
// what has been reached so far is the answer.
Subset minimize(size_t count, const Test &test, const std::function<bool()> &enough = {});

} // namespace culprit::explain
