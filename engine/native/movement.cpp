// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/native/movement.h"

#include "engine/native/types.h"

namespace culprit::native {

namespace dw = llvm::dwarf;

namespace {

constexpr int kMaxDepth = 64; // types inside types

// What lies so many bytes inside the type, taken apart down to a scalar or pointer; invalid: not
// known, or several things. Elements of arrays are alike.
llvm::DWARFDie type_inside(llvm::DWARFDie type, uint64_t offset, int depth = kMaxDepth) {
  type = without_names(type);
  if (!type.isValid() || depth == 0)
    return {};
  if (const llvm::DWARFDie element = array_element(type)) {
    const uint64_t step = bytes_of(element);
    return step == 0 ? llvm::DWARFDie() : type_inside(element, offset % step, depth - 1);
  }
  const llvm::DWARFDie record = as_record(type);
  if (!record)
    return offset == 0 ? type : llvm::DWARFDie();
  if (is_union(record))
    return {};
  for (const llvm::DWARFDie part : record.children()) {
    const bool is_base =
        part.getTag() == dw::DW_TAG_inheritance && !part.find(dw::DW_AT_virtuality);
    if (!is_base && (part.getTag() != dw::DW_TAG_member || part.find(dw::DW_AT_external) ||
                     part.find(dw::DW_AT_bit_size)))
      continue;
    const uint64_t start = number_of(part, dw::DW_AT_data_member_location);
    const llvm::DWARFDie inner = type_of(part);
    if (offset >= start && offset - start < bytes_of(inner))
      return type_inside(inner, offset - start, depth - 1);
  }
  return {};
}

// Of what a pointer points to, one of several in a row.
llvm::DWARFDie type_behind(llvm::DWARFDie pointee, int64_t distance) {
  const auto size = static_cast<int64_t>(bytes_of(pointee));
  if (size == 0)
    return {};
  const int64_t within = distance % size;
  return type_inside(pointee, static_cast<uint64_t>(within < 0 ? within + size : within));
}

Value pointer_of(llvm::DWARFDie type) {
  return {false, is_pointer(type) ? type_of(without_names(type)) : llvm::DWARFDie()};
}

} // namespace

std::optional<int64_t> Movement::frame_place(const Memory &memory) const {
  if (memory.index != kNoRegister)
    return std::nullopt;
  if (memory.base == kRbp && function_.frame.from_frame_pointer)
    return memory.distance - *function_.frame.from_frame_pointer;
  if (memory.base == kRsp && function_.frame.from_stack_pointer)
    return memory.distance - *function_.frame.from_stack_pointer;
  return std::nullopt;
}

void Movement::each_holder(uint64_t address, bool in_register, int64_t place,
                           const std::function<void(llvm::DWARFDie)> &found) const {
  for (const Holder &holder : function_.holders) {
    if (holder.in_register != in_register || address < holder.code.low ||
        address >= holder.code.high || place < holder.place)
      continue;
    if (in_register || is_pointer(holder.type)) {
      if (place == holder.place)
        found(without_names(holder.type));
    } else if (static_cast<uint64_t>(place - holder.place) < bytes_of(holder.type)) {
      if (const llvm::DWARFDie inner =
              type_inside(holder.type, static_cast<uint64_t>(place - holder.place)))
        found(inner);
    }
  }
}

llvm::DWARFDie Movement::type_at(const State &state, const Instruction &instruction) const {
  const Memory &memory = instruction.memory;
  if (memory.base == kRip)
    return global_at(instruction.next + static_cast<uint64_t>(memory.distance));
  if (memory.base == kNoRegister && memory.scale != 1)
    // A table of a program that is not moved: `table[i]`.
    return global_at(static_cast<uint64_t>(memory.distance));
  if (frame_place(memory))
    return {};
  const llvm::DWARFDie pointee = base_of(state, instruction);
  return pointee ? type_behind(pointee, memory.distance) : llvm::DWARFDie();
}

void Movement::execute(State &state, const Instruction &instruction) const {
  const Value moved = value_after(state, instruction);
  if (const auto place = frame_place(instruction.memory);
      instruction.action == Action::store && place)
    state.frame[*place] = value_of(state, instruction.from, instruction.address);
  uint32_t changed = instruction.changed;
  if (instruction.action == Action::call)
    changed |= ~kKeptByCalls;
  for (uint8_t i = 0; i < kRegisters; ++i)
    if ((changed >> i & 1) != 0)
      state.registers[i] = {};
  if (instruction.to < kRegisters)
    state.registers[instruction.to] = moved;
}

llvm::DWARFDie Movement::global_at(uint64_t address) const {
  auto found = globals_.upper_bound(address);
  if (found == globals_.begin())
    return {};
  --found;
  return address - found->first < bytes_of(found->second)
             ? type_inside(found->second, address - found->first)
             : llvm::DWARFDie();
}

Value Movement::value_of(const State &state, Register number, uint64_t address) const {
  if (number >= kRegisters)
    return {};
  Value value = state.registers[number];
  if (!value.is_result && !value.pointee)
    each_holder(address, /*in_register=*/true, number, [&](llvm::DWARFDie type) {
      if (!value.pointee)
        value = pointer_of(type);
    });
  return value;
}

llvm::DWARFDie Movement::base_of(const State &state, const Instruction &instruction) const {
  const Memory &memory = instruction.memory;
  const llvm::DWARFDie pointee = value_of(state, memory.base, instruction.address).pointee;
  return pointee || memory.scale != 1 ? pointee
                                      : value_of(state, memory.index, instruction.address).pointee;
}

Value Movement::load(const State &state, const Instruction &instruction) const {
  const auto place = frame_place(instruction.memory);
  if (!place)
    return pointer_of(type_at(state, instruction));
  if (const auto known = state.frame.find(*place);
      known != state.frame.end() && (known->second.is_result || known->second.pointee))
    return known->second;
  Value value;
  each_holder(instruction.address, /*in_register=*/false, *place, [&](llvm::DWARFDie type) {
    if (!value.pointee)
      value = pointer_of(type);
  });
  return value;
}

Value Movement::address_of(const State &state, const Instruction &instruction) const {
  const Memory &memory = instruction.memory;
  if (memory.base == kRip) {
    const auto global = globals_.find(instruction.next + static_cast<uint64_t>(memory.distance));
    return global == globals_.end() ? Value() : Value{false, global->second};
  }
  const llvm::DWARFDie pointee = base_of(state, instruction);
  if (!pointee || memory.distance == 0)
    return {false, pointee};
  return {false, type_behind(pointee, memory.distance)};
}

Value Movement::value_after(const State &state, const Instruction &instruction) const {
  switch (instruction.action) {
  case Action::copy:
    return value_of(state, instruction.from, instruction.address);
  case Action::load:
    return load(state, instruction);
  case Action::address:
    return address_of(state, instruction);
  case Action::add: {
    // An element of the array that it points to. What has the result has it no longer.
    if (instruction.from == kNoRegister)
      return {};
    const llvm::DWARFDie pointee = value_of(state, instruction.to, instruction.address).pointee;
    return {false,
            pointee ? pointee : value_of(state, instruction.from, instruction.address).pointee};
  }
  default:
    return {};
  }
}

} // namespace culprit::native
