// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables of a program whose order in memory can be chosen, as the flavour reorder tells them
// (abi/layout.h).
//
// Rules: the frame it is read from may be damaged or hostile: every number that an arrangement is
// computed from is checked here, once.
#pragma once

#include "engine/error.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::locate {

struct Variable {
  std::string name = {}; // empty: a temporary
  uint64_t size = 0;
  uint64_t alignment = 1;
  bool is_buffer = false;
  bool is_address = false;  // a pointer or an index
  bool is_argument = false; // passed by value: has its place above the return address
  uint32_t definition = 0;  // stands for its declaration; 0: none
};

struct GlobalVariable : Variable {
  std::vector<uint32_t> users = {}; // functions
};

// What a function keeps on the data stack.
struct Frame {
  std::string function = {};
  uint32_t number = 0; // of the function
  uint64_t first_entry = 0;
  uint64_t alignment = 16;
  bool is_alone = false; // no two at a time: its variables may be global as well
  std::vector<Variable> variables = {};
};

struct Variables {
  std::vector<GlobalVariable> globals = {};
  std::vector<Frame> frames = {};
};

Result<Variables> parse_variables(std::string_view json);
// Of a flavour's file; one that tells none has none.
Result<Variables> read_variables(const std::filesystem::path &flavour);

// Only what these functions (by number: was it entered?) use.
Variables used_by(Variables all, const std::vector<bool> &entered);

} // namespace culprit::locate
