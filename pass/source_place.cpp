// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/source_place.h"

#include "abi/frame.h"
#include "pass/debug_types.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"

#include <utility>
#include <vector>

namespace culprit {

namespace {

bool is_place_in(const llvm::DILocation *location, const llvm::DISubprogram *subprogram) {
  return location != nullptr && location->getLine() != 0 &&
         location->getScope()->getSubprogram() == subprogram;
}

// The last place of this source function in the block, before `end`, that touches memory: a branch
// often stands for a closing brace.
const llvm::DILocation *last_place_in(const llvm::BasicBlock &block,
                                      llvm::BasicBlock::const_iterator end,
                                      const llvm::DISubprogram *subprogram) {
  while (end != block.begin()) {
    const llvm::DILocation *location = (--end)->getDebugLoc().get();
    if (end->mayReadOrWriteMemory() && is_place_in(location, subprogram))
      return location;
  }
  return nullptr;
}

} // namespace

std::string file_of(const llvm::DILocation &location) {
  return path_of(location.getDirectory(), location.getFilename());
}

// Where the optimiser merged two instructions their common location has no line; the nearest
// instruction before it, of the same source function, that has one stands for it.
const llvm::DILocation *location_of(const llvm::Instruction &instruction) {
  constexpr size_t kBlocks = 16; // further away is another statement
  const llvm::DILocation *location = instruction.getDebugLoc().get();
  if (location != nullptr && location->getLine() != 0)
    return location;
  const llvm::DISubprogram *subprogram = location != nullptr
                                             ? location->getScope()->getSubprogram()
                                             : instruction.getFunction()->getSubprogram();
  if (subprogram == nullptr)
    return location;
  const llvm::BasicBlock *block = instruction.getParent();
  if (const auto *place = last_place_in(*block, instruction.getIterator(), subprogram))
    return place;
  llvm::SmallSetVector<const llvm::BasicBlock *, kBlocks> blocks;
  blocks.insert(llvm::pred_begin(block), llvm::pred_end(block));
  for (size_t i = 0; i < blocks.size() && i < kBlocks; ++i) {
    if (const auto *place = last_place_in(*blocks[i], blocks[i]->end(), subprogram))
      return place;
    blocks.insert(llvm::pred_begin(blocks[i]), llvm::pred_end(blocks[i]));
  }
  return location;
}

void settle_places(llvm::Module &module) {
  // First all, then changed: what was just settled would be found for the next.
  std::vector<std::pair<llvm::Instruction *, const llvm::DILocation *>> found;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      const llvm::DILocation *own = instruction.getDebugLoc().get();
      if (!instruction.mayReadOrWriteMemory() || (own != nullptr && own->getLine() != 0))
        continue;
      const llvm::DILocation *place = location_of(instruction);
      if (place != nullptr && place->getLine() != 0)
        found.emplace_back(&instruction, place);
    }
  for (const auto &[instruction, place] : found) {
    // Another copy of the source function may have the place; whose copy this is stays as it was.
    const llvm::DILocation *own = instruction->getDebugLoc().get();
    instruction->setDebugLoc(llvm::DILocation::get(
        module.getContext(), place->getLine(), place->getColumn(), place->getScope(),
        own != nullptr ? own->getInlinedAt() : place->getInlinedAt()));
  }
}

llvm::StringRef source_name(const llvm::Function &function) {
  if (const llvm::DISubprogram *subprogram = function.getSubprogram())
    return function_around(subprogram);
  return function.getName().split(".llvm.").first;
}

llvm::StringRef function_at(const llvm::DILocation &location) {
  return function_around(location.getScope());
}

SourcePlace place_of(const llvm::DILocation &location) {
  if (location.getLine() == 0)
    return {file_of(location), function_at(location).str(), 0, 0, 0};
  return {file_of(location), function_at(location).str(), location.getLine(),
          location.getLine() - location.getScope()->getSubprogram()->getLine(),
          location.getColumn()};
}

SourcePlace place_of(const llvm::Instruction &instruction) {
  if (const llvm::DILocation *location = location_of(instruction))
    return place_of(*location);
  const llvm::Function *function = instruction.getFunction();
  std::string file = function->getParent()->getSourceFileName();
  if (const llvm::DISubprogram *subprogram = function->getSubprogram())
    file = file_of(*llvm::DILocation::get(function->getContext(), 0, 0,
                                          const_cast<llvm::DISubprogram *>(subprogram)));
  return {std::move(file), source_name(*function).str(), 0, 0, 0};
}

std::string hex(uint64_t number) { return llvm::formatv("{0:x-16}", number).str(); }

uint64_t hash(llvm::StringRef text) {
  return culprit_frame_checksum(CULPRIT_FRAME_CHECKSUM_SEED, text.data(), text.size());
}

} // namespace culprit
