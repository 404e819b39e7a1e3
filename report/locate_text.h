// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report of `culprit locate` for people: a function of the JSON document and of nothing else,
// as check's.
#pragma once

#include "report/check_text.h"

namespace culprit::report {

// Throws nlohmann::json::exception where the document is none of ours.
std::string locate_text(const nlohmann::ordered_json &document, const TextOptions &options);

// Parts of it, for reports on several inputs.
// "heap buffer overflow", of "heap-overflow"
std::string error_words(const std::string &error);
// "suffix was last defined at pack.c:88 in get_name (1st execution)"
std::string suspect_words(const nlohmann::ordered_json &suspect, const TextOptions &options);
// "SIGSEGV at pack.c:131 in add_suffix"
std::string crash_words(const nlohmann::ordered_json &crash, const TextOptions &options);
// The same with what this one input did: "…, reading 0x41414141 by suffix"
std::string whole_crash_words(const nlohmann::ordered_json &crash, const TextOptions &options);
// "writes at offset 32 of a block of 32 bytes": what the first suspect of a finding did.
std::string remark_words(const nlohmann::ordered_json &finding, const nlohmann::ordered_json &run,
                         const TextOptions &options);
// Why no execution was without the crash that this suspect is blamed for.
std::string unconfirmed_words(const nlohmann::ordered_json &suspect);
// The source line, if it can be read.
std::string excerpt_words(const nlohmann::ordered_json &location, const TextOptions &options);

} // namespace culprit::report
