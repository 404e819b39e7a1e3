// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/native/results.h"

#include "engine/native/quantities.h"
#include "engine/native/types.h"

#include <algorithm>
#include <set>

namespace culprit::native {

namespace dw = llvm::dwarf;

namespace {

constexpr int kMostSteps = 64; // instructions of one way
constexpr int kMostWays = 16;  // of one call
constexpr Register kArguments[] = {kRdi, kRsi, kRdx, kRcx};

bool is_in_one_register(llvm::DWARFDie type) {
  type = without_names(type);
  if (!type.isValid() || as_record(type) || bytes_of(type) > 8)
    return false;
  return type.getTag() != dw::DW_TAG_base_type ||
         number_of(type, dw::DW_AT_encoding) != dw::DW_ATE_float;
}

// Who has spoken.
struct Witness {
  Fit fit = Fit::none;
  llvm::DWARFDie record; // invalid: no struct
  uint32_t layout = 0;
};

struct Spoken {
  std::vector<Witness> witnesses;
  bool handed_out = false;
};

// What is known of the program, whichever call it is.
struct Surroundings {
  std::map<uint64_t, llvm::DWARFDie> functions; // by entry
  // What functions give to those that they end with a jump to, by entry: their own caller is the
  // one who sees the result.
  std::map<uint64_t, std::vector<Arguments>> handed_on;
  const Globals &globals;
  Layouts &layouts;
};

class Walk {
public:
  // `given`: to the call, and where the function that is called ends with jumps, to these.
  Walk(const Surroundings &around, const FunctionCode &function,
       const std::vector<Instruction> &code, const std::vector<Arguments> &given)
      : around_(around), function_(function), movement_(around.globals, function), code_(code),
        given_(given) {}

  // `state`: what was known when the call returned.
  Spoken from(State state, uint64_t address) {
    state.registers[kRax] = {true, {}};
    follow(std::move(state), address);
    return std::move(spoken_);
  }

private:
  const Instruction *at(uint64_t address) const {
    const auto found = std::ranges::lower_bound(code_, address, {}, &Instruction::address);
    return found != code_.end() && found->address == address ? &*found : nullptr;
  }

  // True: nobody else needs to be asked.
  bool hear(llvm::DWARFDie type) {
    if (!is_pointer(type))
      return false;
    const llvm::DWARFDie pointee = without_names(type_of(without_names(type)));
    if (!pointee.isValid())
      return false; // void
    const llvm::DWARFDie record = as_record(pointee);
    if (!record) {
      spoken_.witnesses.push_back({});
      return true;
    }
    const uint64_t size = bytes_of(record);
    if (size == 0 || record.find(dw::DW_AT_declaration))
      return false;
    Witness witness{Fit::none, record, around_.layouts.of(record)};
    for (const Arguments &arguments : given_)
      witness.fit = std::max(witness.fit, fit_of(arguments, size));
    const bool is_flexible =
        witness.layout != 0 && around_.layouts.all()[witness.layout - 1].rest != 0;
    if (witness.fit == Fit::none && !is_flexible)
      return false;
    if (is_flexible)
      witness.fit = std::max(witness.fit, Fit::begins);
    else if (witness.fit == Fit::begins)
      witness.layout = around_.layouts.with_more_behind(record);
    spoken_.witnesses.push_back(witness);
    // Of a constant size another may be the one that is exactly as large.
    return witness.fit == Fit::exact ||
           std::ranges::none_of(given_, [](const Arguments &arguments) {
             return std::ranges::any_of(arguments, &Quantity::is_constant);
           });
  }

  bool hear_variables(const State &state, uint64_t address) {
    bool is_over = false;
    const auto found = [&](llvm::DWARFDie type) { is_over |= hear(type); };
    for (uint8_t i = 0; i < kRegisters; ++i)
      if (state.registers[i].is_result)
        movement_.each_holder(address, /*in_register=*/true, i, found);
    for (const auto &[place, value] : state.frame)
      if (value.is_result)
        movement_.each_holder(address, /*in_register=*/false, place, found);
    return is_over;
  }

  // The parameters of a function that it is given to.
  bool hear_callee(const State &state, uint64_t target) {
    const auto callee = around_.functions.find(target);
    if (callee == around_.functions.end() ||
        as_record(type_of(callee->second))) // the first argument may be where that is to go
      return false;
    size_t number = 0;
    for (const llvm::DWARFDie child : callee->second.children()) {
      if (child.getTag() != dw::DW_TAG_formal_parameter)
        continue;
      // Others than numbers and pointers do not come in one of these registers each.
      if (number == std::size(kArguments) || !is_in_one_register(type_of(child)))
        return false;
      if (state.registers[kArguments[number++]].is_result)
        return hear(type_of(child));
    }
    return false;
  }

  void hear_function() {
    const llvm::DWARFDie type = without_names(type_of(function_.die));
    // Also if it is no void pointer: how much is allocated is the caller's to know.
    if (is_pointer(type) && !hear(type))
      spoken_.handed_out = true;
  }

  bool is_result(const State &state, const Instruction &instruction) const {
    if (instruction.from < kRegisters)
      return state.registers[instruction.from].is_result;
    const auto place = movement_.frame_place(instruction.memory);
    const auto known = place ? state.frame.find(*place) : state.frame.end();
    return known != state.frame.end() && known->second.is_result;
  }

  // One way, to where it ends; those that part from it are walked first.
  void follow(State state, uint64_t address) {
    if (++ways_ > kMostWays)
      return;
    bool compares_result = false; // the last comparison was of the result with null
    for (int step = 0; step < kMostSteps; ++step) {
      const Instruction *here = at(address);
      if (here == nullptr || hear_variables(state, address))
        return;
      address = here->next;
      switch (here->action) {
      case Action::store:
        if (here->from < kRegisters && state.registers[here->from].is_result &&
            hear(movement_.type_at(state, *here)))
          return;
        break;
      case Action::is_null:
        compares_result = is_result(state, *here);
        break;
      case Action::branch:
        if (compares_result && here->if_unequal)
          address = here->target;
        else if (!compares_result || !here->if_equal)
          follow(state, here->target);
        break;
      case Action::jump:
        if (hear_callee(state, here->target))
          return;
        address = here->target;
        break;
      case Action::call:
        if (hear_callee(state, here->target))
          return;
        compares_result = false;
        break;
      case Action::give_back:
        if (state.registers[kRax].is_result)
          hear_function();
        return;
      case Action::copy:
      case Action::load:
      case Action::address:
        break;
      default:
        compares_result = false;
        break;
      }
      movement_.execute(state, *here);
    }
  }

  const Surroundings &around_;
  const FunctionCode &function_;
  Movement movement_;
  const std::vector<Instruction> &code_;
  const std::vector<Arguments> &given_;
  Spoken spoken_;
  int ways_ = 0;
};

CallResult judge(uint64_t address, const Spoken &spoken) {
  CallResult result;
  result.address = address;
  const Witness *best = nullptr;
  bool agree = true;
  for (const Witness &witness : spoken.witnesses) {
    if (best != nullptr && (best->fit == Fit::exact) > (witness.fit == Fit::exact))
      continue;
    if (best != nullptr && (best->fit == Fit::exact) == (witness.fit == Fit::exact)) {
      agree = agree && best->layout == witness.layout;
      continue;
    }
    best = &witness;
    agree = true;
  }
  if (best == nullptr) {
    result.handed_out = spoken.handed_out;
  } else if (agree && best->layout != 0) {
    result.layout = best->layout;
    result.type = name_of(best->record);
  }
  return result;
}

// The bytes of the code at an address; empty: none.
std::string_view bytes_at(const llvm::object::ObjectFile &file, const Code &code) {
  for (const llvm::object::SectionRef &section : file.sections()) {
    if (!section.isText() || section.isVirtual() || code.low < section.getAddress() ||
        code.high > section.getAddress() + section.getSize())
      continue;
    if (auto contents = section.getContents())
      return std::string_view(*contents).substr(code.low - section.getAddress(),
                                                code.high - code.low);
    else
      llvm::consumeError(contents.takeError());
  }
  return {};
}

std::vector<Arguments> handed_on(const FunctionCode &function,
                                 const std::vector<Instruction> &code) {
  std::vector<Arguments> given;
  const std::map<uint64_t, Arguments> arguments = arguments_of_calls(code);
  for (const Instruction &instruction : code) {
    const auto is_inside = [&](const Code &part) {
      return instruction.target >= part.low && instruction.target < part.high;
    };
    if (instruction.action == Action::jump && std::ranges::none_of(function.code, is_inside))
      given.push_back(arguments.at(instruction.next));
  }
  return given;
}

// May the call's result be a block? Not if the function that is called returns something else.
bool may_hand_out(const Surroundings &around, uint64_t target) {
  const auto callee = around.functions.find(target);
  return callee == around.functions.end() || is_pointer(type_of(callee->second));
}

} // namespace

std::vector<CallResult> call_results(const llvm::object::ObjectFile &file,
                                     const std::vector<FunctionCode> &functions,
                                     const Globals &globals, Layouts &layouts) {
  if (file.getArch() != llvm::Triple::x86_64)
    return {};
  const Decoder decoder;
  Surroundings around{{}, {}, globals, layouts};
  for (const FunctionCode &function : functions)
    around.functions.emplace(function.code.front().low, function.die);
  std::map<uint64_t, CallResult> found;
  const auto decoded = [&](const FunctionCode &function) {
    std::vector<Instruction> code;
    for (const Code &part : function.code)
      std::ranges::copy(decoder.decode(bytes_at(file, part), part.low), std::back_inserter(code));
    std::ranges::sort(code, {}, &Instruction::address);
    return code;
  };
  // Twice, since a large program's code takes more memory decoded than time to decode.
  for (const FunctionCode &function : functions)
    if (is_pointer(type_of(function.die)))
      if (auto given = handed_on(function, decoded(function)); !given.empty())
        around.handed_on.emplace(function.code.front().low, std::move(given));
  for (const FunctionCode &function : functions) {
    const std::vector<Instruction> code = decoded(function);
    const std::map<uint64_t, Arguments> arguments = arguments_of_calls(code);
    const std::set<uint64_t> meetings = targets_of(code);
    const Movement movement(globals, function);
    State state;
    for (const Instruction &instruction : code) {
      if (meetings.contains(instruction.address))
        state = {};
      movement.execute(state, instruction);
      if (instruction.action == Action::jump || instruction.action == Action::give_back)
        state = {};
      if (instruction.action != Action::call || !may_hand_out(around, instruction.target))
        continue;
      std::vector<Arguments> given{arguments.at(instruction.next)};
      if (const auto more = around.handed_on.find(instruction.target);
          more != around.handed_on.end())
        given.insert(given.end(), more->second.begin(), more->second.end());
      Walk walk(around, function, code, given);
      CallResult result = judge(instruction.next, walk.from(state, instruction.next));
      if (result.layout != 0 || result.handed_out)
        found.emplace(result.address, std::move(result));
    }
  }
  std::vector<CallResult> results;
  results.reserve(found.size());
  for (auto &[address, result] : found)
    results.push_back(std::move(result));
  return results;
}

} // namespace culprit::native
