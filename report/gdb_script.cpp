// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/gdb_script.h"

#include "engine/launch/shell_words.h"
#include "report/fields.h"
#include "report/locate_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;

// In gdb's `echo`, where a backslash begins an escape and the line's end ends the text.
std::string echoed(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\' || c == '"' || c == '#')
      result += '\\';
    result += c;
  }
  return result;
}

// Stops at the n-th of all executions together, whichever of the places it is at.
std::string breakpoints(const GdbTarget &target, uint64_t instance) {
  std::string text;
  if (target.from_main.size() == 1) {
    text = fmt::format("break *((unsigned long)&main{:+d})\n", target.from_main.front());
    if (instance > 1)
      text += fmt::format("ignore $bpnum {}\n", instance - 1);
    return text;
  }
  text = "set $culprit_executions = 0\n";
  for (const int64_t distance : target.from_main)
    text += fmt::format("break *((unsigned long)&main{:+d}) if ++$culprit_executions == {}\n",
                        distance, instance);
  return text;
}

// What the user is told once it has stopped.
std::string remark(const Json &corruption, const std::string &error, const GdbTarget &target,
                   uint64_t instance) {
  std::string text =
      fmt::format("{}:{}:{}: first point of memory corruption: {}", text_of(corruption, "file"),
                  count_of(corruption, "line"), count_of(corruption, "column"), error_words(error));
  if (target.from_main.empty())
    return text + "; it has no code of its own, this is where its scope begins";
  text += instance == 0 ? "; which execution of it is not known, this is the first"
                        : fmt::format("; this is its execution {}", instance);
  // A copy is counted only where it leaves its object, if it was not counted for us
  // (engine/locate/statement_count.h).
  if (text_of(corruption, "kind") == "store" && !corruption.value("of_statement", false))
    text += " (if it only copies a value, of those that leave their object: go on with `continue`)";
  return target.exact ? text : text + "; its line begins here";
}

// Where nothing else is to be had: the function a variable is declared in, or main.
std::string scope_breakpoint(const Json &corruption) {
  const std::string function = text_of(corruption, "function");
  return fmt::format("break {}\n", function.empty() ? "main" : "'" + function + "'");
}

} // namespace

std::string gdb_script(const Json &corruption, const std::string &error, const GdbTarget &target) {
  const uint64_t instance = count_of(corruption, "instance");
  launch::ShellLine line{target.arguments, {}};
  if (target.standard_input)
    line.standard_input = target.standard_input->string();
  std::string text = "# Written by culprit locate: stops at the first point of memory corruption.\n"
                     "# gdb -x FILE\n"
                     "set pagination off\nset confirm off\nset breakpoint pending off\n";
  text += fmt::format("file {}\n",
                      launch::shell_quote(launch::ShellLine{{target.executable.string()}, {}}));
  text += fmt::format("cd {}\n", target.directory.string());
  text += fmt::format("set args {}\n", launch::shell_quote(line));
  text += target.from_main.empty() ? scope_breakpoint(corruption)
                                   : breakpoints(target, std::max<uint64_t>(instance, 1));
  text += "run\n";
  text += fmt::format("echo culprit: {}\\n\n", echoed(remark(corruption, error, target, instance)));
  return text + "frame\n";
}

} // namespace culprit::report
