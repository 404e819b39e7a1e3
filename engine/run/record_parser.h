// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of run::parse(), for a reader that goes on where it was (follower.h).
#pragma once

#include "engine/run/run_file.h"

#include <variant>

namespace culprit::run {

struct ParsedRecord {
  Record record;
  uint32_t size = 0; // of its bytes in the file
};

// `bytes` are the file's from its beginning on.
Result<culprit_run_header> parse_header(std::span<const std::byte> bytes, std::string_view name);

// `bytes` are the file's from `at` on, which is before head.reserved; `number` is the record's,
// from 0.
Result<std::variant<ParsedRecord, Tear>> parse_record(std::span<const std::byte> bytes,
                                                      const culprit_run_header &head, uint64_t at,
                                                      uint64_t number, std::string_view name);

} // namespace culprit::run
