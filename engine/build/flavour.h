// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flavours: executables (or shared objects) made again from what a plain one carries.
//
// Two ways lead there. *Per module*: each module is compiled alone with the options it was compiled
// with and linked by the linker that linked it; nothing is instrumented, and the code comes out
// equal (identity). *Whole program*: the modules go through link-time optimisation by lld, which
// resolves symbols as a linker does (weak ones, --wrap, ifuncs) and gives a pass the whole program
// at once; the runtime is linked in. A module that must stay out of the merged program is
// instrumented on its own.
#pragma once

#include "engine/build/carried.h"
#include "engine/build/toolchain.h"
#include "engine/error.h"

#include <filesystem>
#include <span>
#include <string_view>

namespace culprit::build {

struct FlavourKind {
  std::string_view name;
  std::string_view purpose;
  bool whole_program;
  bool with_runtime;
  bool instrumented; // by the plugin, after the optimiser
};

// All flavours; a new one is a row.
std::span<const FlavourKind> flavour_kinds();
Result<const FlavourKind *> find_flavour_kind(std::string_view name);

// Makes the flavour of `carried` and writes it to `output`. Work files go to `scratch`, an existing
// directory.
Result<void> make_flavour(const Toolchain &toolchain, const Carried &carried,
                          const FlavourKind &kind, const std::filesystem::path &scratch,
                          const std::filesystem::path &output, unsigned jobs);

} // namespace culprit::build
