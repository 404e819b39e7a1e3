// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All the flavours one launch needs: the program's, and those of the shared objects it needs that
// carry frames.
#pragma once

#include "engine/build/cache.h"
#include "engine/build/flavour.h"
#include "engine/build/toolchain.h"
#include "engine/error.h"
#include "engine/launch/launch.h"
#include "engine/launch/object_service.h"

#include <filesystem>
#include <functional>
#include <optional>

namespace culprit::build {

class FlavourSet {
public:
  // `on_make` is called with the file whose flavour is about to be made.
  using OnMake = std::function<void(const std::filesystem::path &)>;

  // Of the flavour of this name, with the toolchain and the cache there are.
  static Result<FlavourSet> open(std::string_view flavour, unsigned jobs, OnMake on_make = {});

  FlavourSet(Toolchain toolchain, Cache cache, const FlavourKind &kind, unsigned jobs,
             OnMake on_make = {});

  // The program as the launcher wants it. `typed` is what the user wrote; without a slash it is
  // looked up in PATH, as a shell would.
  Result<launch::Program> program(const std::string &typed) const;

  // The flavour of one shared object; nothing if it carries no frames.
  Result<std::optional<std::filesystem::path>> object(const std::filesystem::path &path) const;

  // Answers the runtime of a running target: the flavour of the shared object that dlopen would
  // load.
  launch::ObjectAnswer object_answer() const;

private:
  Result<CachedFlavour> flavour(const Carried &carried) const;

  Toolchain toolchain_;
  Cache cache_;
  const FlavourKind &kind_;
  unsigned jobs_;
  OnMake on_make_;
};

} // namespace culprit::build
