// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/abilities.h"

#include <cstring>
#include <fmt/format.h>
#include <mutex>
#include <unistd.h>

namespace culprit::launch {
namespace {

std::mutex mutex;

std::map<Namespaces, Abilities> &memory() {
  static std::map<Namespaces, Abilities> known;
  return known;
}

Abilities initial(Namespaces wanted) {
  Abilities best;
  if (wanted == Namespaces::none)
    best.namespaces = init::Namespaces::none;
  else if (wanted == Namespaces::user || ::geteuid() != 0)
    best.namespaces = init::Namespaces::user;
  best.process_namespace = wanted != Namespaces::none;
  return best;
}

bool step_down(Abilities &abilities, const init::Plan &plan, const init::Report &refusal) {
  std::string reason = std::strerror(refusal.error);
  switch (refusal.step) {
  case init::Step::namespaces:
    if (abilities.namespaces == init::Namespaces::none)
      return false;
    if (abilities.namespaces == init::Namespaces::privileged) {
      abilities.namespaces = init::Namespaces::user;
      return true;
    }
    abilities.namespaces = init::Namespaces::none;
    abilities.process_namespace = false;
    abilities.refusals["namespaces"] = reason;
    return true;
  case init::Step::process_namespace:
    if (!abilities.process_namespace)
      return false;
    abilities.process_namespace = false;
    abilities.refusals["process namespace"] = reason;
    return true;
  case init::Step::overlay: {
    if (refusal.index >= plan.overlays.size())
      return false;
    const init::Overlay &overlay = plan.overlays[refusal.index];
    abilities.methods[overlay.path] = overlay.in_memory ? Method::copy : Method::overlay_in_memory;
    abilities.refusals[overlay.path] = reason;
    return true;
  }
  default:
    return false;
  }
}

} // namespace

Method Abilities::method(const std::filesystem::path &directory) const {
  auto found = methods.find(directory);
  return found == methods.end() ? Method::overlay : found->second;
}

Abilities known_abilities(Namespaces wanted) {
  std::scoped_lock lock(mutex);
  return memory().try_emplace(wanted, initial(wanted)).first->second;
}

bool learn(Abilities &abilities, Namespaces wanted, const init::Plan &plan,
           const init::Report &refusal) {
  if (!step_down(abilities, plan, refusal))
    return false;
  std::scoped_lock lock(mutex);
  memory()[wanted] = abilities;
  return true;
}

} // namespace culprit::launch
