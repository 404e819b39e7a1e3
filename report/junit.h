// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report as JUnit XML, which continuous integration shows: every run of the program (or input of
// a triage) is a test case, which fails with the findings that count, and is an error if nothing
// can be said of it. Findings that a baseline knows or a suppression names are told, and fail
// nothing.
#pragma once

#include "report/reported.h"

#include <filesystem>
#include <string>

namespace culprit::report {

// Files below `base` are named relative to it.
std::string junit(const Reported &report, const std::filesystem::path &base);

} // namespace culprit::report
