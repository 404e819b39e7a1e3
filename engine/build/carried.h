// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an executable or shared object carries: its modules and native objects in link order, the
// link record, the linker's input files. Made by `culprit cc`, read by everything that derives a
// flavour.
#pragma once

#include "engine/build/link_record.h"
#include "engine/error.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace culprit::build {

struct Module {
  std::string source;                 // as named on the command line
  std::string directory;              // where the compiler ran
  std::vector<std::string> arguments; // the compiler driver's, response files expanded
  bool debug_stripped = false;        // the user asked for no debug information
  bool is_cxx = false;                // compiled by the C++ driver
  std::string bitcode;
};

struct NativeObject {
  std::string name;
  std::string bytes;
};

using Unit = std::variant<Module, NativeObject>;

struct LinkerInput {
  unsigned number = 0;
  std::string name;
  std::string bytes;
};

enum class FileType { executable, shared_object, object };

struct Carried {
  std::filesystem::path path;
  FileType type = FileType::executable;
  std::vector<Unit> units; // in link order
  std::optional<LinkRecord> link;
  std::vector<LinkerInput> linker_inputs;
  uint64_t content_hash = 0; // of all frames: what a flavour is made from

  std::vector<const Module *> modules() const;
  std::vector<const NativeObject *> natives() const;
};

// Fails if the file is no x86-64 ELF file or is damaged; a file that carries nothing is no failure.
Result<Carried> read_carried(const std::filesystem::path &path);

// The same on bytes; `path` is for messages only.
Result<Carried> read_carried_bytes(std::string_view bytes, const std::filesystem::path &path);

} // namespace culprit::build
