// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers out of an unwind table, one after the other, never beyond its end: whoever reads too far
// gets zeroes and is damaged from then on.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::unwind {

// How an address is written (DW_EH_PE_…): a format, what it is measured from, and whether it is
// where the address is.
constexpr uint8_t kAbsolute = 0x00;
constexpr uint8_t kFormat = 0x0f;
constexpr uint8_t kFromHere = 0x10;
constexpr uint8_t kFromBase = 0x30;
constexpr uint8_t kMeasured = 0x70;
constexpr uint8_t kOmitted = 0xff;

class TableReader {
public:
  TableReader() = default;
  TableReader(const uint8_t *start, const uint8_t *end) : at_(start), end_(end) {}

  bool is_at_end() const { return at_ >= end_; }
  bool is_damaged() const { return damaged_; }
  size_t left() const { return static_cast<size_t>(end_ - at_); }
  const uint8_t *here() const { return at_; }

  template <typename Number> Number number() {
    Number value{};
    if (left() < sizeof value)
      return give_up<Number>();
    __builtin_memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  uint64_t unsigned_number() {
    bool negative = false;
    unsigned bits = 0;
    return variable(negative, bits);
  }
  int64_t signed_number() {
    bool negative = false;
    unsigned bits = 0;
    uint64_t value = variable(negative, bits);
    if (negative && bits < 64)
      value |= ~uint64_t{0} << bits;
    return static_cast<int64_t>(value);
  }

  // Up to and with a zero; null: there is none.
  const char *text() {
    const auto *start = reinterpret_cast<const char *>(at_);
    while (!is_at_end())
      if (!*at_++)
        return start;
    damaged_ = true;
    return nullptr;
  }

  // An address, or a length if `encoding` is a format alone. `base`: what some are measured from.
  uintptr_t encoded(uint8_t encoding, uintptr_t base) {
    const auto here = reinterpret_cast<uintptr_t>(at_);
    if (encoding == kOmitted)
      return 0;
    uintptr_t value = formatted(encoding & kFormat);
    if ((encoding & kMeasured) == kFromHere)
      value += here;
    else if ((encoding & kMeasured) == kFromBase)
      value += base;
    else if (encoding & ~kFormat)
      damaged_ = true;
    return value;
  }
  void skip_encoded(uint8_t encoding) {
    if (encoding != kOmitted)
      formatted(encoding & kFormat);
  }

  // The next bytes, apart.
  TableReader part(uint64_t length) {
    if (length > left()) {
      damaged_ = true;
      return {at_, at_};
    }
    TableReader result(at_, at_ + length);
    at_ += length;
    return result;
  }

  // What follows its own length. (The long form is for tables above 4 GiB.)
  TableReader sized() {
    const auto length = number<uint32_t>();
    TableReader result = part(length == ~uint32_t{0} ? ~uint64_t{0} : length);
    result.damaged_ = damaged_ || !length;
    return result;
  }

private:
  template <typename Number> Number give_up() {
    damaged_ = true;
    at_ = end_;
    return Number{};
  }

  uint64_t variable(bool &negative, unsigned &bits) {
    uint64_t value = 0;
    for (;;) {
      const auto byte = number<uint8_t>();
      if (bits < 64)
        value |= uint64_t{byte & 0x7fu} << bits;
      bits += 7;
      negative = byte & 0x40;
      if (!(byte & 0x80))
        return value;
    }
  }

  uintptr_t formatted(uint8_t format) {
    switch (format) {
    case 0x00:
    case 0x04:
    case 0x0c:
      return number<uint64_t>();
    case 0x01:
      return unsigned_number();
    case 0x02:
      return number<uint16_t>();
    case 0x03:
      return number<uint32_t>();
    case 0x09:
      return static_cast<uintptr_t>(signed_number());
    case 0x0a:
      return static_cast<uintptr_t>(intptr_t{number<int16_t>()});
    case 0x0b:
      return static_cast<uintptr_t>(intptr_t{number<int32_t>()});
    default:
      return give_up<uintptr_t>();
    }
  }

  const uint8_t *at_ = nullptr;
  const uint8_t *end_ = nullptr;
  bool damaged_ = false;
};

} // namespace culprit::unwind
