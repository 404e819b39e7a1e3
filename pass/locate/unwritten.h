// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From where in a function to where no id in memory can have changed, whatever way was taken: what
// was read at the first point can as well be read at the second.
//
// Ids are changed by stores that are not to variables known by name, and by calls; accesses that
// tell by themselves (telling_accesses.h) write the program's memory alone.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

#include <optional>
#include <vector>

namespace culprit {

class Unwritten {
public:
  // In a block; instructions are counted from 0.
  struct Point {
    llvm::BasicBlock *block = nullptr;
    int index = 0; // what stands before this one has been executed
  };

  explicit Unwritten(llvm::Function &function);

  Point before(const llvm::Instruction &instruction) const;
  Point after(const llvm::Instruction &instruction) const;
  llvm::Instruction *at(const Point &point) const;
  // Both in one block, in this order.
  bool is_clean(const llvm::Instruction &first, const llvm::Instruction &last) const;
  // Before its terminator an id on the stack is changed, which only some values care for.
  void add_write_to_stack(const llvm::BasicBlock &block);

  // Of one value that is made at a point, each time that is passed.
  class Since {
  public:
    // The point is dominated by the first.
    bool is_clean(const Point &to) const;
    // The last clean point in a block that the first dominates, up to `limit`.
    std::optional<Point> last_clean(const Point &limit) const;
    // The first writes on all ways from there to one of these points.
    llvm::SmallVector<Point, 4> first_writes(llvm::ArrayRef<Point> to) const;

  private:
    friend class Unwritten;
    enum State : uint8_t { unreached, clean, written };
    bool is_behind_start(const Point &point) const {
      return point.block == from_.block && point.index >= from_.index;
    }
    std::optional<int> first_write(unsigned block, int from) const;
    const Unwritten *all_ = nullptr;
    Point from_;
    unsigned start_ = 0;
    bool is_on_stack_ = false;
    std::vector<State> entered_;
  };
  Since since(const Point &from, bool is_on_stack) const;

private:
  struct Block {
    llvm::BasicBlock *block;
    std::vector<llvm::Instruction *> instructions;
    std::vector<int> writes;   // sorted
    bool writes_stack = false; // right before its terminator
    llvm::SmallVector<unsigned, 2> next;
    llvm::SmallVector<unsigned, 2> previous;
  };
  unsigned number_of(const llvm::BasicBlock *block) const {
    return block_numbers_.find(block)->second;
  }
  const Block &block(const llvm::BasicBlock *block) const { return blocks_[number_of(block)]; }

  llvm::DenseMap<const llvm::Instruction *, int> numbers_;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> block_numbers_;
  std::vector<Block> blocks_;
};

} // namespace culprit
