// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/locate_text.h"

#include "engine/locate/arrangement.h"
#include "report/document.h"
#include "report/fields.h"
#include "report/folded_stacks.h"
#include "report/settle.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;

// The kinds of error of engine/locate/blame.h, as people call them.
std::string error_text(std::string name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kWords = {{
      {"null-dereference", "NULL dereference"},
      {"heap-overflow", "heap buffer overflow"},
      {"heap-underflow", "heap buffer underflow"},
      {"stack-overflow", "stack buffer overflow"},
      {"global-overflow", "global buffer overflow"},
      {"intra-object-overflow", "intra-object overflow"},
      {"bad-free", "free of what is no block"},
      {"uninitialised-read", "uninitialised memory"},
  }};
  for (const auto &[kind, words] : kWords)
    if (name == kind)
      return std::string(words);
  std::ranges::replace(name, '-', ' ');
  return name;
}

std::string ordinal(uint64_t number) {
  const uint64_t tens = number % 100;
  const char *end = tens >= 11 && tens <= 13 ? "th"
                    : number % 10 == 1       ? "st"
                    : number % 10 == 2       ? "nd"
                    : number % 10 == 3       ? "rd"
                                             : "th";
  return fmt::format("{}{}", grouped(number), end);
}

std::string in_function(const Json &location) {
  const std::string function = function_text(text_of(location, "function"));
  return function.empty() ? "" : " in " + function;
}

// "pack.c:88:3 in get_name"
std::string where(const Json &location, const TextOptions &options) {
  const std::string place = place_text(location, options.base);
  return (place.empty() ? "an unknown place" : place) + in_function(location);
}

// What a crash calls the value that a definition made.
std::string value_name(const Json &suspect) {
  if (const std::string name = text_of(suspect, "name"); !name.empty())
    return name;
  if (const std::string variable = text_of(suspect, "variable"); !variable.empty())
    return variable;
  const std::string role = text_of(suspect, "role");
  if (role == "base" || role == "pointer")
    return "the pointer";
  return role.empty() ? "the value" : "the " + role;
}

std::string instance_text(const Json &suspect) {
  const uint64_t count = count_of(suspect, "instance");
  return count == 0 ? "" : fmt::format(" ({} execution)", ordinal(count));
}

// "suffix was last defined at pack.c:88 in get_name (1st execution)"
std::string suspect_text(const Json &suspect, const TextOptions &options) {
  const std::string part = text_of(suspect, "part");
  const std::string kind = text_of(suspect, "kind");
  const std::string at = where(suspect, options) + instance_text(suspect);
  if (suspect.value("origin", false)) {
    const std::string name = value_name(suspect);
    if (part == "free")
      return fmt::format("{} was computed from a block that was freed at {}", name, at);
    if (kind == "allocation")
      return fmt::format("{} was computed from what was never written in the block allocated at {}",
                         name, at);
    return fmt::format("{} was computed from {}, which was never written; declared at {}", name,
                       text_of(suspect, "variable"), where(suspect, options));
  }
  if (part == "missing")
    return fmt::format("nothing that culprit saw has defined {}", value_name(suspect));
  if (part == "writer" && (kind == "call" || kind == "allocation")) // copies keep a value's origin
    return "what was written there came from " + at;
  if (part == "writer")
    return "written at " + at;
  if (part == "allocation" && (kind == "variable" || kind == "global"))
    return fmt::format("{} is declared at {}", value_name(suspect), where(suspect, options));
  if (part == "allocation")
    return "the block was allocated at " + at;
  if (part == "free" && text_of(suspect, "role").empty())
    return "the block was freed at " + at;
  if (part == "free")
    return fmt::format("{} was read from a block that was freed at {}", value_name(suspect), at);
  if (part == "left" && text_of(suspect, "role").empty())
    return fmt::format("the function of {} had returned; declared at {}", value_name(suspect),
                       where(suspect, options));
  if (part == "left")
    return fmt::format("{} was read from {}, whose function had returned; declared at {}",
                       value_name(suspect), text_of(suspect, "variable"), where(suspect, options));
  if (kind == "variable")
    return fmt::format("{} was never written; declared at {}", value_name(suspect),
                       where(suspect, options));
  if (kind == "global")
    return fmt::format("{} has its initial value, from {}", value_name(suspect),
                       where(suspect, options));
  if (kind == "constant")
    return fmt::format("{} is a constant of {}", value_name(suspect), at);
  return fmt::format("{} was last defined at {}", value_name(suspect), at);
}

// "reading 8 bytes at 0x41414141 = suffix"
std::string access_text(const Json &crash) {
  const std::string access = text_of(crash, "access");
  const std::string address = text_of(crash, "address");
  std::string names;
  for (const Json &leaf : list_of(crash, "uses"))
    if (const std::string name = text_of(leaf, "name"); !name.empty())
      names += (names.empty() ? "" : ", ") + name;
  if (text_of(crash, "kind") == "endless")
    return names.empty() ? "" : ", going round by " + names;
  if (access == "load" || access == "store")
    return fmt::format(", {} {}{}", access == "load" ? "reading" : "writing",
                       address.empty() ? "what is no address" : address,
                       names.empty() ? "" : " by " + names);
  if (access == "divide")
    return names.empty() ? "" : ", dividing by " + names;
  std::string text;
  if (const std::string callee = text_of(crash, "callee"); !callee.empty())
    text = ", calling " + callee;
  return names.empty() ? text
                       : fmt::format("{}{} {}", text, text.empty() ? ", with" : " with", names);
}

std::string block_text(const Json &crash) {
  const Json *block = object_of(crash, "block");
  if (block == nullptr)
    return "a block";
  const std::string size = counted(count_of(*block, "size"), "byte");
  const std::string variable = text_of(*block, "variable");
  return variable.empty() ? "a block of " + size : fmt::format("{} ({})", variable, size);
}

std::string crash_text(const Json &crash, const TextOptions &options) {
  const std::string kind = text_of(crash, "kind");
  const Json *location = object_of(crash, "location");
  const std::string at = location == nullptr ? "" : where(*location, options);
  const std::string noticed = at.empty() ? ", noticed at exit" : ", noticed at " + at;
  if (kind == "damaged-guard") {
    const Json *block = object_of(crash, "block");
    const bool before = block != nullptr && number_of(*block, "offset", 0) < 0;
    return fmt::format("memory {} {} was written{}", before ? "before" : "behind",
                       block_text(crash), noticed);
  }
  if (kind == "freed-block-written")
    return fmt::format("{} was written after it was freed{}", block_text(crash), noticed);
  if (kind == "freed-block-read")
    return fmt::format("{} was read after it was freed{}", block_text(crash),
                       at.empty() ? "" : ", at " + at);
  if (kind == "left-variable-written")
    return fmt::format("{} was written after its function had returned{}", block_text(crash),
                       noticed);
  if (kind == "return-address-overwritten")
    return "a return address was overwritten" + noticed;
  std::string name = kind == "endless" ? "no end" : kind;
  if (!kind.starts_with("SIG"))
    std::ranges::replace(name, '-', ' ');
  return fmt::format("{}{}{}", name, at.empty() ? "" : " at " + at, access_text(crash));
}

// What a definition did, behind its source line; `crash` is the one blamed on it.
std::string remark(const Json &finding, const Json &suspect, const Json &crash,
                   const TextOptions &options) {
  const std::string error = text_of(finding, "error");
  const std::string part = text_of(suspect, "part");
  const Json *location = object_of(crash, "location");
  const std::string there =
      location == nullptr ? "what follows" : place_text(*location, options.base);
  const std::string name = value_name(suspect);
  if (part == "missing")
    return fmt::format("{} is used here, but nothing that culprit saw has written it", name);
  if (error == "heap-overflow" || error == "heap-underflow" ||
      text_of(crash, "kind") == "damaged-guard") {
    const Json *block = object_of(crash, "block");
    const std::string variable = block == nullptr ? "" : text_of(*block, "variable");
    if (part == "writer" && text_of(crash, "kind").starts_with("SIG"))
      return fmt::format("goes on to where no memory is, out of {}", block_text(crash));
    if (part == "source")
      return fmt::format("writes over the pointer by which {} is overrun later", block_text(crash));
    if (part != "writer" || block == nullptr)
      return variable.empty() ? "allocates a block that is written beyond its end"
                              : fmt::format("declares {}, which is overrun", variable);
    const auto offset = static_cast<int64_t>(number_of(*block, "offset", 0));
    const std::string size = counted(count_of(*block, "size"), "byte");
    if (!variable.empty())
      return offset < 0
                 ? fmt::format("writes {} before {}",
                               counted(static_cast<uint64_t>(-offset), "byte"), variable)
                 : fmt::format("writes at offset {} of {}, which has {}", offset, variable, size);
    return offset < 0 ? fmt::format("writes {} before a block of {}",
                                    counted(static_cast<uint64_t>(-offset), "byte"), size)
                      : fmt::format("writes at offset {} of a block of {}", offset, size);
  }
  if ((error == "global-overflow" || error == "intra-object-overflow" ||
       error == "stack-overflow") &&
      part == "source") {
    std::string variable = text_of(suspect, "variable");
    if (variable.ends_with("[]"))
      variable.resize(variable.size() - 2);
    return fmt::format("writes behind the end of {}, over what leads {} astray",
                       variable.empty() ? "a variable" : variable, there);
  }
  if (error == "stack-overflow")
    return "writes over a return address";
  if (suspect.value("origin", false))
    return part == "free"
               ? fmt::format("frees a block that {} at {} was computed from", name, there)
               : fmt::format("was never written where {} at {} was computed from it", name, there);
  if (error == "use-after-free")
    return part == "free" ? fmt::format("frees a block that {} still uses", there)
                          : "uses a block that was freed";
  if (error == "use-after-return")
    return fmt::format("{} is used by {} after its function has returned",
                       text_of(suspect, "variable"), there);
  if (error == "double-free")
    return part == "free"
               ? fmt::format("frees the block that {} frees again", there)
               : fmt::format("{} points to a block that was freed when {} frees it", name, there);
  if (error == "bad-free")
    return fmt::format("{} is no block when {} frees it", name, there);
  if (error == "null-dereference")
    return fmt::format("{} leads {} to NULL", name, there);
  if (error == "uninitialised-read")
    return fmt::format("{} is used at {} and was never written", name, there);
  if (error == "division-by-zero")
    return fmt::format("{} is 0 when {} divides by it", name, there);
  if (error == "failed-check")
    return fmt::format("{} decides that {} gives up", name, there);
  if (error == "stack-exhausted")
    return fmt::format("{} is what the recursion at {} walks over", name, there);
  if (error == "endless-loop")
    return fmt::format("{} is what the loop at {} goes round by", name, there);
  if (error == "wild-access")
    return fmt::format("{} leads {} astray", name, there);
  return {};
}

std::string excerpt(const Json &location, const std::string &remark, const TextOptions &options) {
  std::optional<std::string> source;
  if (options.source)
    source = options.source(location.value("file", ""), location.value("line", size_t{0}));
  if (!source)
    return remark.empty() ? "" : fmt::format("      = {}\n", remark);
  return render(
      {*source, location.value("line", size_t{0}), location.value("column", size_t{0}), remark},
      options.style);
}

// The step of the chain that a finding comes from; its crash.
const Json &crash_of(const Json &finding, const Json &run) {
  static const Json kNone = Json::object();
  for (const Json &step : list_of(run, "chain"))
    if (count_of(step, "execution") == count_of(finding, "execution"))
      if (const Json *crash = object_of(step, "crash"))
        return *crash;
  return kNone;
}

std::string settled_mark(const Json &finding) {
  if (!text_of(finding, "suppressed").empty())
    return " (suppressed)";
  return finding.value("known", false) ? " (known)" : "";
}

std::string finding_text(const Json &finding, const Json &run, const TextOptions &options) {
  const Json &suspects = list_of(finding, "first_corruption");
  if (suspects.empty())
    return {};
  const Json &best = suspects.front();
  const Json &crash = crash_of(finding, run);
  const std::string place = place_text(best, options.base);
  std::string text = fmt::format(
      "{}{}{}\n", place.empty() ? "" : options.style.bold(place + ": "),
      options.style.alarm("first point of memory corruption"),
      options.style.bold(": " + error_text(text_of(finding, "error")) + settled_mark(finding)));
  text += excerpt(best, remark(finding, best, crash, options), options);
  std::string facts;
  if (const std::string function = function_text(text_of(best, "function")); !function.empty())
    facts = fmt::format("in {}", function);
  if (const uint64_t count = count_of(best, "instance"); count != 0)
    facts += fmt::format("{}{}{} execution{}", facts.empty() ? "" : ", ",
                         finding.value("onward", false) ? "from its " : "", ordinal(count),
                         finding.value("onward", false) ? " on" : "");
  if (!facts.empty())
    text += fmt::format("      = {}\n", facts);
  if (const Json *inside = object_of(best, "inside"))
    text += fmt::format("      = inside {}\n", where(*inside, options));
  std::string from;
  for (const Json &leaf : list_of(best, "computed_from"))
    if (leaf.is_string() && !leaf.get<std::string>().empty())
      from += (from.empty() ? "" : ", ") + printable(leaf.get<std::string>());
  if (!from.empty())
    text += fmt::format("      = computed from: {}\n", from);
  for (size_t i = 1; i < suspects.size(); ++i)
    text +=
        fmt::format("      = {} {}\n", suspects[i].value("suppressed", true) ? "or:" : "beside it:",
                    suspect_text(suspects[i], options));
  if (!finding.value("confirmed", true))
    text += fmt::format("      = {}\n", unconfirmed_words(best));
  return text;
}

std::string_view layout_words(std::string_view layout) {
  if (locate::puts_blocks_apart(layout))
    return "with memory in another order";
  return locate::has_other_contents(layout) ? "with other contents of memory"
                                            : "with variables in another order";
}

std::string step_text(const Json &step, const TextOptions &options) {
  static const Json kNone = Json::object();
  const Json *found = object_of(step, "crash");
  const Json &crash = found == nullptr ? kNone : *found;
  const std::string head = fmt::format("  execution {}: ", count_of(step, "execution"));
  std::string text = head + crash_text(crash, options) + "\n";
  const std::string indent(head.size(), ' ');
  if (const std::string layout = text_of(step, "layout"); !layout.empty())
    text += fmt::format("{}{}: {}\n", indent, layout_words(layout), layout);
  for (const Json &suspect : list_of(step, "definitions"))
    text += indent + suspect_text(suspect, options) + "\n";
  if (step.value("apart", false))
    text += indent + "which is another error: without it the first crash is the same\n";
  const std::string kind = text_of(crash, "kind");
  if (options.verbose || kind == "stack-exhausted" || kind == "endless")
    if (const std::string stack = chain_text(list_of(crash, "stack")); !stack.empty())
      text += fmt::format("{}stack: {}\n", indent, stack);
  return text;
}

// "execution 2: no crash with pack.c:88:3 suppressed"
std::string last_text(const Json &run, const TextOptions &options) {
  const uint64_t quiet =
      count_of(run, run.contains("quiet_execution") ? "quiet_execution" : "executions");
  const Json &chain = list_of(run, "chain");
  if (chain.empty() || count_of(chain.back(), "execution") >= quiet)
    return {};
  std::string places;
  const auto add = [&](const Json &suspects) {
    for (const Json &suspect : suspects)
      if (suspect.value("suppressed", true))
        if (const std::string place = place_text(suspect, options.base); !places.contains(place))
          places += (places.empty() ? "" : ", ") + place;
  };
  for (const Json &finding : list_of(run, "findings"))
    add(list_of(finding, "first_corruption"));
  for (const Json &step : chain)
    if (step.value("apart", false))
      add(list_of(step, "definitions"));
  return fmt::format(
      "  execution {}: no crash{}{}\n", quiet,
      places.empty() ? "" : fmt::format(" with {} suppressed", places),
      count_of(run, "orders") < 2
          ? ""
          : fmt::format("; {} orders of variables were tried", grouped(count_of(run, "orders"))));
}

// ", 5 orders of variables"
std::string orders_text(const Json &run) {
  const uint64_t orders = count_of(run, "orders");
  return orders == 0   ? ""
         : orders == 1 ? ", 1 order of variables"
                       : fmt::format(", {} orders of variables", grouped(orders));
}

// In the order of executions.
std::string chain_lines(const Json &run, const TextOptions &options) {
  std::multimap<uint64_t, std::string> lines;
  for (const Json &step : list_of(run, "chain")) {
    lines.emplace(count_of(step, "execution"), step_text(step, options));
    for (const Json &suspect : list_of(step, "definitions"))
      if (const uint64_t acquitted = count_of(suspect, "acquitted"); acquitted != 0)
        lines.emplace(acquitted,
                      fmt::format("  execution {}: the same crash as if {} had not been executed "
                                  "any more\n",
                                  acquitted, place_text(suspect, options.base)));
  }
  lines.emplace(count_of(run, run.contains("quiet_execution") ? "quiet_execution" : "executions"),
                last_text(run, options));
  std::string text;
  for (const auto &[execution, line] : lines)
    text += line;
  return text;
}

std::string run_text(const Json &run, const TextOptions &options) {
  std::string text;
  for (const Json &finding : list_of(run, "findings"))
    text += finding_text(finding, run, options);
  text += chain_lines(run, options);
  if (const std::string reason = text_of(run, "reason"); !reason.empty())
    text += fmt::format("{}: {}\n", options.style.caution("not located"), reason);
  for (const Json &note : list_of(run, "notes"))
    if (note.is_string())
      text += fmt::format("culprit: note: {}\n", printable(note.get<std::string>()));
  return text;
}

} // namespace

std::string locate_text(const Json &document, const TextOptions &options) {
  const Json &runs = list_of(document, "runs");
  std::string text;
  size_t quiet = 0;
  for (const Json &run : runs) {
    if (text_of(run, "outcome") == "no-corruption" && !options.verbose) {
      ++quiet;
      continue;
    }
    text += fmt::format("{}: {}\n", text_of(run, "label"), text_of(run, "outcome"));
    text += run_text(run, options);
  }
  if (quiet != 0)
    text += fmt::format("{} without a crash\n", counted(quiet, "run"));
  if (runs.empty()) {
    if (document.at("outcome") == "no-corruption")
      text += fmt::format("{}: no crash and nothing overwritten that is watched ({}, {}{})\n",
                          printable(document.value("program", "")), text_of(document, "status"),
                          counted(count_of(document, "executions"), "execution"),
                          orders_text(document));
    text += run_text(document, options);
  }
  text += settled_text(document);
  if (const std::string next = text_of(document, "next"); !next.empty())
    text += "next: " + next + "\n";
  return text;
}

std::string error_words(const std::string &error) { return error_text(error); }

std::string suspect_words(const Json &suspect, const TextOptions &options) {
  return suspect_text(suspect, options);
}

std::string crash_words(const Json &crash, const TextOptions &options) {
  // Addresses, sizes and names differ from input to input.
  Json alike = {{"kind", text_of(crash, "kind")}};
  if (const Json *location = object_of(crash, "location"))
    alike["location"] = *location;
  return crash_text(alike, options);
}

std::string whole_crash_words(const Json &crash, const TextOptions &options) {
  return crash_text(crash, options);
}

std::string unconfirmed_words(const Json &suspect) {
  return text_of(suspect, "part") == "free"
             ? "no execution could confirm this: memory is freed there that cannot be kept"
             : "no execution could confirm this: it ends in a value that nothing seen has defined";
}

std::string remark_words(const Json &finding, const Json &run, const TextOptions &options) {
  const Json &suspects = list_of(finding, "first_corruption");
  return suspects.empty() ? "" : remark(finding, suspects.front(), crash_of(finding, run), options);
}

std::string excerpt_words(const Json &location, const TextOptions &options) {
  return excerpt(location, "", options);
}

} // namespace culprit::report
