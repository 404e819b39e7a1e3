// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See value_text.h.
#include "engine/explain/value_text.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace culprit::explain {
namespace {

bool is_plain(char letter) { return letter >= ' ' && letter <= '~'; }

// Two letters at least, and nothing behind its end.
bool is_text(std::string_view bytes) {
  const size_t length = std::min(bytes.find('\0'), bytes.size());
  return length >= 2 && std::ranges::all_of(bytes.substr(0, length), is_plain) &&
         bytes.find_first_not_of('\0', length) == std::string_view::npos;
}

std::string escaped(char letter) {
  switch (letter) {
  case '\n':
    return "\\n";
  case '\t':
    return "\\t";
  case '"':
    return "\\\"";
  case '\\':
    return "\\\\";
  default:
    return is_plain(letter) ? std::string(1, letter)
                            : fmt::format("\\x{:02x}", static_cast<unsigned char>(letter));
  }
}

uint64_t unsigned_value(std::string_view bytes) {
  uint64_t number = 0;
  std::memcpy(&number, bytes.data(), std::min(bytes.size(), sizeof number));
  return number;
}

int64_t signed_value(std::string_view bytes) {
  const unsigned unused = bytes.size() >= 8 ? 0 : 64 - 8 * static_cast<unsigned>(bytes.size());
  return static_cast<int64_t>(unsigned_value(bytes) << unused) >> unused;
}

std::string floating_value(std::string_view bytes) {
  if (bytes.size() == sizeof(float)) {
    float number = 0;
    std::memcpy(&number, bytes.data(), sizeof number);
    return fmt::format("{}", number);
  }
  if (bytes.size() == sizeof(double)) {
    double number = 0;
    std::memcpy(&number, bytes.data(), sizeof number);
    return fmt::format("{}", number);
  }
  return untyped_value(bytes, false);
}

} // namespace

std::string text_value(std::string_view bytes, size_t most) {
  bytes = bytes.substr(0, bytes.find('\0'));
  std::string text = "\"";
  for (const char letter : bytes.substr(0, most))
    text += escaped(letter);
  return text + (bytes.size() > most ? "…\"" : "\"");
}

std::string typed_value(std::string_view bytes, const Types &types, uint32_t number) {
  const Type *type = types.find(number);
  if (type == nullptr || bytes.empty() || bytes.size() > sizeof(uint64_t))
    return untyped_value(bytes, false);
  switch (type->kind) {
  case Type::Kind::boolean:
    return unsigned_value(bytes) <= 1 ? (unsigned_value(bytes) != 0 ? "true" : "false")
                                      : std::to_string(unsigned_value(bytes));
  case Type::Kind::character:
    return bytes.size() == 1 && bytes[0] != '\0' && (is_plain(bytes[0]) || bytes[0] == '\n')
               ? "'" + escaped(bytes[0]) + "'"
               : std::to_string(unsigned_value(bytes));
  case Type::Kind::floating:
    return floating_value(bytes);
  case Type::Kind::enumeration: {
    const int64_t value = signed_value(bytes);
    const auto named =
        std::ranges::find(type->members, static_cast<uint64_t>(value), &Type::Member::offset);
    return named == type->members.end() ? std::to_string(value) : named->name;
  }
  case Type::Kind::unsigned_number:
    return std::to_string(unsigned_value(bytes));
  default:
    return std::to_string(signed_value(bytes));
  }
}

std::string bits_value(std::string_view bytes, const Leaf::Bits &bits, const Types &types) {
  uint64_t number = 0;
  for (uint32_t i = 0; i < bits.count; ++i) {
    const uint64_t at = bits.first + i;
    number |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[at / 8]) >> at % 8 & 1U) << i;
  }
  const Type *type = types.find(bits.type);
  const bool is_negative = bits.count > 0 && bits.count < 64 && number >> (bits.count - 1) != 0;
  if (is_negative && type != nullptr && type->kind == Type::Kind::signed_number)
    number |= UINT64_MAX << bits.count;
  return typed_value({reinterpret_cast<const char *>(&number), sizeof number}, types, bits.type);
}

std::string untyped_value(std::string_view bytes, bool part) {
  if (part && is_text(bytes))
    return fmt::format("\"{}\"", bytes.substr(0, bytes.find('\0')));
  if (bytes.size() == sizeof(int32_t) || bytes.size() >= sizeof(int64_t))
    return std::to_string(signed_value(bytes));
  return std::to_string(unsigned_value(bytes));
}

} // namespace culprit::explain
