// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/native/quantities.h"

#include <algorithm>
#include <numeric>

namespace culprit::native {

namespace {

constexpr Register kArguments[] = {kRdi, kRsi, kRdx, kRcx};
constexpr int64_t kLargest = int64_t{1} << 40; // of times and plus: no size has more

class Computation {
public:
  Computation() { forget(); }

  void forget() {
    for (Quantity &quantity : registers_)
      quantity = anything();
  }

  Arguments arguments() const {
    Arguments found;
    for (size_t i = 0; i < found.size(); ++i)
      found[i] = registers_[kArguments[i]];
    return found;
  }

  void execute(const Instruction &instruction) {
    const Quantity result = computed(instruction);
    for (uint8_t i = 0; i < kRegisters; ++i)
      if ((instruction.changed >> i & 1) != 0)
        registers_[i] = anything();
    if (instruction.action == Action::call) {
      for (uint8_t i = 0; i < kRegisters; ++i)
        if ((kKeptByCalls >> i & 1) == 0)
          registers_[i] = anything();
    } else if (instruction.to < kRegisters) {
      registers_[instruction.to] = result;
    }
  }

private:
  Quantity anything() { return {++unknowns_, 1, 0}; }

  Quantity sound(Quantity quantity) {
    if (quantity.times == 0)
      quantity.unknown = 0;
    const auto is_small = [](int64_t number) { return number > -kLargest && number < kLargest; };
    return is_small(quantity.times) && is_small(quantity.plus) ? quantity : anything();
  }

  Quantity of(Register number) { return number < kRegisters ? registers_[number] : anything(); }

  Quantity multiple(Quantity quantity, int64_t by) {
    if (by <= -kLargest || by >= kLargest ||
        std::abs(quantity.times) > kLargest / (std::abs(by) + 1) ||
        std::abs(quantity.plus) > kLargest / (std::abs(by) + 1))
      return anything();
    return sound({quantity.unknown, quantity.times * by, quantity.plus * by});
  }

  Quantity sum(Quantity one, Quantity other) {
    if (one.is_constant() || other.is_constant() || one.unknown == other.unknown)
      return sound(
          {std::max(one.unknown, other.unknown), one.times + other.times, one.plus + other.plus});
    return sound({++unknowns_, std::gcd(one.times, other.times), one.plus + other.plus});
  }

  Quantity computed(const Instruction &instruction) {
    const Quantity with =
        instruction.from == kNoRegister ? sound({0, 0, instruction.number}) : of(instruction.from);
    switch (instruction.action) {
    case Action::copy:
    case Action::constant:
      return with;
    case Action::add:
      return sum(of(instruction.to), with);
    case Action::subtract:
      return sum(of(instruction.to), multiple(with, -1));
    case Action::shift:
      return instruction.number >= 0 && instruction.number < 32
                 ? multiple(of(instruction.to), int64_t{1} << instruction.number)
                 : anything();
    case Action::multiply:
      return multiple(instruction.from == kNoRegister ? anything() : of(instruction.from),
                      instruction.number);
    case Action::address: {
      Quantity total{0, 0, instruction.memory.distance};
      if (instruction.memory.base != kNoRegister)
        total = sum(total, of(instruction.memory.base));
      if (instruction.memory.index != kNoRegister)
        total = sum(total, multiple(of(instruction.memory.index), instruction.memory.scale));
      return total;
    }
    default:
      return anything();
    }
  }

  std::array<Quantity, kRegisters> registers_;
  uint32_t unknowns_ = 0;
};

} // namespace

uint64_t Quantity::divisor() const { return static_cast<uint64_t>(std::gcd(times, plus)); }

Fit fit_of(const Arguments &arguments, uint64_t size) {
  Fit best = Fit::none;
  for (const Quantity &number : arguments) {
    const uint64_t divisor = number.divisor();
    if (number.is_constant() && number.plus == static_cast<int64_t>(size))
      best = std::max(best, Fit::exact);
    else if (divisor != 0 && divisor % size == 0)
      best = std::max(best, Fit::repeats);
    else if (number.plus >= static_cast<int64_t>(size))
      best = std::max(best, Fit::begins);
  }
  return best;
}

std::map<uint64_t, Arguments> arguments_of_calls(std::span<const Instruction> code) {
  const std::set<uint64_t> targets = targets_of(code);
  std::map<uint64_t, Arguments> found;
  Computation computation;
  for (const Instruction &instruction : code) {
    if (targets.contains(instruction.address))
      computation.forget();
    if (instruction.action == Action::call || instruction.action == Action::jump)
      found[instruction.next] = computation.arguments();
    computation.execute(instruction);
    if (instruction.action == Action::jump || instruction.action == Action::give_back)
      computation.forget(); // reached by a table of jumps, if at all
  }
  return found;
}

} // namespace culprit::native
