// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html/places.h"

#include "report/check_text.h"
#include "report/document.h"
#include "report/fields.h"
#include "report/folded_stacks.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit::report::html {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kAround = 3;     // lines shown before and after
constexpr size_t kLongest = 1000; // bytes of a line; generated code has no end
constexpr size_t kFrames = 64;

std::string clipped(std::string line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == ' '))
    line.pop_back();
  if (line.size() > kLongest)
    line = line.substr(0, kLongest) + " …";
  return line;
}

Markup marked_line(const std::string &line, size_t column) {
  const std::optional<Statement> statement = statement_at(line, column);
  if (!statement)
    return text(line);
  const std::string_view view = line;
  return joined({text(view.substr(0, statement->begin)),
                 element("mark", view.substr(statement->begin, statement->end - statement->begin)),
                 text(view.substr(statement->end))});
}

Markup source_line(size_t number, bool hot, const Markup &inside) {
  return element("span", {{"class", hot ? "row hot" : "row"}},
                 joined({element("span", {{"class", "number"}},
                                 fmt::format("{}{:>5}", hot ? "▸" : " ", number)),
                         inside}));
}

} // namespace

Markup place(const Json &location, const PageOptions &options) {
  const std::string name = place_text(location, options.base);
  return name.empty() ? Markup() : element("code", {{"class", "place"}}, name);
}

Markup function(const std::string &name) {
  return name.empty() ? Markup() : element("code", function_text(name));
}

Markup excerpt(const Json &location, const std::string &remark, const PageOptions &options) {
  const size_t hot = location.value("line", size_t{0});
  const std::string file = location.value("file", "");
  if (!options.source || hot == 0)
    return {};
  const std::optional<std::string> line = options.source(file, hot);
  if (!line)
    return {};
  Markup rows;
  for (size_t number = hot - std::min(hot - 1, kAround); number <= hot + kAround; ++number) {
    const std::optional<std::string> near = options.source(file, number);
    if (!near)
      continue;
    const std::string shown = clipped(*near);
    rows += source_line(number, number == hot,
                        number == hot ? marked_line(shown, location.value("column", size_t{0}))
                                      : text(shown));
    if (number == hot && !remark.empty())
      rows += element("span", {{"class", "row remark"}},
                      joined({element("span", {{"class", "number"}}, "      "), text(remark)}));
  }
  return element("pre",
                 {{"class", "source"},
                  {"tabindex", "0"},
                  {"role", "region"},
                  {"aria-label", "source around " + place_text(location, options.base)}},
                 element("code", rows));
}

Markup call_stack(const Json &frames, const PageOptions &options) {
  Markup list;
  for (size_t i = 0; i < std::min(kFrames, frames.size()); ++i)
    if (frames[i].is_object())
      list += element("li", joined({function(text_of(frames[i], "function")), text(" "),
                                    place(frames[i], options)}));
  if (frames.size() > kFrames)
    list += element("li", fmt::format("and {} more", grouped(frames.size() - kFrames)));
  return list.empty() ? Markup() : element("ol", {{"class", "stack"}}, list);
}

} // namespace culprit::report::html
