// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/input_digest.h"

#include "engine/build/file_bytes.h"

#include <fmt/format.h>

#include "llvm/Support/xxhash.h"

namespace culprit::monitor {

namespace {

uint64_t hash_of(std::string_view bytes) {
  return llvm::xxh3_64bits(llvm::StringRef(bytes.data(), bytes.size()));
}

} // namespace

std::string input_digest(const launch::Case &input) {
  std::string parts;
  auto add_file = [&](const std::filesystem::path &path) {
    if (auto bytes = build::FileBytes::map(path)) // regular files only
      parts += fmt::format("{:016x},", hash_of(bytes->view()));
    parts += ";";
  };
  if (input.standard_input)
    add_file(*input.standard_input);
  parts += "|";
  for (const std::string &argument : input.arguments)
    add_file(argument);
  return fmt::format("{:016x}", hash_of(parts));
}

} // namespace culprit::monitor
