// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/handing_out.h"

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

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace culprit::monitor {
namespace {

constexpr unsigned kRegisters = 16;
constexpr unsigned kResult = 0;                          // rax
constexpr std::array kArguments{7U, 6U, 2U, 1U, 8U, 9U}; // rdi rsi rdx rcx r8 r9
constexpr uint16_t kClobbered = 0x0fc7; // what a call may change: rax rcx rdx rsi rdi r8-r11
constexpr unsigned kStack = 4;
constexpr unsigned kFrame = 5;
constexpr size_t kMostSteps = 2000;

// LLVM's tables for this machine.
struct Decoder {
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> assembler;
  std::unique_ptr<llvm::MCSubtargetInfo> processor;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::vector<int> number; // by LLVM's number: of general registers and their parts; -1: another

  Decoder() {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
    const char *triple = "x86_64-unknown-linux-gnu";
    std::string error;
    const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (target == nullptr)
      return;
    registers.reset(target->createMCRegInfo(triple));
    const llvm::MCTargetOptions options;
    assembler.reset(target->createMCAsmInfo(*registers, triple, options));
    processor.reset(target->createMCSubtargetInfo(triple, "", ""));
    instructions.reset(target->createMCInstrInfo());
    context = std::make_unique<llvm::MCContext>(llvm::Triple(triple), assembler.get(),
                                                registers.get(), processor.get());
    disassembler.reset(target->createMCDisassembler(*processor, *context));
    number.assign(registers->getNumRegs(), -1);
    for (unsigned i = 1; i < registers->getNumRegs(); ++i) {
      const std::string_view name = registers->getName(i);
      constexpr std::array<std::string_view, kRegisters> kNames{
          "RAX", "RCX", "RDX", "RBX", "RSP", "RBP", "RSI", "RDI",
          "R8",  "R9",  "R10", "R11", "R12", "R13", "R14", "R15"};
      for (unsigned which = 0; which < kRegisters; ++which)
        if (name == kNames[which])
          for (const llvm::MCPhysReg part : registers->subregs_inclusive(i))
            number[part] = static_cast<int>(which);
    }
  }
};

const Decoder &decoder() {
  static const Decoder kOne;
  return kOne;
}

// Where the result is, before an instruction.
struct State {
  int64_t at = 0; // distance from the return address
  uint16_t registers = 0;
  std::set<std::pair<unsigned, int64_t>> slots{}; // base register, distance
  auto operator<=>(const State &) const = default;
};

struct Memory {
  int base = -1;
  int index = -1;
  int64_t distance = 0;
};

class Follower {
public:
  Follower(std::string_view before, std::string_view code) : before_(before), code_(code) {}

  bool hands_out() {
    if (!decoder().disassembler)
      return false;
    go_on({.at = 0, .registers = 1U << kResult});
    for (size_t steps = 0; !waiting_.empty(); ++steps) {
      if (steps == kMostSteps)
        return false;
      State state = std::move(waiting_.back());
      waiting_.pop_back();
      if (!step(std::move(state)))
        return false;
    }
    return returned_;
  }

private:
  void go_on(State state) {
    // Nothing left to be followed: whatever comes, the result is not in it.
    if (state.registers == 0 && state.slots.empty())
      return;
    if (seen_.insert(state).second)
      waiting_.push_back(std::move(state));
  }

  std::string_view bytes_at(int64_t at) const {
    if (at >= 0)
      return static_cast<size_t>(at) < code_.size() ? code_.substr(static_cast<size_t>(at))
                                                    : std::string_view();
    const auto back = static_cast<size_t>(-at);
    // `before` ends where `code` begins, in one file.
    return back <= before_.size()
               ? std::string_view(before_.data() + before_.size() - back, back + code_.size())
               : std::string_view();
  }

  static bool holds(const State &state, int which) {
    return which >= 0 && (state.registers >> which & 1) != 0;
  }

  static int register_at(const llvm::MCInst &instruction, unsigned operand) {
    if (operand >= instruction.getNumOperands() || !instruction.getOperand(operand).isReg())
      return -1;
    return decoder().number[instruction.getOperand(operand).getReg()];
  }

  static std::optional<Memory> memory_of(const llvm::MCInst &instruction,
                                         const llvm::MCInstrDesc &kind) {
    constexpr unsigned kParts = 5; // base, scale, index, displacement, segment
    for (unsigned i = 0; i + kParts <= instruction.getNumOperands() && i < kind.getNumOperands();
         ++i)
      if (kind.operands()[i].OperandType == llvm::MCOI::OPERAND_MEMORY) {
        const llvm::MCOperand &distance = instruction.getOperand(i + 3);
        return Memory{register_at(instruction, i), register_at(instruction, i + 2),
                      distance.isImm() ? distance.getImm() : 0};
      }
    return std::nullopt;
  }

  // False: the result is used.
  bool step(State state) {
    const std::string_view bytes = bytes_at(state.at);
    llvm::MCInst instruction;
    uint64_t size = 0;
    const llvm::ArrayRef<uint8_t> raw(reinterpret_cast<const uint8_t *>(bytes.data()),
                                      std::min<size_t>(bytes.size(), 16));
    if (decoder().disassembler->getInstruction(instruction, size, raw, 0, llvm::nulls()) !=
        llvm::MCDisassembler::Success)
      return true; // behind a call that does not return there may be anything
    const llvm::MCInstrDesc &kind = decoder().instructions->get(instruction.getOpcode());
    state.at += static_cast<int64_t>(size);
    if (kind.isReturn()) {
      returned_ |= holds(state, kResult);
      return true;
    }
    if (kind.isCall())
      return pass_call(std::move(state));
    if (kind.isBranch()) {
      branch(std::move(state), instruction, kind);
      return true;
    }
    if (kind.isTerminator() || kind.isBarrier())
      return true;
    return pass_plain(std::move(state), instruction, kind);
  }

  bool pass_call(State state) {
    for (const unsigned argument : kArguments)
      if (holds(state, static_cast<int>(argument)))
        return false;
    state.registers &= static_cast<uint16_t>(~kClobbered);
    go_on(std::move(state));
    return true;
  }

  void branch(State state, const llvm::MCInst &instruction, const llvm::MCInstrDesc &kind) {
    if (kind.isIndirectBranch() || !instruction.getNumOperands() ||
        !instruction.getOperand(0).isImm())
      return; // to another function
    State there = state;
    there.at += instruction.getOperand(0).getImm();
    go_on(std::move(there));
    if (kind.isConditionalBranch())
      go_on(std::move(state));
  }

  bool pass_plain(State state, const llvm::MCInst &instruction, const llvm::MCInstrDesc &kind) {
    const auto memory = memory_of(instruction, kind);
    const bool has_frame_place =
        memory && memory->index < 0 &&
        (memory->base == static_cast<int>(kStack) || memory->base == static_cast<int>(kFrame));
    bool result_goes_on = false; // into what the instruction defines
    if (memory && kind.mayStore()) {
      if (holds(state, memory->base) || holds(state, memory->index))
        return false;
      const bool stores_result =
          holds(state, register_at(instruction, instruction.getNumOperands() - 1));
      if (stores_result && !has_frame_place)
        return false; // kept elsewhere
      if (has_frame_place) {
        const std::pair slot(static_cast<unsigned>(memory->base), memory->distance);
        if (stores_result)
          state.slots.insert(slot);
        else
          state.slots.erase(slot);
      }
    } else if (memory && kind.mayLoad()) {
      result_goes_on = has_frame_place && state.slots.contains({static_cast<unsigned>(memory->base),
                                                                memory->distance});
    } else if (memory) { // an address is computed
      result_goes_on = holds(state, memory->base);
    } else {
      // Copied, moved on or chosen between.
      for (unsigned i = kind.getNumDefs(); i < instruction.getNumOperands(); ++i)
        result_goes_on |= holds(state, register_at(instruction, i));
    }
    uint16_t defined = 0;
    for (unsigned i = 0; i < kind.getNumDefs(); ++i)
      if (const int which = register_at(instruction, i); which >= 0)
        defined |= static_cast<uint16_t>(1U << which);
    for (const llvm::MCPhysReg implicit : kind.implicit_defs())
      if (const int which = decoder().number[implicit]; which >= 0)
        defined |= static_cast<uint16_t>(1U << which);
    if ((defined >> kStack & 1) != 0)
      std::erase_if(state.slots, [](const auto &slot) { return slot.first == kStack; });
    if ((defined >> kFrame & 1) != 0)
      std::erase_if(state.slots, [](const auto &slot) { return slot.first == kFrame; });
    state.registers = static_cast<uint16_t>(result_goes_on ? state.registers | defined
                                                           : state.registers & ~defined);
    state.registers &= static_cast<uint16_t>(~(1U << kStack));
    go_on(std::move(state));
    return true;
  }

  std::string_view before_;
  std::string_view code_;
  bool returned_ = false;
  std::vector<State> waiting_;
  std::set<State> seen_;
};

} // namespace

bool hands_out(std::string_view before, std::string_view code) {
  return Follower(before, code).hands_out();
}

} // namespace culprit::monitor
