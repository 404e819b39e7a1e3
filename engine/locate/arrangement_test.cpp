// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/locate/arrangement.h"

#include "abi/layout.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <sstream>

namespace culprit::locate {
namespace {

struct Span {
  uint64_t from;
  uint64_t end;
};

// An arrangement as the runtime would have it.
struct Read {
  std::map<size_t, uint64_t> globals; // offsets in the arena
  std::map<size_t, uint64_t> guests;  // by entry
  std::map<size_t, uint64_t> entries; // of frames
  std::vector<Span> arena_fences;
  std::map<uint32_t, std::vector<Span>> frame_fences; // by function

  explicit Read(const std::string &rows) {
    std::istringstream in(rows);
    char kind = 0;
    while (in >> kind) {
      uint64_t a = 0;
      uint64_t b = 0;
      uint64_t c = 0;
      uint64_t rest = 0;
      in >> a >> b;
      if (kind == 'g')
        globals[a] = b;
      else if (kind == 'l')
        guests[a] = b;
      else if (kind == 'v')
        entries[a] = b;
      else if (kind == 'w') {
        in >> c >> rest >> rest;
        arena_fences.push_back({a, a + b});
      } else {
        in >> c >> rest >> rest >> rest;
        frame_fences[static_cast<uint32_t>(a)].push_back({b, b + c});
      }
    }
  }
};

void expect_apart(std::vector<Span> spans) {
  std::ranges::sort(spans, {}, &Span::from);
  for (size_t i = 1; i < spans.size(); ++i)
    EXPECT_LE(spans[i - 1].end, spans[i].from);
}

void expect_sound(const Arrangement &arrangement, const Variables &variables) {
  const Read read(arrangement.rows);
  std::vector<Span> arena = read.arena_fences;
  ASSERT_EQ(read.globals.size(), variables.globals.size());
  for (const auto &[global, offset] : read.globals) {
    EXPECT_EQ(offset % variables.globals[global].alignment, 0U);
    arena.push_back({offset, offset + variables.globals[global].size});
  }
  for (const Frame &frame : variables.frames) {
    std::vector<Span> spans;
    if (const auto fences = read.frame_fences.find(frame.number); fences != read.frame_fences.end())
      spans = fences->second;
    const uint64_t size = read.entries.at(frame.first_entry);
    const uint64_t sentinel = read.entries.at(frame.first_entry + 1);
    EXPECT_EQ(size % frame.alignment, 0U);
    EXPECT_EQ(sentinel % 8, 0U);
    spans.push_back({sentinel, sentinel + 16});
    for (size_t i = 0; i < frame.variables.size(); ++i) {
      const Variable &variable = frame.variables[i];
      const uint64_t entry = frame.first_entry + CULPRIT_LAYOUT_FRAME_HEAD + i;
      const bool is_guest = read.guests.contains(entry);
      ASSERT_NE(is_guest, read.entries.contains(entry));
      const uint64_t offset = is_guest ? read.guests.at(entry) : read.entries.at(entry);
      EXPECT_EQ(offset % variable.alignment, 0U);
      (is_guest ? arena : spans).push_back({offset, offset + variable.size});
      EXPECT_TRUE(is_guest || (variable.is_argument ? offset > sentinel : offset < sentinel));
      EXPECT_TRUE(is_guest || offset + variable.size <= size);
      EXPECT_TRUE(!is_guest || frame.is_alone);
    }
    expect_apart(std::move(spans));
  }
  expect_apart(std::move(arena));
}

// Is nothing but what alignment needs between the end of one and the start of the other?
bool follows(uint64_t end, uint64_t start, uint64_t alignment) {
  return start >= end && start - end < alignment;
}

Variable some_variable(std::mt19937 &random, bool is_argument) {
  Variable variable;
  static int count = 0;
  variable.name = "v" + std::to_string(++count);
  variable.is_buffer = random() % 2 == 0;
  variable.is_address = random() % 2 == 0;
  variable.is_argument = is_argument;
  variable.alignment = uint64_t{1} << random() % 5;
  variable.size = variable.alignment * (1 + random() % 9);
  variable.definition = static_cast<uint32_t>(random() % 100);
  return variable;
}

Variables some_variables(std::mt19937 &random) {
  Variables variables;
  for (size_t i = random() % 7; i-- > 0;)
    variables.globals.push_back({some_variable(random, false), {0}});
  uint64_t entry = variables.globals.size();
  for (uint32_t f = 0; f < random() % 4; ++f) {
    Frame frame{.function = "f", .number = f, .first_entry = entry, .is_alone = random() % 2 == 0};
    for (size_t i = random() % 6; i-- > 0;) {
      frame.variables.push_back(some_variable(random, random() % 5 == 0));
      frame.alignment = std::max(frame.alignment, frame.variables.back().alignment);
    }
    entry += CULPRIT_LAYOUT_FRAME_HEAD + frame.variables.size();
    variables.frames.push_back(std::move(frame));
  }
  return variables;
}

// All pairs that the orders of a space must bring together, and those they do.
struct Pairing {
  std::set<std::pair<size_t, size_t>> wanted;
  std::set<std::pair<size_t, size_t>> met;
};

Pairing pairing_of_globals(const Variables &variables, const std::vector<Arrangement> &orders) {
  Pairing pairing;
  const auto &globals = variables.globals;
  for (size_t a = 0; a < globals.size(); ++a)
    for (size_t b = 0; b < globals.size(); ++b) {
      if (a == b || !globals[a].is_buffer || !globals[b].is_address)
        continue;
      pairing.wanted.insert({a, b});
      for (const Arrangement &order : orders)
        if (const Read read(order.rows);
            follows(read.globals.at(a) + globals[a].size, read.globals.at(b), globals[b].alignment))
          pairing.met.insert({a, b});
    }
  return pairing;
}

Pairing pairing_of_frame(const Frame &frame, const std::vector<Arrangement> &orders) {
  Pairing pairing;
  const size_t sentinel = frame.variables.size();
  for (size_t a = 0; a < sentinel; ++a)
    for (size_t b = 0; b <= sentinel; ++b) {
      const bool is_sentinel = b == sentinel;
      const Variable &buffer = frame.variables[a];
      if (a == b || !buffer.is_buffer || buffer.is_argument ||
          (!is_sentinel && (!frame.variables[b].is_address || frame.variables[b].is_argument)))
        continue;
      pairing.wanted.insert({a, b});
      const uint64_t first = frame.first_entry + CULPRIT_LAYOUT_FRAME_HEAD;
      for (const Arrangement &order : orders) {
        const Read read(order.rows);
        if (!read.entries.contains(first + a) ||
            (!is_sentinel && !read.entries.contains(first + b)))
          continue;
        const uint64_t behind = read.entries.at(is_sentinel ? frame.first_entry + 1 : first + b);
        const uint64_t alignment = is_sentinel ? frame.alignment : frame.variables[b].alignment;
        if (follows(read.entries.at(first + a) + buffer.size, behind, alignment))
          pairing.met.insert({a, b});
      }
    }
  return pairing;
}

TEST(Arrangement, EveryOrderIsSoundAndEveryPairIsAdjacentInOne) {
  std::mt19937 random(11);
  for (int i = 0; i < 150; ++i) {
    const Variables variables = some_variables(random);
    expect_sound(with_fences(variables), variables);
    const std::vector<Arrangement> orders = with_pairs(variables, SIZE_MAX);
    std::set<std::string> names;
    for (const Arrangement &order : orders) {
      expect_sound(order, variables);
      EXPECT_TRUE(names.insert(order.name).second) << order.name;
    }
    const Pairing globals = pairing_of_globals(variables, orders);
    EXPECT_EQ(globals.met, globals.wanted);
    for (const Frame &frame : variables.frames) {
      const Pairing locals = pairing_of_frame(frame, orders);
      EXPECT_EQ(locals.met, locals.wanted);
    }
  }
}

TEST(Arrangement, GuardsSurroundEveryVariable) {
  Variables variables;
  variables.globals = {{{.name = "a", .size = 10}, {}},
                       {{.name = "b", .size = 8, .alignment = 8}, {}}};
  const Read read(with_fences(variables).rows);
  ASSERT_EQ(read.globals.size(), 2U);
  for (const auto &[global, offset] : read.globals) {
    const uint64_t end = offset + variables.globals[global].size;
    EXPECT_EQ(std::ranges::count(read.arena_fences, end, &Span::from), 1);
    EXPECT_EQ(std::ranges::count(read.arena_fences, offset, &Span::end), 1);
    // Wide enough for more than what alignment leaves unused.
    for (const Span &fence : read.arena_fences)
      EXPECT_TRUE((fence.from != end && fence.end != offset) || fence.end - fence.from >= 16);
  }
}

// A table of 128 numbers of four bytes, indexed by a signed char.
TEST(Arrangement, GuardsOfATableReachAsFarAsItsIndexes) {
  Variables variables;
  variables.globals = {{{.name = "a", .size = 8, .alignment = 8}, {}},
                       {{.name = "table", .size = 512, .alignment = 4}, {}},
                       {{.name = "b", .size = 8, .alignment = 8}, {}}};
  variables.frames = {{.function = "f", .variables = {{.name = "days", .size = 28}}}};
  const Read read(with_fences(variables).rows);
  const uint64_t start = read.globals.at(1);
  const auto reaches = [&](uint64_t from, uint64_t end) {
    return std::ranges::any_of(read.arena_fences, [&](const Span &fence) {
      return fence.from <= from && fence.end >= end;
    });
  };
  EXPECT_TRUE(reaches(start - 512, start));
  EXPECT_TRUE(reaches(start + 512, start + 1024));
  const std::vector<Span> &fences = read.frame_fences.at(0);
  EXPECT_TRUE(
      std::ranges::any_of(fences, [](const Span &fence) { return fence.end - fence.from == 64; }));
}

TEST(Arrangement, NamesSayWhichVariableFollowsWhich) {
  Variables variables;
  variables.globals = {
      {{.name = "title", .size = 16, .is_buffer = true}, {}},
      {{.name = "unit", .size = 8, .alignment = 8, .is_address = true}, {}},
  };
  variables.frames = {
      {.function = "f",
       .first_entry = 2,
       .is_alone = true,
       .variables = {{.name = "line", .size = 16, .is_buffer = true},
                     {.name = "p", .size = 8, .alignment = 8, .is_address = true}}}};
  const std::vector<Arrangement> orders = with_pairs(variables, SIZE_MAX);
  ASSERT_EQ(orders.size(), 3U);
  EXPECT_EQ(orders[0].name, "title before unit, f::line before p");
  EXPECT_EQ(orders[1].name, "f::line before the return address");
  EXPECT_EQ(orders[2].name, "title before f::p");
}

TEST(Arrangement, NoMoreOrdersAreMadeThanAskedFor) {
  std::mt19937 random(3);
  for (int i = 0; i < 50; ++i)
    EXPECT_LE(with_pairs(some_variables(random), 2).size(), 2U);
}

TEST(Arrangement, VariablesThatCanBeLeftLieApartInABlockOfTheirFunction) {
  Variables variables;
  variables.frames.push_back({.function = "f",
                              .number = 3,
                              .first_entry = 10,
                              .variables = {{.name = "a", .size = 5, .definition = 7},
                                            {.name = "b", .size = 8, .is_argument = true},
                                            {.name = "c", .size = 8, .alignment = 8},
                                            {.name = "d", .size = 8, .alignment = 4096}}});
  EXPECT_EQ(with_left_frames(variables).rows, "k 3 12 0 5 7\nk 3 14 48 8 0\n");
  EXPECT_EQ(with_left_frames({}).rows, "");
}

} // namespace
} // namespace culprit::locate
