// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes as a person would write the value: by their type, or by what they look like.
#pragma once

#include "engine/explain/type.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace culprit::explain {

// Up to its zero, in quotes; letters that cannot be printed as \n or \x01, and no more than so
// many.
std::string text_value(std::string_view bytes, size_t most);

// Of a number, a letter, a truth value, an enumeration.
std::string typed_value(std::string_view bytes, const Types &types, uint32_t type);

// Of a bit-field: so many bits (64 at most) from this one on, which the bytes must have.
std::string bits_value(std::string_view bytes, const Leaf::Bits &bits, const Types &types);

// A number; or, if it is a `part` of something larger and reads as one, a text.
std::string untyped_value(std::string_view bytes, bool part);

} // namespace culprit::explain
