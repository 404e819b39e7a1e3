// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// x86-64 machine code, as far as it moves whole registers and computes sizes: what is needed to
// follow the result of a call. LLVM decodes; here its some ten thousand opcodes become the few
// kinds that matter, and of all others it is known which registers they change.
//
// Registers have the numbers that DWARF gives them.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace culprit::native {

enum Register : uint8_t {
  kRax = 0,
  kRdx = 1,
  kRcx = 2,
  kRbx = 3,
  kRsi = 4,
  kRdi = 5,
  kRbp = 6,
  kRsp = 7,
  kR8 = 8,
  kR9 = 9,
  kR10 = 10,
  kR11 = 11,
  kR12 = 12,
  kR13 = 13,
  kR14 = 14,
  kR15 = 15,
  kRegisters = 16,
  kRip = 16,
  kNoRegister = 0xff,
};

enum class Action : uint8_t {
  other,    // changes `changed`
  copy,     // to = from
  constant, // to = number
  load,     // to = 8 bytes of memory
  store,    // 8 bytes of memory = from
  address,  // to = memory's address
  add,      // to = to + from, or + number where from is none
  subtract,
  shift,     // to = to << number
  multiply,  // to = from * number; where from is none: of memory
  is_null,   // compares with 0: from, or 8 bytes of memory where it is none
  branch,    // to target, if condition
  jump,      // to target; 0: not known
  call,      // of target; 0: not known
  give_back, // returns
};

struct Memory {
  Register base = kNoRegister;
  Register index = kNoRegister;
  uint8_t scale = 1;
  int64_t distance = 0;
};

struct Instruction {
  uint64_t address = 0;
  uint64_t next = 0; // address behind it
  Action action = Action::other;
  Register to = kNoRegister;
  Register from = kNoRegister;
  bool if_equal = false;   // of a branch
  bool if_unequal = false; // neither: another condition
  uint32_t changed = 0;    // a bit for each register
  int64_t number = 0;
  uint64_t target = 0;
  Memory memory;
};

// What a function that is called gives back as it was.
constexpr uint32_t kKeptByCalls =
    1u << kRbx | 1u << kRbp | 1u << kRsp | 1u << 12 | 1u << 13 | 1u << 14 | 1u << 15;

// Where branches and jumps lead to: several ways meet there.
std::set<uint64_t> targets_of(std::span<const Instruction> code);

class Decoder {
public:
  Decoder();
  ~Decoder();
  Decoder(const Decoder &) = delete;
  Decoder &operator=(const Decoder &) = delete;

  // In order; bytes that are no instruction are left out.
  std::vector<Instruction> decode(std::string_view code, uint64_t address) const;

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace culprit::native
