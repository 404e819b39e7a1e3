// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/access_text.h"

#include "report/document.h"
#include "report/fields.h"
#include "report/folded_stacks.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;

std::string line(const std::string &text) { return fmt::format("      = {}\n", text); }

// "load at a.c:52:3"; what is not known is left out.
std::string function_at(const Json &location, const std::filesystem::path &base,
                        const std::string &callee = "") {
  std::string function = function_text(text_of(location, "function"));
  if (!callee.empty())
    function += fmt::format(" ({})", callee);
  const std::string place = place_text(location, base);
  if (function.empty() || place.empty())
    return function + place;
  return fmt::format("{} at {}", function, place);
}

// "struct asset, 64 bytes"
std::string shape_text(const Json &object) {
  std::string text = text_of(object, "type");
  if (const uint64_t size = count_of(object, "size"); size != 0)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", counted(size, "byte"));
  return text.empty() ? "" : fmt::format(" ({})", text);
}

std::string where_text(const Json &object, const char *verb, const std::filesystem::path &base) {
  const Json *location = object_of(object, "location");
  const std::string place = location == nullptr ? "" : place_text(*location, base);
  return place.empty() ? "" : fmt::format(", {} at {}", verb, place);
}

std::string writers_line(const Json &finding, const TextOptions &options) {
  const Json &writers = list_of(finding, "writers");
  const std::string title = finding.value("read", false) ? "normal readers" : "normal writers";
  const Json *object = object_of(finding, "object");
  if (writers.empty())
    return line(title + (object != nullptr && text_of(*object, "kind") == "local"
                             ? ": none by pointer or index in training"
                             : ": none in training"));
  const size_t shown = options.verbose ? writers.size() : std::min<size_t>(4, writers.size());
  std::string text;
  for (size_t i = 0; i < shown; ++i) {
    text += i == 0 ? "" : " · ";
    if (const Json *location = object_of(writers[i], "location"))
      text += function_at(*location, options.base, text_of(writers[i], "callee"));
    // Without counts (a pair known statically, or accepted) there is nothing to say.
    if (const uint64_t count = count_of(writers[i], "count"); count != 0)
      text +=
          fmt::format(" ({}, {:.0f} %)", grouped(count), number_of(writers[i], "share", 0) * 100);
  }
  if (shown < writers.size())
    text += fmt::format(" · {} more", writers.size() - shown);
  return line(fmt::format("{}: {}", title, text));
}

std::string stack_lines(const Json &finding, const TextOptions &options) {
  const Json *stacks = object_of(finding, "stacks");
  const Json &access = stacks == nullptr ? list_of(finding, "stacks") : list_of(*stacks, "access");
  if (access.empty())
    return {};
  const Json &frames = list_of(access[0], "frames");
  if (frames.empty())
    return {};
  std::string text = line("stack: " + chain_text(frames));
  if (options.verbose)
    for (const Json &frame : frames)
      if (frame.is_object())
        text += fmt::format("          {}\n", function_at(frame, options.base));
  return text;
}

} // namespace

std::string access_object_text(const Json &object, const std::filesystem::path &base) {
  const std::string kind = text_of(object, "kind");
  const std::string function = function_text(text_of(object, "function"));
  if (const std::string name = text_of(object, "name"); kind == "outside" && !name.empty())
    return fmt::format(
        "memory of no object behind {} '{}'{}{}", function.empty() ? "global" : "local variable",
        name, function.empty() ? "" : " of " + function, where_text(object, "declared", base));
  std::string text;
  if (const std::string member = text_of(object, "member"); !member.empty())
    text = fmt::format("member '{}' of ", member);
  if (kind == "outside" && list_of(object, "context").empty())
    return "memory of no object";
  if (kind == "heap" || kind == "outside" || kind == "freed") {
    text += fmt::format("{}a {}block{}{}", kind == "outside" ? "memory of no object behind " : "",
                        kind == "freed" ? "freed " : "", shape_text(object),
                        where_text(object, "allocated", base));
    if (const std::string chain = chain_text(list_of(object, "context")); !chain.empty())
      text += fmt::format(" ({})", chain);
    return text;
  }
  if (kind == "return")
    return fmt::format("{} return address of {}",
                       text_of(object, "member").empty()
                           ? "the"
                           : fmt::format("the {} beside the", text_of(object, "member")),
                       function);
  text += fmt::format("{} '{}'", kind == "local" ? "local variable" : "global",
                      text_of(object, "name"));
  if (!function.empty())
    text += fmt::format(" of {}", function);
  return text + shape_text(object) + where_text(object, "declared", base);
}

std::string access_lines(const Json &finding, const TextOptions &options) {
  std::string text;
  if (const Json *object = object_of(finding, "object"))
    text += line("object: " + access_object_text(*object, options.base));
  text += writers_line(finding, options);
  for (const Json &evidence : list_of(finding, "evidence"))
    if (evidence.is_string())
      text += line(function_text(printable(evidence.get<std::string>())));
  for (const Json &also : list_of(finding, "also"))
    text += line("also " + function_text(text_of(also, "message")));
  text += stack_lines(finding, options);
  if (const std::string id = text_of(finding, "id"); !id.empty())
    text += line(fmt::format("if it is right to do so: culprit check --accept {} …", id));
  return text;
}

} // namespace culprit::report
