// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Namespaces and mounts of one launch. The first step the system refuses is the answer; what to do
// instead is the engine's decision, which starts another init with a humbler plan.
#pragma once

#include "engine/launch/init/plan.h"

#include <optional>

namespace culprit::launch::init {

struct Refusal {
  Step step;
  uint32_t index;
  int error;
};

std::optional<Refusal> enter_namespaces(const Plan &plan);
std::optional<Refusal> mount_files(const Plan &plan);
// To be called by the first process of the new process namespace: the old /proc shows other
// numbers.
std::optional<Refusal> mount_proc();

// Does the overlay show anything else than the files below it? Where it is mounted.
bool has_changes(const Overlay &overlay);

} // namespace culprit::launch::init
