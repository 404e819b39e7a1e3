// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/native/instructions.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"

#include <map>
#include <string>

namespace culprit::native {

namespace {

constexpr const char *kTriple = "x86_64-pc-linux-gnu";
constexpr unsigned kMemoryOperands = 5; // base, scale, index, distance, segment
constexpr int64_t kEqual = 4;           // condition codes, as the processor numbers them
constexpr int64_t kUnequal = 5;

// How the operands of an opcode lie.
enum class Shape : uint8_t {
  none,
  copy,       // to, from
  constant,   // to, number
  load,       // to, memory
  store,      // memory, from
  address,    // to, memory
  add,        // to, to, from
  add_number, // to, to, number
  add_to_rax, // number
  subtract,   // to, to, from
  subtract_number,
  subtract_from_rax,
  shift,           // to, to, number
  shift_by_one,    // to, to
  multiply,        // to, from, number
  multiply_memory, // to, memory, number
  exclusive_or,    // to, to, from: 0 if they are the same
  test,            // one, other
  compare,         // one, number
  compare_memory,  // memory, number
  branch,          // distance, condition
  jump,            // distance
  jump_elsewhere,
  call, // distance
  call_elsewhere,
  give_back,
};

Shape shape_of(llvm::StringRef opcode) {
  opcode.consume_back("_REV");
  static const std::map<std::string, Shape, std::less<>> kShapes = {
      {"MOV64rr", Shape::copy},
      {"MOV32rr", Shape::copy},
      {"MOVSX64rr32", Shape::copy}, // sizes are not negative
      {"MOV32ri", Shape::constant},
      {"MOV64ri", Shape::constant},
      {"MOV64ri32", Shape::constant},
      {"MOV64rm", Shape::load},
      {"MOV64mr", Shape::store},
      {"LEA64r", Shape::address},
      {"LEA32r", Shape::address},
      {"LEA64_32r", Shape::address},
      {"ADD64rr", Shape::add},
      {"ADD32rr", Shape::add},
      {"ADD64ri8", Shape::add_number},
      {"ADD64ri32", Shape::add_number},
      {"ADD32ri8", Shape::add_number},
      {"ADD32ri", Shape::add_number},
      {"ADD64i32", Shape::add_to_rax},
      {"ADD32i32", Shape::add_to_rax},
      {"SUB64rr", Shape::subtract},
      {"SUB32rr", Shape::subtract},
      {"SUB64ri8", Shape::subtract_number},
      {"SUB64ri32", Shape::subtract_number},
      {"SUB32ri8", Shape::subtract_number},
      {"SUB32ri", Shape::subtract_number},
      {"SUB64i32", Shape::subtract_from_rax},
      {"SUB32i32", Shape::subtract_from_rax},
      {"SHL64ri", Shape::shift},
      {"SHL32ri", Shape::shift},
      {"SHL64r1", Shape::shift_by_one},
      {"SHL32r1", Shape::shift_by_one},
      {"IMUL64rri8", Shape::multiply},
      {"IMUL64rri32", Shape::multiply},
      {"IMUL32rri8", Shape::multiply},
      {"IMUL32rri", Shape::multiply},
      {"IMUL64rmi8", Shape::multiply_memory},
      {"IMUL64rmi32", Shape::multiply_memory},
      {"IMUL32rmi8", Shape::multiply_memory},
      {"IMUL32rmi", Shape::multiply_memory},
      {"XOR64rr", Shape::exclusive_or},
      {"XOR32rr", Shape::exclusive_or},
      {"TEST64rr", Shape::test},
      {"CMP64ri8", Shape::compare},
      {"CMP64mi8", Shape::compare_memory},
      {"JCC_1", Shape::branch},
      {"JCC_4", Shape::branch},
      {"JMP_1", Shape::jump},
      {"JMP_4", Shape::jump},
      {"JMP64r", Shape::jump_elsewhere},
      {"JMP64m", Shape::jump_elsewhere},
      {"JMP64r_NT", Shape::jump_elsewhere},
      {"JMP64m_NT", Shape::jump_elsewhere},
      {"CALL64pcrel32", Shape::call},
      {"CALL64r", Shape::call_elsewhere},
      {"CALL64m", Shape::call_elsewhere},
      {"CALL64r_NT", Shape::call_elsewhere},
      {"CALL64m_NT", Shape::call_elsewhere},
      {"RET64", Shape::give_back},
      {"RETI64", Shape::give_back},
  };
  const auto found = kShapes.find(opcode.str());
  return found == kShapes.end() ? Shape::none : found->second;
}

// "EAX" is a part of rax, which is changed with it.
Register register_of(llvm::StringRef name) {
  static const std::map<std::string, Register, std::less<>> kNames = [] {
    std::map<std::string, Register, std::less<>> names = {{"RIP", kRip}};
    constexpr const char *kOld[] = {"AX", "DX", "CX", "BX", "SI", "DI", "BP", "SP"};
    for (uint8_t i = 0; i < 8; ++i) {
      const std::string old = kOld[i];
      const auto number = static_cast<Register>(i);
      names["R" + old] = names["E" + old] = names[old] = number;
      // AL and AH, but SIL
      names[i < 4 ? old.substr(0, 1) + "L" : old + "L"] = number;
      if (i < 4)
        names[old.substr(0, 1) + "H"] = number;
      const auto later = static_cast<Register>(i + 8);
      const std::string base = "R" + std::to_string(i + 8);
      names[base] = names[base + "D"] = names[base + "W"] = names[base + "B"] = later;
    }
    return names;
  }();
  const auto found = kNames.find(name.str());
  return found == kNames.end() ? kNoRegister : found->second;
}

} // namespace

std::set<uint64_t> targets_of(std::span<const Instruction> code) {
  std::set<uint64_t> targets;
  for (const Instruction &instruction : code)
    if (instruction.action == Action::branch || instruction.action == Action::jump)
      targets.insert(instruction.target);
  return targets;
}

struct Decoder::Parts {
  std::unique_ptr<const llvm::MCRegisterInfo> registers;
  std::unique_ptr<const llvm::MCAsmInfo> assembler;
  std::unique_ptr<const llvm::MCInstrInfo> opcodes;
  std::unique_ptr<const llvm::MCSubtargetInfo> processor;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<const llvm::MCDisassembler> disassembler;
  std::vector<Shape> shapes;       // by opcode
  std::vector<Register> numbers;   // by LLVM's register
  std::vector<uint32_t> implicits; // by opcode: registers it changes besides

  Register number_of(const llvm::MCOperand &operand) const {
    return operand.isReg() ? numbers[operand.getReg()] : kNoRegister;
  }

  Memory memory_of(const llvm::MCInst &inst, unsigned first) const {
    Memory memory;
    if (inst.getNumOperands() < first + kMemoryOperands || !inst.getOperand(first + 3).isImm() ||
        inst.getOperand(first + 4).getReg() != 0) // fs and gs: other memory
      return memory;
    memory.base = number_of(inst.getOperand(first));
    memory.scale = static_cast<uint8_t>(inst.getOperand(first + 1).getImm());
    memory.index = number_of(inst.getOperand(first + 2));
    memory.distance = inst.getOperand(first + 3).getImm();
    return memory;
  }

  void describe(const llvm::MCInst &inst, Instruction &found) const;
  void find_changes(const llvm::MCInst &inst, Instruction &found) const;
};

void Decoder::Parts::find_changes(const llvm::MCInst &inst, Instruction &found) const {
  found.changed = implicits[inst.getOpcode()];
  const unsigned defined = opcodes->get(inst.getOpcode()).getNumDefs();
  for (unsigned i = 0; i < defined && i < inst.getNumOperands(); ++i)
    if (const Register changed = number_of(inst.getOperand(i)); changed < kRegisters)
      found.changed |= 1u << changed;
}

void Decoder::Parts::describe(const llvm::MCInst &inst, Instruction &found) const {
  find_changes(inst, found);
  const auto reg = [&](unsigned i) { return number_of(inst.getOperand(i)); };
  const auto number = [&](unsigned i) {
    return inst.getOperand(i).isImm() ? inst.getOperand(i).getImm() : 0;
  };
  const auto computes = [&](Action action, Register to, Register from, int64_t with) {
    found.action = action;
    found.to = to;
    found.from = from;
    found.number = with;
  };
  switch (shapes[inst.getOpcode()]) {
  case Shape::none:
    break;
  case Shape::copy:
    computes(Action::copy, reg(0), reg(1), 0);
    break;
  case Shape::constant:
    computes(Action::constant, reg(0), kNoRegister, number(1));
    break;
  case Shape::load:
  case Shape::address:
    computes(shapes[inst.getOpcode()] == Shape::load ? Action::load : Action::address, reg(0),
             kNoRegister, 0);
    found.memory = memory_of(inst, 1);
    break;
  case Shape::store:
    computes(Action::store, kNoRegister, reg(kMemoryOperands), 0);
    found.memory = memory_of(inst, 0);
    break;
  case Shape::add:
    computes(Action::add, reg(0), reg(2), 0);
    break;
  case Shape::add_number:
    computes(Action::add, reg(0), kNoRegister, number(2));
    break;
  case Shape::add_to_rax:
    computes(Action::add, kRax, kNoRegister, number(0));
    break;
  case Shape::subtract:
    computes(Action::subtract, reg(0), reg(2), 0);
    break;
  case Shape::subtract_number:
    computes(Action::subtract, reg(0), kNoRegister, number(2));
    break;
  case Shape::subtract_from_rax:
    computes(Action::subtract, kRax, kNoRegister, number(0));
    break;
  case Shape::shift:
    computes(Action::shift, reg(0), kNoRegister, number(2));
    break;
  case Shape::shift_by_one:
    computes(Action::shift, reg(0), kNoRegister, 1);
    break;
  case Shape::multiply:
    computes(Action::multiply, reg(0), reg(1), number(2));
    break;
  case Shape::multiply_memory:
    computes(Action::multiply, reg(0), kNoRegister, number(1 + kMemoryOperands));
    break;
  case Shape::exclusive_or:
    if (reg(1) == reg(2))
      computes(Action::constant, reg(0), kNoRegister, 0);
    break;
  case Shape::test:
    if (reg(0) == reg(1))
      computes(Action::is_null, kNoRegister, reg(0), 0);
    break;
  case Shape::compare:
    if (inst.getOperand(1).isImm() && number(1) == 0)
      computes(Action::is_null, kNoRegister, reg(0), 0);
    break;
  case Shape::compare_memory:
    if (inst.getOperand(kMemoryOperands).isImm() && number(kMemoryOperands) == 0) {
      computes(Action::is_null, kNoRegister, kNoRegister, 0);
      found.memory = memory_of(inst, 0);
    }
    break;
  case Shape::branch:
    found.action = Action::branch;
    found.target = found.next + static_cast<uint64_t>(number(0));
    found.if_equal = number(1) == kEqual;
    found.if_unequal = number(1) == kUnequal;
    break;
  case Shape::jump:
  case Shape::call:
    found.action = shapes[inst.getOpcode()] == Shape::jump ? Action::jump : Action::call;
    found.target = found.next + static_cast<uint64_t>(number(0));
    break;
  case Shape::jump_elsewhere:
    found.action = Action::jump;
    break;
  case Shape::call_elsewhere:
    found.action = Action::call;
    break;
  case Shape::give_back:
    found.action = Action::give_back;
    break;
  }
}

Decoder::Decoder() : parts_(std::make_unique<Parts>()) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86Disassembler();
  Parts &parts = *parts_;
  std::string problem;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(kTriple, problem);
  if (target == nullptr)
    return; // LLVM was built without it
  parts.registers.reset(target->createMCRegInfo(kTriple));
  parts.assembler.reset(
      target->createMCAsmInfo(*parts.registers, kTriple, llvm::MCTargetOptions()));
  parts.opcodes.reset(target->createMCInstrInfo());
  parts.processor.reset(target->createMCSubtargetInfo(kTriple, "", ""));
  parts.context = std::make_unique<llvm::MCContext>(llvm::Triple(kTriple), parts.assembler.get(),
                                                    parts.registers.get(), parts.processor.get());
  parts.disassembler.reset(target->createMCDisassembler(*parts.processor, *parts.context));
  for (unsigned i = 0; i < parts.registers->getNumRegs(); ++i)
    parts.numbers.push_back(register_of(parts.registers->getName(i)));
  for (unsigned i = 0; i < parts.opcodes->getNumOpcodes(); ++i) {
    parts.shapes.push_back(shape_of(parts.opcodes->getName(i)));
    uint32_t changed = 0;
    for (const llvm::MCPhysReg implicit : parts.opcodes->get(i).implicit_defs())
      if (parts.numbers[implicit] < kRegisters)
        changed |= 1u << parts.numbers[implicit];
    parts.implicits.push_back(changed);
  }
}

Decoder::~Decoder() = default;

std::vector<Instruction> Decoder::decode(std::string_view code, uint64_t address) const {
  std::vector<Instruction> found;
  if (!parts_->disassembler)
    return found;
  const llvm::ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(code.data()), code.size());
  for (uint64_t at = 0; at < bytes.size();) {
    llvm::MCInst inst;
    uint64_t length = 0;
    const auto status = parts_->disassembler->getInstruction(inst, length, bytes.drop_front(at),
                                                             address + at, llvm::nulls());
    length = std::max<uint64_t>(length, 1);
    if (status != llvm::MCDisassembler::Fail) {
      Instruction instruction;
      instruction.address = address + at;
      instruction.next = address + at + length;
      parts_->describe(inst, instruction);
      found.push_back(instruction);
    }
    at += length;
  }
  return found;
}

} // namespace culprit::native
