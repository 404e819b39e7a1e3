// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading a report's JSON for people: a document may have been written by an older or newer
// version, or by hand, so a key that is missing or of another type reads as nothing, and text is
// made harmless for a terminal.
#pragma once

#include "report/excerpt.h"

#include <nlohmann/json.hpp>
#include <string>

namespace culprit::report {

inline std::string text_of(const nlohmann::ordered_json &object, const char *key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? printable(found->get<std::string>()) : "";
}

inline const nlohmann::ordered_json &list_of(const nlohmann::ordered_json &object,
                                             const char *key) {
  static const nlohmann::ordered_json kNone = nlohmann::ordered_json::array();
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? *found : kNone;
}

// Null: there is none.
inline const nlohmann::ordered_json *object_of(const nlohmann::ordered_json &object,
                                               const char *key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? &*found : nullptr;
}

inline uint64_t count_of(const nlohmann::ordered_json &object, const char *key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_unsigned() ? found->get<uint64_t>() : 0;
}

inline double number_of(const nlohmann::ordered_json &object, const char *key, double otherwise) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : otherwise;
}

} // namespace culprit::report
