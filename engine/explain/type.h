// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of variables, as the debug information has them (abi/sites.h), and the part of a thing that
// lies at an offset: "[3].y". They name places and show values; what differs does not depend on
// them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace culprit::explain {

struct Type {
  enum class Kind : uint8_t {
    signed_number,
    unsigned_number,
    boolean,
    character,
    floating,
    pointer,
    array,
    record,
    one_of, // a union
    enumeration,
    other,
  };
  struct Member {
    std::string name;    // empty: a base class, or a record without a name
    uint64_t offset = 0; // of an enumeration: the value
    uint32_t type = 0;
    uint32_t first_bit = 0; // of a bit-field: in the byte at `offset`
    uint32_t bits = 0;      // 0: it is none
  };
  Kind kind = Kind::other;
  std::string name = {};
  uint64_t size = 0;
  uint32_t of = 0; // of a pointer: to what; of an array: its elements
  uint64_t count = 0;
  std::vector<Member> members = {};
};

class Types {
public:
  void add(Type type) { all_.push_back(std::move(type)); }
  size_t size() const { return all_.size(); }
  // Null for 0 and for numbers that there are not. A record that is only declared is the one of its
  // name, if there is one.
  const Type *find(uint32_t number) const;
  // Declared records find the others once all are there.
  void complete();

private:
  std::vector<Type> all_; // the position + 1 is the number
};

// A part that has none itself: a number, a pointer, a text.
struct Leaf {
  std::string path = {}; // behind the name of the whole: ".y", "[3].y"
  uint64_t start = 0;
  uint64_t size = 0;
  uint32_t type = 0;    // 0: not known
  bool is_text = false; // an array of char
  // Bit-fields that have bits in this byte: nothing else has. Where in the thing they begin.
  struct Bits {
    std::string path = {};
    uint64_t first = 0;
    uint32_t count = 0;
    uint32_t type = 0;
  };
  std::vector<Bits> bits = {};
};

// What is known to lie there: it tells which member of a union is meant.
enum class Holds : uint8_t { anything, address, number };

// The part of a thing of this type in which the offset lies; without a type, if nobody knows.
Leaf leaf_at(const Types &types, uint32_t type, uint64_t offset, Holds holds = Holds::anything);
// The same of a place where such a thing lies, and perhaps more of them behind it.
Leaf leaf_behind(const Types &types, uint32_t type, uint64_t offset, Holds holds = Holds::anything);

} // namespace culprit::explain
