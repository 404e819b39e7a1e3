// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/command.h"

#include <array>

namespace culprit::cli {

std::span<const Command> commands() {
  static constexpr std::array<Command, 16> kCommands = {{
      {"train", "run good inputs and learn what the program's heap looks like", declare_train},
      {"check", "run a program and report what departs from its model", declare_check},
      {"locate", "find the first point of memory corruption of a crashing run", declare_locate},
      {"triage", "locate many crashing inputs and group them by first corruption", declare_triage},
      {"diff", "say where two runs part for the first time, and how much of them corresponds",
       declare_diff},
      {"explain", "say which values made a run fail, from where it departs from one that passes",
       declare_explain},
      {"watch", "run a program and show its heap metrics live, in the browser or the terminal",
       declare_watch},
      {"show", "show a model, a saved run or a saved report; list all settings", declare_show},
      {"merge", "make one model of several", declare_merge},
      {"info", "what a program carries: modules, objects without bitcode, cached flavours",
       declare_info},
      {"run", "run a flavour of a program, with everything fixed that can be", declare_run},
      {"flavour", "make a flavour of a program and print its path", declare_flavour},
      {"cache", "show, bound or clear the flavours made so far", declare_cache},
      {"doctor", "what this machine lacks for which job, and the command that mends it",
       declare_doctor},
      {"demo", "the tour: a small program with three errors is built, checked, located, explained",
       declare_demo},
      {"completion", "print a completion script for a shell", declare_completion},
  }};
  return kCommands;
}

} // namespace culprit::cli
