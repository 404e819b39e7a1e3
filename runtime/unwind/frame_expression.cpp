// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See frame_expression.h.
#include "runtime/unwind/frame_expression.h"

namespace culprit::unwind {
namespace {

constexpr uint8_t kFirstLiteral = 0x30;
constexpr uint8_t kLastLiteral = 0x4f;
constexpr uint8_t kFirstRegister = 0x70;
constexpr uint8_t kFrameRegister = kFirstRegister + 6;
constexpr uint8_t kStackRegister = kFirstRegister + 7;
constexpr uint8_t kPcRegister = kFirstRegister + 16;

Place number(int64_t value) { return {Place::number, value}; }

Place compute(uint8_t operation, Place left, Place right) {
  if (operation == 0x22 && right.base == Place::number && left.base != Place::at_frame)
    return {left.base, left.offset + right.offset}; // plus
  if (operation == 0x22 && left.base == Place::number && right.base != Place::at_frame)
    return {right.base, left.offset + right.offset};
  if (left.base != Place::number || right.base != Place::number)
    return {};
  const int64_t a = left.offset;
  const int64_t b = right.offset;
  switch (operation) {
  case 0x1a:
    return number(a & b);
  case 0x1c:
    return number(a - b);
  case 0x24:
    return number(static_cast<int64_t>(b < 64 ? static_cast<uint64_t>(a) << b : 0));
  case 0x29:
    return number(a == b);
  case 0x2a:
    return number(a >= b);
  case 0x2b:
    return number(a > b);
  case 0x2c:
    return number(a <= b);
  case 0x2d:
    return number(a < b);
  case 0x2e:
    return number(a != b);
  default:
    return {};
  }
}

bool is_binary(uint8_t operation) {
  return operation == 0x1a || operation == 0x1c || operation == 0x22 || operation == 0x24 ||
         (operation >= 0x29 && operation <= 0x2e);
}

} // namespace

Place evaluate(TableReader code, uintptr_t pc) {
  constexpr size_t kDepth = 8;
  Place stack[kDepth + 1] = {};
  size_t depth = 0;
  while (!code.is_at_end() && depth < kDepth) {
    const auto operation = code.number<uint8_t>();
    if (operation >= kFirstLiteral && operation <= kLastLiteral) {
      stack[depth++] = number(operation - kFirstLiteral);
    } else if (operation == kFrameRegister) {
      stack[depth++] = {Place::frame, code.signed_number()};
    } else if (operation == kStackRegister) {
      stack[depth++] = {Place::stack, code.signed_number()};
    } else if (operation == kPcRegister) {
      stack[depth++] = number(static_cast<int64_t>(pc) + code.signed_number());
    } else if (operation == 0x08) {
      stack[depth++] = number(code.number<uint8_t>());
    } else if (operation == 0x09) {
      stack[depth++] = number(code.number<int8_t>());
    } else if (operation == 0x06 && depth && stack[depth - 1].base == Place::frame) { // deref
      stack[depth - 1].base = Place::at_frame;
    } else if (operation == 0x23 && depth) { // plus_uconst
      stack[depth - 1] =
          compute(0x22, stack[depth - 1], number(static_cast<int64_t>(code.unsigned_number())));
    } else if (is_binary(operation) && depth > 1) {
      --depth;
      stack[depth - 1] = compute(operation, stack[depth - 1], stack[depth]);
    } else {
      return {};
    }
  }
  return depth == 1 && code.is_at_end() && !code.is_damaged() ? stack[0] : Place{};
}

} // namespace culprit::unwind
