// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/locate/targets.h"

#include "abi/run_file.h"
#include "runtime/locate/child_for_tests.h"
#include "runtime/locate/ids.h"
#include "runtime/locate/stack_record.h"
#include "runtime/locate/state.h"
#include "runtime/locate/values.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

namespace culprit::locate {
namespace {

std::vector<Target> parse(const std::string &text, bool &bad) {
  std::vector<Target> targets;
  size_t at = 0;
  Target target{};
  while (read_target(text.data(), text.size(), at, target, bad))
    targets.push_back(target);
  return targets;
}

TEST(Targets, AreRowsOfDefinitionHowAndNumber) {
  bool bad = false;
  std::vector<Target> targets = parse("7 t 123456789012\n7 n 3\n4194303 f 1\n1 a 0\n", bad);
  EXPECT_FALSE(bad);
  ASSERT_EQ(targets.size(), 4u);
  EXPECT_EQ(targets[0].definition, 7u);
  EXPECT_EQ(targets[0].how, TargetHow::time);
  EXPECT_EQ(targets[0].number, 123456789012u);
  EXPECT_EQ(targets[1].how, TargetHow::count);
  EXPECT_EQ(targets[2].how, TargetHow::from_count);
  EXPECT_EQ(targets[2].definition, 4194303u);
  EXPECT_EQ(targets[3].how, TargetHow::always);
}

TEST(Targets, NothingElseIsARow) {
  for (const char *text :
       {"7", "7 t", "7 t 1", "7 x 1\n", " 7 t 1\n", "7  t 1\n", "7 t 1 \n", "7 t -1\n", "0 t 1\n",
        "4194304 t 1\n", "7 n 0\n", "7 f 0\n", "7 a 1\n", "\n", "7 t 1\n\n", "7 t 1\r\n",
        "seven t 1\n", "7 t 99999999999999999999999\n", "7 tn 1\n"}) {
    bool bad = false;
    parse(text, bad);
    EXPECT_TRUE(bad) << text;
  }
}

struct Unit {
  std::vector<uint64_t> attention = std::vector<uint64_t>(11);
  culprit_locate_unit unit{1, attention.data(), 10, 1, nullptr, 0};
};

std::string write_file(const std::string &text) {
  char path[] = "/tmp/culprit-targets-XXXXXX";
  FILE *file = fdopen(mkstemp(path), "w");
  std::fputs(text.c_str(), file);
  std::fclose(file);
  return path;
}

// What fired() says to executions of these definitions, one tick apart from time 1 on: '1' corrupt.
std::string fire(const std::string &rows, const std::vector<uint32_t> &executed) {
  std::string path = write_file(rows);
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  Ended ended = in_child([&] {
    Unit program;
    read_targets(path.c_str(), program.unit);
    std::string result;
    Id clock = 0;
    for (uint32_t definition : executed) {
      clock += CULPRIT_TICK;
      Id id = clock | definition | program.attention[definition];
      if (is_corrupt(id))
        id = fired(id);
      if ((id & ~CULPRIT_ID_CORRUPT) != (clock | definition))
        _exit(1);
      result += is_corrupt(id) ? '1' : '0';
    }
    if (write(ends[1], result.data(), result.size()) < 0)
      _exit(1);
  });
  unlink(path.c_str());
  EXPECT_EQ(ended.code(), 0);
  close(ends[1]);
  std::string result(executed.size() + 1, 0);
  ssize_t length = read(ends[0], result.data(), result.size());
  close(ends[0]);
  result.resize(length < 0 ? 0 : static_cast<size_t>(length));
  return result;
}

TEST(Targets, FireByTimeByCountFromACountOnAndAlways) {
  std::vector<uint32_t> executed = {3, 4, 3, 4, 3, 5, 3};
  EXPECT_EQ(fire("", executed), "0000000");
  EXPECT_EQ(fire("3 t 3\n", executed), "0010000");
  EXPECT_EQ(fire("3 t 4\n", executed), "0000000") << "that is another definition's time";
  EXPECT_EQ(fire("3 s 3\n", executed), "0010101") << "from that time on";
  EXPECT_EQ(fire("3 n 3\n", executed), "0000100");
  EXPECT_EQ(fire("3 f 2\n", executed), "0010101");
  EXPECT_EQ(fire("4 a 0\n", executed), "0101000");
  EXPECT_EQ(fire("3 n 1\n3 n 4\n5 a 0\n3 t 3\n", executed), "1010011");
}

// A store of definition 3 at time 50 that is left out: is it so without a trace?
bool keeps(const std::string &rows, void *address) {
  const std::string path = write_file(rows);
  const Ended ended = in_child([&] {
    Unit program;
    read_targets(path.c_str(), program.unit);
    __culprit_stored_at = static_cast<decltype(__culprit_stored_at)>(address);
    const Id id = fired(50 * CULPRIT_TICK | 3 | CULPRIT_ID_CORRUPT);
    _exit(is_corrupt(id) && keeps_what_was_there(id) && !keeps_what_was_there(id) ? 1 : 0);
  });
  unlink(path.c_str());
  return ended.code() == 1;
}

TEST(Targets, AStoreToMemoryIsLeftOutWithoutATraceFromItsTimeOn) {
  static uint64_t word;
  EXPECT_TRUE(keeps("3 k 50\n", &word));
  EXPECT_TRUE(keeps("3 k 49\n", &word));
  EXPECT_FALSE(keeps("3 k 51\n", &word));
  EXPECT_FALSE(keeps("3 t 50\n", &word)) << "that one is suppressed";
  EXPECT_FALSE(keeps("3 k 50\n", nullptr)) << "a register's value cannot be told from what it was";
}

TEST(Targets, AFileThatDoesNotFitEndsTheProcess) {
  for (const char *rows : {"11 t 1\n", "nonsense\n", "3 t 1\n3 t"}) {
    std::string path = write_file(rows);
    Ended ended = in_child([&] {
      Unit program;
      read_targets(path.c_str(), program.unit);
    });
    EXPECT_EQ(ended.code(), 2) << rows;
    EXPECT_FALSE(ended.crash);
    unlink(path.c_str());
  }
  Ended missing = in_child([] { read_targets("/nowhere/targets", Unit().unit); });
  EXPECT_EQ(missing.code(), 2);
}

TEST(Targets, AGlobalsInitialValueIsCorruptFromTheStart) {
  static int first[4];
  static int second[3];
  std::string path = write_file("2 a 0\n");
  Ended ended = in_child([&] {
    culprit_global_definition globals[] = {{first, sizeof first, 1, 0},
                                           {second, sizeof second, 2, 0}};
    Unit program;
    program.unit.globals = globals;
    program.unit.global_count = 2;
    read_targets(path.c_str(), program.unit);
    register_unit(program.unit);
    bool right = true;
    for (int &each : first)
      right &= *cell_of(reinterpret_cast<uintptr_t>(&each)) == 1;
    for (int &each : second)
      right &= *cell_of(reinterpret_cast<uintptr_t>(&each)) == (CULPRIT_ID_CORRUPT | 2);
    _exit(right ? 0 : 1);
  });
  EXPECT_EQ(ended.code(), 0);
  unlink(path.c_str());
}

// What is told beside a target of definition 3 that is about to store to `words[0]` by the pointer
// in `words[2]`.
culprit_record_target met(void (*prepare)(uint64_t *words)) {
  const std::string path = write_file("3 a 0\n");
  static int told;
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  told = ends[1];
  in_child([&] {
    g_stack_record_observer = [](culprit_record_kind kind, const void *record) {
      if (kind != CULPRIT_RECORD_target || write(told, record, sizeof(culprit_record_target)) < 0)
        _exit(1);
    };
    alignas(8) static uint64_t words[4];
    Unit program;
    read_targets(path.c_str(), program.unit);
    prepare(words);
    __culprit_stored_at = &words[0];
    __culprit_stored_through = &words[2];
    fired(50 * CULPRIT_TICK | 3 | CULPRIT_ID_CORRUPT);
  });
  unlink(path.c_str());
  close(ends[1]);
  culprit_record_target target{};
  EXPECT_EQ(read(ends[0], &target, sizeof target), static_cast<ssize_t>(sizeof target));
  close(ends[0]);
  return target;
}

uintptr_t address_of(const void *object) { return reinterpret_cast<uintptr_t>(object); }

TEST(Targets, APointerThatIsWholeIsNotToBlameForWhatIsWrittenByIt) {
  const culprit_record_target target =
      met([](uint64_t *words) { define(address_of(&words[2]), 8, 20 * CULPRIT_TICK | 4); });
  EXPECT_EQ(target.through, 0u);
  EXPECT_GT(target.frames, 0u);
}

TEST(Targets, WhoWroteOverAPartOfThePointerIsTold) {
  const culprit_record_target target = met([](uint64_t *words) {
    define(address_of(&words[2]), 8, 20 * CULPRIT_TICK | 4);
    define(address_of(&words[2]) + 4, 4, 30 * CULPRIT_TICK | 5);
  });
  EXPECT_EQ(target.through, 30 * CULPRIT_TICK | 5);
}

TEST(Targets, WhoIsKnownToBeCorruptIsNotToldAgain) {
  const culprit_record_target target = met([](uint64_t *words) {
    define(address_of(&words[2]), 8, 20 * CULPRIT_TICK | 4);
    define(address_of(&words[2]) + 4, 4, 30 * CULPRIT_TICK | 5 | CULPRIT_ID_CORRUPT);
  });
  EXPECT_EQ(target.through, 0u);
}

} // namespace
} // namespace culprit::locate
