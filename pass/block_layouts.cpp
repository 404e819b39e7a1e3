// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/block_layouts.h"

#include "pass/allocation_reach.h"
#include "pass/call_graph.h"
#include "pass/debug_types.h"
#include "pass/hooks.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

#include <numeric>

namespace culprit {

namespace {

constexpr unsigned kMaxSteps = 6;

// A number that divides the value, whatever it is at run time; 0 divides only 0.
uint64_t divisor_of(const llvm::Value *value, unsigned steps = kMaxSteps) {
  if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value)) {
    // -1 is what `new` asks for when the size overflows.
    return constant->getBitWidth() > 64 || constant->isMinusOne() ? 0 : constant->getZExtValue();
  }
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr || steps == 0)
    return 1;
  auto operand = [&](unsigned number) {
    return divisor_of(instruction->getOperand(number), steps - 1);
  };
  switch (instruction->getOpcode()) {
  case llvm::Instruction::Mul:
    return operand(0) * operand(1);
  case llvm::Instruction::Shl:
    if (const auto *bits = llvm::dyn_cast<llvm::ConstantInt>(instruction->getOperand(1)))
      return bits->getZExtValue() < 32 ? operand(0) << bits->getZExtValue() : 1;
    return operand(0);
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
    return std::gcd(operand(0), operand(1));
  case llvm::Instruction::ZExt:
  case llvm::Instruction::SExt:
  case llvm::Instruction::Freeze:
    return operand(0);
  case llvm::Instruction::Select:
    return std::gcd(operand(1), operand(2));
  case llvm::Instruction::PHI: {
    uint64_t common = 0;
    for (unsigned i = 0; i < instruction->getNumOperands(); ++i)
      common = std::gcd(common, operand(i));
    return common;
  }
  case llvm::Instruction::ExtractValue: {
    const auto *product = llvm::dyn_cast<llvm::IntrinsicInst>(instruction->getOperand(0));
    if (product == nullptr ||
        (product->getIntrinsicID() != llvm::Intrinsic::umul_with_overflow &&
         product->getIntrinsicID() != llvm::Intrinsic::smul_with_overflow) ||
        llvm::cast<llvm::ExtractValueInst>(instruction)->getIndices()[0] != 0)
      return 1;
    return divisor_of(product->getArgOperand(0), steps - 1) *
           divisor_of(product->getArgOperand(1), steps - 1);
  }
  default:
    return 1;
  }
}

// The constant part of a sum; a constant itself is one.
int64_t constant_part(const llvm::Value *value) {
  using namespace llvm::PatternMatch;
  const llvm::APInt *constant = nullptr;
  if (match(value, m_APInt(constant)) || match(value, m_AddLike(m_Value(), m_APInt(constant))))
    return constant->getSExtValue();
  return 0;
}

// The arguments that may tell how many bytes are wanted. Of a wrapper, any number may.
std::vector<const llvm::Value *> sizes(const llvm::CallBase &call) {
  std::vector<const llvm::Value *> found;
  for (const llvm::Use &argument : call.args())
    if (argument->getType()->isIntegerTy() && argument->getType()->getIntegerBitWidth() <= 64)
      found.push_back(argument.get());
  // A wrapper that is always asked for the same size needs no argument any more.
  if (const llvm::Function *wrapper = called_here(call))
    for (const llvm::BasicBlock &block : *wrapper)
      for (const llvm::Instruction &instruction : block)
        if (const auto *inner = llvm::dyn_cast<llvm::CallBase>(&instruction);
            inner != nullptr && is_allocation(*inner))
          for (const llvm::Use &argument : inner->args())
            if (llvm::isa<llvm::ConstantInt>(argument))
              found.push_back(argument.get());
  return found;
}

bool is_array_new(const llvm::CallBase &call) {
  const llvm::Function *library = called_library_function(call);
  return library != nullptr && library->getName().starts_with("_Zna");
}

} // namespace

BlockLayouts::BlockLayouts(Layouts &layouts, const RecordTypes &types, const Wrappers &wrappers)
    : layouts_(layouts), types_(types), wrappers_(wrappers) {}

void BlockLayouts::add(const ContextCall &call, SiteTable &sites) {
  bool is_handed_out = true;
  for (size_t i = 0; i < call.levels.size() && is_handed_out; ++i) {
    const ContextLevel &level = call.levels[i];
    const Site &site = sites[level.site];
    is_handed_out = site.kind == SiteKind::alloc || wrappers_.is_wrapper(site.callee);
    const llvm::DIType *type = types_.of(site);
    if (!is_handed_out || type == nullptr)
      continue;
    const Found found = judge(*call.call, level.site, type);
    const auto [known, is_new] = found_.try_emplace(level.site.index, found);
    if (is_new || known->second.layout == found.layout)
      continue;
    if (known->second.layout == 0 || found.layout == 0)
      known->second.layout = 0;
    else if (found.has_more_behind)
      known->second = found;
  }
}

BlockLayouts::Found BlockLayouts::judge(const llvm::CallBase &call, SiteTable::Handle site,
                                        const llvm::DIType *type) {
  const Found nothing{site, 0, false};
  const uint64_t size = bytes_of(type);
  if (size == 0)
    return nothing;
  const uint32_t layout = layouts_.of(type);
  if (layout != 0 && layouts_.all()[layout - 1].rest != 0)
    return {site, layout, true};
  const std::vector<const llvm::Value *> numbers = sizes(call);
  for (const llvm::Value *number : numbers)
    if (const uint64_t divisor = divisor_of(number); divisor != 0 && divisor % size == 0)
      return {site, layout, false};
  if (is_array_new(call))
    return nothing;
  for (const llvm::Value *number : numbers)
    if (constant_part(number) >= static_cast<int64_t>(size))
      return {site, layouts_.with_more_behind(type), true};
  return nothing;
}

std::vector<uint32_t> BlockLayouts::by_number(const SiteTable &sites) const {
  std::vector<uint32_t> layouts;
  for (const auto &[index, found] : found_) {
    const unsigned number = sites.number(found.site);
    if (found.layout == 0)
      continue;
    if (layouts.size() <= number)
      layouts.resize(number + 1);
    layouts[number] = found.layout;
  }
  return layouts;
}

std::vector<uint32_t> BlockLayouts::all() const {
  std::vector<uint32_t> layouts;
  for (const auto &[index, found] : found_)
    layouts.push_back(found.layout);
  return layouts;
}

} // namespace culprit
