// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/triage/record.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace culprit::triage {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kFrames = 3; // what other tools group crashes by

// Null: there is none. Throws where it is of another type, or `object` is none.
const Json &member(const Json &object, const char *key, Json::value_t type) {
  static const Json kNothing;
  if (!object.is_object())
    throw std::invalid_argument("not an object");
  const auto found = object.find(key);
  if (found == object.end() || found->is_null())
    return kNothing;
  if (found->type() != type)
    throw std::invalid_argument(key);
  return *found;
}

std::string text(const Json &object, const char *key) {
  const Json &value = member(object, key, Json::value_t::string);
  return value.is_null() ? "" : value.get<std::string>();
}

const Json &list(const Json &object, const char *key) {
  static const Json kEmpty = Json::array();
  const Json &value = member(object, key, Json::value_t::array);
  return value.is_null() ? kEmpty : value;
}

uint64_t number(const Json &object, const char *key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && found->is_number_unsigned() ? found->get<uint64_t>() : 0;
}

std::string place(const Json &location) {
  if (location.is_null())
    return "";
  return fmt::format("{}:{}:{} {}", text(location, "file"), number(location, "line"),
                     number(location, "column"), text(location, "function"));
}

Link link_of(const Json &step) {
  Link link;
  const Json &crash = member(step, "crash", Json::value_t::object);
  if (!crash.is_null())
    link.crash =
        text(crash, "kind") + " " + place(member(crash, "location", Json::value_t::object));
  for (const Json &definition : list(step, "definitions"))
    link.causes.push_back(text(definition, "identity"));
  return link;
}

std::vector<std::string> top_frames(const Json &step) {
  std::vector<std::string> frames;
  const Json &crash = member(step, "crash", Json::value_t::object);
  if (crash.is_null())
    return frames;
  // Code without frame pointers hides its callers: where the program itself was is known better.
  const Json &location = member(crash, "location", Json::value_t::object);
  if (!location.is_null())
    frames.push_back(place(location));
  bool innermost = true;
  for (const Json &frame : list(crash, "stack")) {
    if (text(frame, "file").empty() || frames.size() == kFrames)
      continue;
    const bool again = innermost && !location.is_null() &&
                       text(frame, "file") == text(location, "file") &&
                       number(frame, "line") == number(location, "line");
    innermost = false;
    if (!again)
      frames.push_back(place(frame));
  }
  return frames;
}

} // namespace

Result<Record> read_record(const Json &document) {
  try {
    Record record{.outcome = text(document, "outcome"),
                  .reason = text(document, "reason"),
                  .status = text(document, "status")};
    const Json &chain = list(document, "chain");
    if (!chain.empty())
      record.frames = top_frames(chain.front());
    const Json &findings = list(document, "findings");
    if (record.outcome != "located")
      return record;
    if (findings.empty())
      return fail("located, but nothing found");
    record.error = text(findings.front(), "error");
    const uint64_t execution = number(findings.front(), "execution");
    for (const Json &step : chain)
      if (number(step, "execution") <= execution)
        record.chain.push_back(link_of(step));
    if (record.chain.empty() || record.chain.back().causes.empty() ||
        record.chain.back().causes.front().empty())
      return fail("located, but it does not say where");
    return record;
  } catch (const std::invalid_argument &wrong) {
    return fail(fmt::format("'{}' is not of the right type", wrong.what()));
  }
}

} // namespace culprit::triage
