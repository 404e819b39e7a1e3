// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indexes made of counters, as the pass and the runtime make them, against the rules of the paper's
// Figure 8 taken literally: a stack on which every call and every predicate is pushed, and popped
// at the immediate post-dominator, which is found here by its definition.
#include "pass/explain/cycles.h"

#include "abi/explain.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>
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
  std::vector<size_t> next;  // none: returns
  std::vector<size_t> calls; // functions
};
using Graph = std::vector<Block>; // the first is the entry
using Program = std::vector<Graph>;

std::set<size_t> reachable(const Graph &graph, size_t from, size_t without) {
  std::set<size_t> seen;
  std::vector<size_t> open = {from};
  while (!open.empty()) {
    const size_t block = open.back();
    open.pop_back();
    if (block != without && seen.insert(block).second)
      open.insert(open.end(), graph[block].next.begin(), graph[block].next.end());
  }
  return seen;
}

bool reaches_end(const Graph &graph, size_t from, size_t without) {
  for (const size_t block : reachable(graph, from, without))
    if (graph[block].next.empty())
      return true;
  return false;
}

constexpr size_t kNone = ~size_t{0};

// The block behind `from` that every way to an end goes through, and the first such.
size_t post_dominator(const Graph &graph, size_t from) {
  std::vector<size_t> all;
  for (size_t block = 0; block < graph.size(); ++block)
    if (block != from && !reaches_end(graph, from, block))
      all.push_back(block);
  for (const size_t candidate : all) {
    bool is_first = true;
    for (const size_t other : all)
      is_first = is_first && (other == candidate || !reaches_end(graph, candidate, other));
    if (is_first)
      return candidate;
  }
  return kNone;
}

// A program both as the pass sees it and as the paper does.
class Subject {
public:
  explicit Subject(Program program) : program_(std::move(program)), module_("", context_) {
    auto *number = llvm::Type::getInt32Ty(context_);
    for (const Graph &graph : program_) {
      auto *function = llvm::Function::Create(
          llvm::FunctionType::get(llvm::Type::getVoidTy(context_), {number}, false),
          llvm::GlobalValue::ExternalLinkage, "f", module_);
      std::vector<llvm::BasicBlock *> blocks;
      for (size_t i = 0; i < graph.size(); ++i)
        blocks.push_back(llvm::BasicBlock::Create(context_, "", function));
      for (size_t i = 0; i < graph.size(); ++i) {
        llvm::IRBuilder<> builder(blocks[i]);
        if (graph[i].next.empty()) {
          builder.CreateRetVoid();
          continue;
        }
        auto *end = builder.CreateSwitch(function->getArg(0), blocks[graph[i].next[0]]);
        for (size_t way = 1; way < graph[i].next.size(); ++way)
          end->addCase(builder.getInt32(static_cast<uint32_t>(way)), blocks[graph[i].next[way]]);
      }
      std::vector<size_t> ends;
      for (size_t i = 0; i < graph.size(); ++i)
        ends.push_back(post_dominator(graph, i));
      post_dominators_.push_back(std::move(ends));
      cycles_.push_back(std::make_unique<Cycles>(*function));
      blocks_.push_back(std::move(blocks));
    }
  }

  using Stack = std::vector<uint64_t>; // of Figure 8, as numbers
  struct Moment {
    uint64_t index;
    Stack stack;
  };

  // One execution, with ways drawn at random, or its beginning if it gets too long.
  std::vector<Moment> execute(unsigned seed) const {
    Walk walk{*this, Random(seed), {}, {}};
    walk.call(0, culprit_index_fold(CULPRIT_INDEX_ROOT, 0), 0);
    return std::move(walk.moments);
  }

private:
  static constexpr size_t kLongest = 3000;
  static constexpr unsigned kDeepest = 40;

  struct Walk {
    const Subject &subject;
    Random random;
    Stack stack;
    std::vector<Moment> moments;

    // False: that is enough.
    bool call(size_t function, uint64_t from, unsigned depth) {
      const Graph &graph = subject.program_[function];
      const Cycles &cycles = *subject.cycles_[function];
      std::vector<uint64_t> counters(cycles.counters());
      const uint64_t frame = culprit_index_fold(from, 1000 + function);
      const size_t bottom = stack.size();
      for (size_t block = 0;;) {
        // Rule 4.
        while (stack.size() > bottom &&
               subject.post_dominators_[function][stack.back() >> 8] == block)
          stack.pop_back();
        llvm::BasicBlock *here = subject.blocks_[function][block];
        for (const Cycles::Step &step : cycles.increments())
          counters[step.counter] += step.block == here ? 1 : 0;
        uint64_t index = culprit_index_fold(frame, block);
        for (const unsigned counter : cycles.around(*here))
          index = culprit_index_fold(index, counters[counter]);
        stack.push_back(block);
        moments.push_back({index, stack});
        stack.pop_back();
        if (moments.size() >= kLongest || depth > kDeepest)
          return false;
        for (size_t i = 0; i < graph[block].calls.size(); ++i) {
          // Rules 1 and 2; the call site and the block it is in are one number.
          stack.push_back(uint64_t{1} << 40 | i << 20 | block);
          if (!call(graph[block].calls[i], culprit_index_fold(index, i), depth + 1))
            return false;
          stack.pop_back();
        }
        for (const Cycles::Step &step : cycles.resets())
          if (step.block == here)
            counters[step.counter] = 0;
        const std::vector<size_t> &next = graph[block].next;
        if (next.empty())
          break;
        const size_t way = below(random, next.size());
        // Rule 3.
        if (next.size() > 1)
          stack.push_back(block << 8 | way);
        block = next[way];
      }
      stack.resize(bottom);
      return true;
    }
  };

  Program program_;
  llvm::LLVMContext context_;
  llvm::Module module_;
  std::vector<std::unique_ptr<Cycles>> cycles_;
  std::vector<std::vector<llvm::BasicBlock *>> blocks_;
  std::vector<std::vector<size_t>> post_dominators_;
};

// Any graph from whose blocks the end can be reached: loops with several entries, jumps into the
// midst of loops.
Graph random_graph(Random &random, size_t functions) {
  Graph graph(2 + below(random, 12));
  for (size_t i = 0; i + 1 < graph.size(); ++i) {
    for (size_t ways = 1 + below(random, 3); ways > 0; --ways)
      graph[i].next.push_back(1 + below(random, graph.size() - 1));
    if (below(random, 6) == 0)
      graph[i].calls.push_back(below(random, functions));
  }
  for (size_t i = 0; i + 1 < graph.size(); ++i)
    if (!reaches_end(graph, i, kNone))
      graph[i].next.push_back(graph.size() - 1);
  return graph;
}

TEST(Cycles, EveryExecutionOfABlockHasAnIndexOfItsOwn) {
  size_t longest = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    Program program;
    for (size_t i = 0; i < 3; ++i)
      program.push_back(random_graph(random, 3));
    const Subject subject(std::move(program));
    const auto moments = subject.execute(seed);
    std::set<uint64_t> seen;
    for (const Subject::Moment &moment : moments)
      ASSERT_TRUE(seen.insert(moment.index).second) << "seed " << seed;
    longest = std::max(longest, moments.size());
  }
  EXPECT_GT(longest, 1000U); // otherwise nothing was tested
}

// Statements as people write them: if, else, loops with the test before or behind, break and
// continue, calls (also of oneself). What is free also has conditions of two parts, and jumps out
// of several statements at once: places that depend on more than one predicate.
enum class Style { strict, free };

class Writer {
public:
  Writer(Random &random, size_t functions, Style style)
      : random_(random), functions_(functions), free_(style == Style::free) {}

  Graph write() {
    graph_.assign(1, {});
    returns_.clear();
    const size_t last = statements(0, 3, nullptr);
    graph_.push_back({});
    const size_t end = graph_.size() - 1;
    if (last != kNone)
      graph_[last].next = {end};
    for (const size_t block : returns_)
      graph_[block].next = {end};
    return graph_;
  }

private:
  struct Loop {
    std::vector<size_t> breaks;
    std::vector<size_t> continues;
  };

  size_t block() {
    graph_.push_back({});
    return graph_.size() - 1;
  }
  size_t after(size_t before) {
    const size_t made = block();
    graph_[before].next.push_back(made);
    return made;
  }
  void join(const std::vector<size_t> &ends, size_t to) {
    for (const size_t end : ends)
      if (end != kNone)
        graph_[end].next.push_back(to);
  }

  // Where control is behind them; kNone: it is not.
  size_t statements(size_t at, unsigned depth, Loop *loop) {
    for (size_t count = 1 + below(random_, 3); count > 0 && at != kNone; --count)
      at = statement(at, depth, loop);
    return at;
  }

  size_t branch(size_t at, unsigned depth, Loop *loop) {
    const size_t test = after(at);
    const size_t yes = block();
    if (!free_)
      loop = nullptr;
    if (free_ && below(random_, 2) == 0) { // a || b
      const size_t second = block();
      graph_[test].next = {yes, second};
      graph_[second].next = {yes};
      const size_t no = after(second);
      const size_t end = statements(yes, depth - 1, loop);
      const size_t behind = block();
      join({end, no}, behind);
      return behind;
    }
    graph_[test].next = {yes};
    const size_t no = after(test);
    const size_t end = statements(yes, depth - 1, loop);
    const size_t other = below(random_, 2) == 0 ? statements(no, depth - 1, loop) : no;
    if (end == kNone && other == kNone)
      return kNone;
    const size_t behind = block();
    join({end, other}, behind);
    return behind;
  }

  size_t repeat(size_t at, unsigned depth, bool test_first) {
    Loop loop;
    const size_t first = after(at);
    size_t test = first;
    size_t body = first;
    if (test_first)
      body = after(test);
    const size_t end = statements(body, depth - 1, &loop);
    if (!test_first)
      test = block();
    join({end}, test);
    join(loop.continues, test);
    if (!test_first)
      graph_[test].next.push_back(first);
    const size_t behind = after(test);
    join(loop.breaks, behind);
    return behind;
  }

  size_t statement(size_t at, unsigned depth, Loop *loop) {
    switch (below(random_, depth == 0 ? 2 : 9)) {
    case 0: {
      const size_t made = after(at);
      if (below(random_, 3) == 0)
        graph_[made].calls.push_back(below(random_, functions_));
      return made;
    }
    case 1:
      return after(at);
    case 2:
    case 3:
      return branch(at, depth, loop);
    case 4:
    case 5:
      return repeat(at, depth, true);
    case 6:
      return repeat(at, depth, false);
    default: { // in a condition, or what follows could not be reached
      if (!free_ && loop == nullptr)
        return after(at);
      const size_t test = after(at);
      // Strictly: nothing is done on the way out, which is no part of the cycle any more.
      const size_t leaves = free_ ? after(test) : test;
      const size_t kind = loop == nullptr ? 0 : free_ ? below(random_, 3) : 1;
      (kind == 0 ? returns_ : kind == 1 ? loop->breaks : loop->continues).push_back(leaves);
      return after(test);
    }
    }
  }

  Random &random_;
  size_t functions_;
  bool free_;
  Graph graph_;
  std::vector<size_t> returns_;
};

template <class From, class To> class Mapping {
public:
  bool add(const From &from, const To &to) {
    return known_.try_emplace(from, to).first->second == to;
  }

private:
  std::map<From, To> known_;
};

Program written(Random &random, Style style) {
  Program program;
  for (size_t i = 0; i < 3; ++i)
    program.push_back(Writer(random, 3, style).write());
  return program;
}

// In all runs together: the same stack is the same index, and the other way round. So runs are
// aligned by the one exactly as by the other.
TEST(Cycles, IndexesAlignStructuredProgramsExactlyAsTheRulesOfFigure8) {
  size_t all = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const Subject subject(written(random, Style::strict));
    Mapping<Subject::Stack, uint64_t> index_of;
    Mapping<uint64_t, Subject::Stack> stack_of;
    for (unsigned run = 0; run < 4; ++run)
      for (const Subject::Moment &moment : subject.execute(seed * 10 + run)) {
        ASSERT_TRUE(index_of.add(moment.stack, moment.index)) << "seed " << seed;
        ASSERT_TRUE(stack_of.add(moment.index, moment.stack)) << "seed " << seed;
        ++all;
      }
  }
  EXPECT_GT(all, 50000U);
}

// `if (a || b) X`: the rules tell an X that follows a from one that follows b. `if (a) { if (b)
// return; } X`: the same. By index it is one point, which aligns more, and two points of one run
// are never alike.
TEST(Cycles, IndexesAlignAtLeastWhatTheRulesOfFigure8Do) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    Random random(seed);
    const Subject subject(written(random, Style::free));
    Mapping<Subject::Stack, uint64_t> index_of;
    for (unsigned run = 0; run < 4; ++run) {
      std::set<uint64_t> seen;
      for (const Subject::Moment &moment : subject.execute(seed * 10 + run)) {
        ASSERT_TRUE(index_of.add(moment.stack, moment.index)) << "seed " << seed;
        ASSERT_TRUE(seen.insert(moment.index).second) << "seed " << seed;
      }
    }
  }
}

} // namespace
} // namespace culprit
