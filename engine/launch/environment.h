// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Environment variables as exec wants them: "NAME=value" strings and a null-terminated array of
// pointers.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace culprit::launch {

using Variables = std::vector<std::pair<std::string, std::string>>;

// Ours, in the order we got it. Entries without '=' are dropped.
Variables own_environment();

// Sets each of `changes` in `variables`, replacing every earlier value of that name.
void set_variables(Variables &variables, const Variables &changes);

std::vector<std::string> to_entries(const Variables &variables);

// Points into `strings`, which must outlive the result; ends with a null pointer.
std::vector<char *> to_pointers(std::span<const std::string> strings);

} // namespace culprit::launch
