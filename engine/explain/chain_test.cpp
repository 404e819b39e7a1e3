// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Figure 7, simulated: a passing run that takes the true branch of 5, a failing one that takes the
// false one, and verdicts as a real execution gives them.
#include "engine/explain/chain.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

namespace culprit::explain {
namespace {

enum Names : uint64_t { kC = 1, kH, kP, kR };

culprit_trace_event point(uint64_t index) { return {CULPRIT_TRACE_POINT, 0, 0, 1, index, 0, 0}; }
culprit_trace_event write(uint64_t variable) {
  return {CULPRIT_TRACE_WRITE, CULPRIT_REGION_GLOBAL, 8, 0, variable, 0, 0};
}

const Trace kPassing = {point(3),  write(kR), write(kP), point(4), write(kC),
                        point(5),  point(6),  write(kR), point(7), write(kH),
                        point(10), write(kP), point(11), point(12)};
const Trace kFailing = {point(3), write(kR), write(kP), point(4),  write(kC), point(5),
                        point(9), write(kP), point(10), write(kP), point(11), point(12)};

struct At {
  std::vector<uint64_t> differing;
  std::vector<uint64_t> needed;
};
// By the point: what differs there, and what of it makes the failure.
const std::map<uint64_t, At> kPoints = {{3, {{}, {}}},
                                        {4, {{}, {}}},
                                        {5, {{kC}, {kC}}},
                                        {10, {{kC, kH, kP, kR}, {kP, kR}}},
                                        {11, {{kC, kH, kP, kR}, {kP, kR}}}};

class Simulated : public Point {
public:
  explicit Simulated(uint64_t index) : index_(index) {
    for (const uint64_t each : at().differing)
      differences_.push_back({{each, 0}, 8});
  }
  bool ends_differ() const override { return index_ <= 11; }
  const std::vector<Difference> &differences() const override { return differences_; }
  Result<std::vector<Verdict>> test(const std::vector<Subset> &subsets) override {
    std::vector<Verdict> verdicts;
    verdicts.reserve(subsets.size());
    for (const Subset &subset : subsets)
      verdicts.push_back(verdict(subset));
    return verdicts;
  }

private:
  Verdict verdict(const Subset &subset) const {
    return std::ranges::all_of(at().needed,
                               [&](uint64_t one) {
                                 return std::ranges::any_of(subset, [&](size_t each) {
                                   return at().differing[each] == one;
                                 });
                               })
               ? Verdict::fails
               : Verdict::passes;
  }
  At at() const {
    const auto found = kPoints.find(index_);
    return found == kPoints.end() ? At{} : found->second;
  }
  uint64_t index_;
  std::vector<Difference> differences_;
};

std::vector<uint64_t> variables(const Step &step) {
  std::vector<uint64_t> all;
  all.reserve(step.cause.size());
  for (const Difference &each : step.cause)
    all.push_back(each.at.region);
  return all;
}

TEST(Chain, GoesFromTheFailureBackToTheFirstDifference) {
  const Alignment alignment = align(kPassing, kFailing);
  const auto index = [&](size_t pair) { return kFailing[alignment.points[pair].b].index; };
  const auto chain = follow_chain(
      {kPassing, kFailing, alignment, [&](size_t pair) -> Result<std::unique_ptr<Point>> {
         return std::make_unique<Simulated>(index(pair));
       }});
  ASSERT_TRUE(chain);
  ASSERT_EQ(chain->steps.size(), 3U);
  EXPECT_EQ(index(chain->steps[0].pair), 11U);
  EXPECT_EQ(variables(chain->steps[0]), (std::vector<uint64_t>{kP, kR}));
  EXPECT_EQ(index(chain->steps[1].pair), 10U);
  EXPECT_EQ(variables(chain->steps[1]), (std::vector<uint64_t>{kP, kR}));
  EXPECT_EQ(index(chain->steps[2].pair), 5U);
  EXPECT_EQ(variables(chain->steps[2]), (std::vector<uint64_t>{kC}));
  EXPECT_EQ(chain->reason, "nothing differs before that");
  EXPECT_EQ(chain->most_differences, 4U);
}

TEST(Chain, EndsWhereTestsAreUsedUp) {
  const Alignment alignment = align(kPassing, kFailing);
  const auto chain =
      follow_chain({kPassing, kFailing, alignment,
                    [&](size_t pair) -> Result<std::unique_ptr<Point>> {
                      return std::make_unique<Simulated>(kFailing[alignment.points[pair].b].index);
                    }},
                   {.steps = 1});
  ASSERT_TRUE(chain);
  EXPECT_EQ(chain->steps.size(), 1U);
  EXPECT_EQ(chain->reason, "the limit of steps, tests or time is reached");
}

// A statement that differs between two versions: from before it everything can be taken over and
// the passing run does what is right all the same. The chain begins behind the write, not where the
// value is read at last.
TEST(Chain, BeginsBehindTheWriteWhereTheProgramsThemselvesDiffer) {
  const Trace trace = {point(3), write(kC), point(4), point(5), point(6)};
  class Written : public Point {
  public:
    explicit Written(uint64_t index) : index_(index) {
      if (index >= 4)
        differences_.push_back({{kC, 0}, 8});
      else
        differences_.push_back({{kH, 0}, 8}); // something that does not matter
    }
    bool ends_differ() const override { return index_ <= 5; }
    const std::vector<Difference> &differences() const override { return differences_; }
    Result<std::vector<Verdict>> test(const std::vector<Subset> &subsets) override {
      return std::vector<Verdict>(subsets.size(), index_ >= 4 ? Verdict::fails : Verdict::passes);
    }

  private:
    uint64_t index_;
    std::vector<Difference> differences_;
  };
  const Alignment alignment = align(trace, trace);
  const auto index = [&](size_t pair) { return trace[alignment.points[pair].b].index; };
  const auto chain =
      follow_chain({trace, trace, alignment, [&](size_t pair) -> Result<std::unique_ptr<Point>> {
                      return std::make_unique<Written>(index(pair));
                    }});
  ASSERT_TRUE(chain);
  ASSERT_EQ(chain->steps.size(), 2U);
  EXPECT_EQ(index(chain->steps[0].pair), 5U);
  EXPECT_EQ(index(chain->steps[1].pair), 4U);
}

// Nobody was seen to write C, but it differs from point 5 on: what differs before that is asked
// for. The rest of the input, which differs from the start, does not hide that.
TEST(Chain, GoesOnBeforeAWriteThatNobodySaw) {
  const Trace trace = {point(3), point(4), point(5), point(6)};
  class Unseen : public Point {
  public:
    explicit Unseen(uint64_t index) : index_(index) {
      differences_.push_back({{index >= 5 ? kC : kP, 0}, 8});
      differences_.push_back({{kR, 0}, 0}); // a file
    }
    bool ends_differ() const override { return index_ <= 6; }
    const std::vector<Difference> &differences() const override { return differences_; }
    Result<std::vector<Verdict>> test(const std::vector<Subset> &subsets) override {
      std::vector<Verdict> verdicts;
      for (const Subset &subset : subsets) // both are needed
        verdicts.push_back(subset.size() == 2 ? Verdict::fails : Verdict::passes);
      return verdicts;
    }

  private:
    uint64_t index_;
    std::vector<Difference> differences_;
  };
  const Alignment alignment = align(trace, trace);
  const auto chain =
      follow_chain({trace, trace, alignment, [&](size_t pair) -> Result<std::unique_ptr<Point>> {
                      return std::make_unique<Unseen>(trace[alignment.points[pair].b].index);
                    }});
  ASSERT_TRUE(chain);
  ASSERT_EQ(chain->steps.size(), 2U);
  EXPECT_EQ(variables(chain->steps[1]), (std::vector<uint64_t>{kP, kR}));
  EXPECT_EQ(trace[alignment.points[chain->steps[1].pair].b].index, 4U);
}

// C is written at 2 and carried along to 9; from 4 to 7 the program has several threads.
TEST(Chain, GoesAroundPointsThatAreOutOfReach) {
  const Trace trace = {point(1), write(kP), point(2), write(kC), point(3), point(4), point(5),
                       point(6), point(7),  point(8), write(kH), point(9), point(10)};
  class Carried : public Point {
  public:
    explicit Carried(uint64_t index)
        : index_(index), differences_({{{index >= 9   ? kH
                                         : index >= 3 ? kC
                                                      : kP,
                                         0},
                                        8}}) {
      if (index == 1)
        differences_.clear();
    }
    bool ends_differ() const override { return index_ <= 9; }
    const std::vector<Difference> &differences() const override { return differences_; }
    Result<std::vector<Verdict>> test(const std::vector<Subset> &subsets) override {
      return std::vector<Verdict>(subsets.size(), Verdict::fails);
    }

  private:
    uint64_t index_;
    std::vector<Difference> differences_;
  };
  const Alignment alignment = align(trace, trace);
  const auto follow = [&](uint64_t first, uint64_t last) {
    auto chain =
        follow_chain({trace, trace, alignment, [&](size_t pair) -> Result<std::unique_ptr<Point>> {
                        const uint64_t index = trace[alignment.points[pair].b].index;
                        if (index >= first && index <= last)
                          return nullptr;
                        return std::make_unique<Carried>(index);
                      }});
    std::vector<uint64_t> found;
    for (const Step &step : chain->steps)
      found.push_back(trace[alignment.points[step.pair].b].index);
    EXPECT_GT(chain->out_of_reach, 0U);
    return found;
  };
  EXPECT_EQ(follow(4, 7), (std::vector<uint64_t>{9, 8, 2}));
  EXPECT_EQ(follow(3, 8), (std::vector<uint64_t>{9, 2})) << "8 is out of reach";
  EXPECT_EQ(follow(1, 3), (std::vector<uint64_t>{9, 8})) << "where C came from is out of reach";
  EXPECT_TRUE(follow(1, 10).empty());
}

TEST(Chain, AnErrorOfARunIsTheAnswer) {
  const Alignment alignment = align(kPassing, kFailing);
  const auto chain =
      follow_chain({kPassing, kFailing, alignment,
                    [](size_t) -> Result<std::unique_ptr<Point>> { return fail("out of reach"); }});
  ASSERT_FALSE(chain);
  EXPECT_EQ(chain.error().what, "out of reach");
}

} // namespace
} // namespace culprit::explain
