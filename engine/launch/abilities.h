// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What this system lets us do, learned by trying: every launch starts with the best it has not been
// refused yet. Asking the system beforehand was rejected: whether an overlay can be mounted depends
// on kernel, file system, security module and container, and only the mount itself knows.
#pragma once

#include "engine/launch/init/plan.h"
#include "engine/launch/launch.h"

#include <filesystem>
#include <map>
#include <string>

namespace culprit::launch {

enum class Method { overlay, overlay_in_memory, copy };

struct Abilities {
  init::Namespaces namespaces = init::Namespaces::privileged;
  bool process_namespace = true;
  std::map<std::filesystem::path, Method> methods =
      {};                                           // of directories for which overlay was refused
  std::map<std::string, std::string> refusals = {}; // what was refused, and the system's reason

  Method method(const std::filesystem::path &directory) const;
};

// What is known so far for requests with these namespaces.
Abilities known_abilities(Namespaces wanted);

// Takes in a refusal, for `abilities` and for later launches. False: there is nothing humbler to
// try.
bool learn(Abilities &abilities, Namespaces wanted, const init::Plan &plan,
           const init::Report &refusal);

} // namespace culprit::launch
