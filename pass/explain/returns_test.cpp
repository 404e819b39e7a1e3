// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Returns by longjmp, on random graphs with setjmps in some of their blocks: the counters are
// followed as the code that is inserted follows them.
#include "pass/explain/cycles.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

namespace culprit {
namespace {

using Random = std::mt19937;
size_t below(Random &random, size_t bound) {
  return std::uniform_int_distribution<size_t>(0, bound - 1)(random);
}

struct Block {
  std::vector<size_t> next; // none: returns
  bool sets = false;        // a setjmp is in its midst
};
using Graph = std::vector<Block>;

// A statement before or behind the setjmp of a block, with the counters around it.
struct Moment {
  size_t block;
  bool behind;
  std::vector<uint64_t> counters;
  auto operator<=>(const Moment &) const = default;
};

class Function {
public:
  explicit Function(const Graph &graph) : graph_(graph), module_("", context_) {
    auto *number = llvm::Type::getInt32Ty(context_);
    auto *function = llvm::Function::Create(
        llvm::FunctionType::get(llvm::Type::getVoidTy(context_), {number}, false),
        llvm::GlobalValue::ExternalLinkage, "f", module_);
    auto *set = llvm::Function::Create(llvm::FunctionType::get(number, false),
                                       llvm::GlobalValue::ExternalLinkage, "setjmp", module_);
    set->addFnAttr(llvm::Attribute::ReturnsTwice);
    for (size_t i = 0; i < graph.size(); ++i)
      blocks_.push_back(llvm::BasicBlock::Create(context_, "", function));
    for (size_t i = 0; i < graph.size(); ++i) {
      llvm::IRBuilder<> builder(blocks_[i]);
      if (graph[i].sets)
        builder.CreateCall(set)->addFnAttr(llvm::Attribute::ReturnsTwice);
      if (graph[i].next.empty()) {
        builder.CreateRetVoid();
        continue;
      }
      auto *end = builder.CreateSwitch(function->getArg(0), blocks_[graph[i].next[0]]);
      for (size_t way = 1; way < graph[i].next.size(); ++way)
        end->addCase(builder.getInt32(static_cast<uint32_t>(way)), blocks_[graph[i].next[way]]);
    }
    cycles_.emplace(*function);
    counters_.resize(cycles_->counters());
  }

  void enter(size_t block) {
    at_ = block;
    for (const Cycles::Step &step : cycles_->increments())
      counters_[step.counter] += step.block == blocks_[at_] ? 1 : 0;
    for (const Cycles::Step &step : cycles_->clearings())
      if (step.block == blocks_[at_])
        counters_[step.counter] = 0;
    tell(false);
    if (graph_[at_].sets) {
      set_.insert(at_);
      come_back(false);
    }
  }

  void jump(size_t block) {
    at_ = block;
    come_back(true);
  }

  void leave() {
    for (const Cycles::Step &step : cycles_->resets())
      if (step.block == blocks_[at_])
        counters_[step.counter] = 0;
  }

  size_t at() const { return at_; }
  const std::vector<size_t> &next() const { return graph_[at_].next; }
  const std::set<size_t> &set() const { return set_; }
  const std::vector<Moment> &moments() const { return moments_; }

private:
  void tell(bool behind) {
    Moment moment{at_, behind, {}};
    for (const unsigned counter : cycles_->around(*blocks_[at_]))
      moment.counters.push_back(counters_[counter]);
    moments_.push_back(std::move(moment));
  }

  // As count_return() makes it.
  void come_back(bool jumped) {
    const Cycles::Return numbers = cycles_->returns_to(*blocks_[at_]);
    bool from_outside = jumped;
    if (numbers.cycle) {
      counters_[numbers.cycle->returns] += jumped ? 1 : 0;
      from_outside = jumped && counters_[numbers.cycle->mark] == 0;
      counters_[numbers.cycle->mark] = 1;
    }
    counters_[0] += from_outside ? 1 : 0;
    for (const unsigned mark : numbers.outside)
      if (jumped)
        counters_[mark] = 0;
    tell(true);
  }

  Graph graph_;
  llvm::LLVMContext context_;
  llvm::Module module_;
  std::vector<llvm::BasicBlock *> blocks_;
  std::optional<Cycles> cycles_;
  std::vector<uint64_t> counters_;
  size_t at_ = 0;
  std::set<size_t> set_; // blocks whose setjmp was called
  std::vector<Moment> moments_;
};

Graph random_graph(Random &random) {
  Graph graph(3 + below(random, 10));
  for (size_t i = 0; i + 1 < graph.size(); ++i)
    for (size_t ways = 1 + below(random, 3); ways > 0; --ways)
      graph[i].next.push_back(1 + below(random, graph.size() - 1));
  for (size_t count = 1 + below(random, 3); count > 0; --count)
    graph[below(random, graph.size())].sets = true;
  return graph;
}

TEST(Returns, NoStatementIsExecutedTwiceWithTheSameCounters) {
  size_t jumps = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    Function function(random_graph(random));
    function.enter(0);
    for (size_t steps = 0; steps < 400; ++steps) {
      if (!function.set().empty() && below(random, 8) == 0) {
        auto to = function.set().begin();
        std::advance(to, below(random, function.set().size()));
        function.jump(*to);
        ++jumps;
        continue;
      }
      if (function.next().empty())
        break;
      function.leave();
      function.enter(function.next()[below(random, function.next().size())]);
    }
    std::set<Moment> seen;
    for (const Moment &moment : function.moments())
      ASSERT_TRUE(seen.insert(moment).second) << "seed " << seed << ", block " << moment.block;
  }
  EXPECT_GT(jumps, 5'000U); // otherwise nothing was tested
}

// for (…) { if (setjmp(…)) continue; work(); } behind(); — 1 is the header, 2 has the setjmp.
Graph loop() { return {{{1}}, {{2, 4}}, {{1, 3}, true}, {{1}}, {{}}}; }

void walk(Function &function, std::initializer_list<size_t> blocks) {
  for (const size_t block : blocks) {
    function.leave();
    function.enter(block);
  }
}

TEST(Returns, FromTheNextRoundOnAJumpInsideTheLoopMakesNoDifference) {
  Function straight(loop());
  straight.enter(0);
  walk(straight, {1, 2, 3, 1, 2, 3, 1, 4});
  Function jumping(loop());
  jumping.enter(0);
  walk(jumping, {1, 2, 3});
  jumping.jump(2);
  walk(jumping, {1, 2, 3, 1, 4});
  const auto last = [](const Function &function, size_t count) {
    const std::vector<Moment> &all = function.moments();
    return std::vector<Moment>(all.end() - static_cast<ptrdiff_t>(count), all.end());
  };
  EXPECT_EQ(last(straight, 6), last(jumping, 6)); // 2 is two moments
}

TEST(Returns, AJumpIntoALoopThatWasLeftMakesEverythingBehindItDiffer) {
  Function function(loop());
  function.enter(0);
  walk(function, {1, 2, 3, 1, 4});
  const Moment first = function.moments().back();
  function.jump(2);
  walk(function, {1, 4});
  EXPECT_EQ(function.moments().back().block, first.block);
  EXPECT_NE(function.moments().back(), first);
}

} // namespace
} // namespace culprit
