// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inputs of a triage: the files of a folder as a fuzzer leaves it, or the lines of a file of
// cases, each with a digest of all that the run is given.
//
// Rules: of a folder with `crashes` in it (one fuzzer's output), or of folders that have one (the
// output of several), the crashes are the inputs; of any other folder, its files. AFL's README.txt
// is none. Two inputs with the same digest are one input: the name of a file is no part of it.
#pragma once

#include "engine/error.h"
#include "engine/launch/cases.h"
#include "engine/triage/fuzzer_name.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::triage {

struct Input {
  launch::Case run = {};
  std::string digest = {}; // 16 hexadecimal digits
  FuzzerName name = {};
};

// 16 hexadecimal digits.
std::string digest_text(std::string_view bytes);

Result<std::vector<Input>> inputs_of_directory(const std::filesystem::path &directory,
                                               std::span<const std::string> arguments);
Result<std::vector<Input>> inputs_of_cases(const std::filesystem::path &file,
                                           std::span<const std::string> arguments);

} // namespace culprit::triage
