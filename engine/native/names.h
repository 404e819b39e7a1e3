// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the debug information of an executable or shared object says of its variables: globals by
// address, local ones by their place in the frame, both with the members of their types
// (docs/names.md); and of the blocks that calls hand out (results.h). Files without debug
// information have nothing to say, and that is no error.
//
// Local variables are those that stay in one place as long as their function runs: arrays and
// structs, and in functions that have such, whatever else lies in memory. Inlined functions'
// variables are named by the function they were written in. Variables that share bytes (compilers
// give a place to another one when a scope is over) are one name, since nothing tells which of them
// lives. Left out: arguments passed on the stack, which the caller writes; frames that are aligned
// anew, whose places are known when they are entered; what lies too deep (abi/native_names.h).
//
// Rules: LLVM's reader trusts what a compiler wrote, so read_names is to be called in a process of
// its own (launch::isolated); names_table does.
#pragma once

#include "engine/error.h"
#include "engine/native/layouts.h"
#include "engine/native/results.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace culprit::native {

struct Variable {
  int64_t place = 0; // address in the file, or what is to be added to the frame's CFA
  uint64_t size = 0;
  std::string name;
  std::string function; // readable; of locals, and of static variables inside functions
  std::string file;
  unsigned line = 0;
  std::string type;
  uint32_t layout = 0; // position + 1 in FileNames::layouts
  bool internal = false;
  auto operator<=>(const Variable &) const = default;
};

struct Function {
  uint64_t entry = 0;
  std::vector<Code> code;
  std::vector<Variable> variables; // by place, without overlap
  uint32_t saved = 0;              // bytes of registers right below the return address
  bool has_frame_pointer = false;
};

struct FileNames {
  std::filesystem::path path;
  std::vector<Variable> globals; // by address
  std::vector<Function> functions;
  std::vector<CallResult> calls; // by address: what type the blocks are of that they hand out
  std::vector<Layout> layouts;
};

Result<FileNames> read_names(const std::filesystem::path &file);

// Variables that share bytes made one: by place, without overlap. `around`: what a name is called
// by whose variables were written in several functions.
std::vector<Variable> without_overlap(std::vector<Variable> variables, const std::string &around);

// The file for the Valgrind tool (abi/native_names.h); empty: there is nothing to say.
std::string table_of(std::span<const FileNames> files);

// Both for a program's files, damaged ones left out.
std::string names_table(std::span<const std::filesystem::path> files);

} // namespace culprit::native
