// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/run/run_file.h"

#include "abi/access.h"
#include "abi/locate.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

namespace culprit::run {
namespace {

using namespace std::string_literals;

// A run file built by hand, so that a change of the runtime's writer cannot hide a change of the
// layout.
struct Builder {
  std::vector<std::byte> bytes = std::vector<std::byte>(sizeof(culprit_run_header));

  Builder() {
    culprit_run_header head{};
    head.magic = CULPRIT_RUN_MAGIC;
    head.version = CULPRIT_RUN_VERSION;
    head.header_size = sizeof head;
    head.byte_order = CULPRIT_RUN_BYTE_ORDER;
    head.pid = 42;
    head.reserved = head.committed = sizeof head;
    std::memcpy(bytes.data(), &head, sizeof head);
  }

  culprit_run_header &head() { return *reinterpret_cast<culprit_run_header *>(bytes.data()); }
  culprit_record &record(size_t at) {
    return *reinterpret_cast<culprit_record *>(bytes.data() + at);
  }

  size_t add(uint16_t kind, const std::string &payload) {
    size_t at = bytes.size();
    size_t size = (sizeof(culprit_record) + payload.size() + 7) / 8 * 8;
    bytes.resize(at + size);
    std::memcpy(bytes.data() + at + sizeof(culprit_record), payload.data(), payload.size());
    culprit_record &made = record(at);
    made.size = static_cast<uint32_t>(size);
    made.kind = kind;
    made.thread = 7;
    seal(at);
    head().reserved = head().committed = bytes.size();
    return at;
  }

  void seal(size_t at) { record(at).commit = culprit_record_checksum(&record(at), at); }
};

template <typename T> std::string raw(const T &value, const std::string &text = {}) {
  return std::string(reinterpret_cast<const char *>(&value), sizeof value) + text;
}

constexpr size_t kRecords = 24; // of whole_file()

Builder whole_file() {
  Builder file;
  file.add(CULPRIT_RECORD_start, raw(culprit_record_start{42, 1, 1, 4, 3, 0}, "/exearg"));
  culprit_record_module module{0x1000, 0x1000, 0x3000, {0xab, 0xcd}, 2, 5};
  file.add(CULPRIT_RECORD_module, raw(module, "/l.so"));
  file.add(CULPRIT_RECORD_heap, raw(culprit_record_heap{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  file.add(CULPRIT_RECORD_unit, raw(culprit_record_unit{0x1234, 1, 20}));
  file.add(CULPRIT_RECORD_context, raw(culprit_record_context{1, 0, 0x30002}));
  culprit_record_point point{};
  point.index = 1;
  point.live_objects = 5;
  file.add(CULPRIT_RECORD_point, raw(point));
  culprit_context_cells row{1, {2, 3}};
  file.add(CULPRIT_RECORD_point_contexts,
           raw(culprit_record_point_contexts{1, 2}, raw(row) + raw(row)));
  file.add(CULPRIT_RECORD_verify, raw(culprit_record_verify{1, 1, 5, 0, 0, 0, 0, 0, 0}));
  uint64_t frame = 0x401000;
  file.add(CULPRIT_RECORD_stack,
           raw(culprit_record_stack{1, CULPRIT_METRIC_INDEGREE1, CULPRIT_STACK_CROSSED, 1, 2},
               raw(frame) + raw(frame)));
  file.add(CULPRIT_RECORD_blame,
           raw(culprit_record_blame{1, 1}, raw(culprit_blame_row{1, 16, 3, ~0u, 4, 0, 99})));
  file.add(CULPRIT_RECORD_access_unit, raw(culprit_record_access_unit{0x1234, 5, 7}));
  file.add(CULPRIT_RECORD_name,
           raw(culprit_record_name{1, CULPRIT_NAME_HEAP, 0x1234, 1, 3, CULPRIT_NO_MEMBER, 0}));
  culprit_record_access access{};
  access.row = 6;
  access.name = 1;
  access.depth = 2;
  file.add(CULPRIT_RECORD_access, raw(access, raw(frame) + raw(frame)));
  file.add(CULPRIT_RECORD_counts,
           raw(culprit_record_counts{2, 0},
               raw(culprit_count_row{6, 1, 100}) + raw(culprit_count_row{5, 1, 200})));
  file.add(CULPRIT_RECORD_period, raw(culprit_record_period{1, 0, 77}));
  file.add(CULPRIT_RECORD_watch, raw(culprit_record_watch{1, 2, 3, 4, 5, 6, 7, 8}));
  culprit_record_crash crash{};
  crash.kind = CULPRIT_CRASH_GUARD;
  crash.frames = 2;
  crash.written = 0x77;
  file.add(CULPRIT_RECORD_crash, raw(crash, raw(frame) + raw(frame)));
  file.add(CULPRIT_RECORD_fired, raw(culprit_record_fired{0x88, 3}));
  file.add(CULPRIT_RECORD_target,
           raw(culprit_record_target{0x88, 1, 2, 3, 4, 2}, raw(frame) + raw(frame)));
  file.add(CULPRIT_RECORD_arguments, raw(culprit_record_arguments{{5, 6}, 4, 8}));
  file.add(CULPRIT_RECORD_astray, raw(culprit_record_astray{0x99, 0x1000, 1}, raw(frame)));
  file.add(CULPRIT_RECORD_native_site, raw(culprit_record_native_site{9, 0, 0x401234}));
  file.add(CULPRIT_RECORD_neighbourhood, raw(culprit_record_neighbourhood{1, 1, 3, 2, 26, 1},
                                             raw(culprit_neighbour{1, 4, 5, CULPRIT_LINK_OUT, 0})));
  file.add(CULPRIT_RECORD_exit, raw(culprit_record_exit{3, 1}));
  return file;
}

TEST(RunFile, ANativeObjectHasItsFiveTexts) {
  Builder builder;
  builder.add(CULPRIT_RECORD_native_object,
              raw(culprit_record_native_object{4, CULPRIT_NATIVE_LOCAL, 64, 1, 17, 25, 0},
                  "line\0main\0a.c\0char[]\0x.y\0"s));
  const auto file = parse(builder.bytes, "test");
  ASSERT_TRUE(file);
  const auto &object = std::get<NativeObject>(file->records.at(0).what);
  EXPECT_EQ(object.numbers.line, 17u);
  EXPECT_EQ(object.name, "line");
  EXPECT_EQ(object.function, "main");
  EXPECT_EQ(object.file, "a.c");
  EXPECT_EQ(object.type, "char[]");
  EXPECT_EQ(object.member, "x.y");
}

TEST(RunFile, APointerInPiecesAndWhoBroughtThemAreRead) {
  Builder builder;
  const uint64_t frame = 0x401000;
  builder.add(CULPRIT_RECORD_assembled, raw(culprit_record_assembled{0x77, 0x2000}));
  builder.add(CULPRIT_RECORD_brought, raw(culprit_record_brought{5, 0x2000, 1}, raw(frame)));
  const auto file = parse(builder.bytes, "test");
  ASSERT_TRUE(file);
  ASSERT_EQ(file->records.size(), 2u);
  EXPECT_EQ(std::get<Assembled>(file->records[0].what).numbers.address, 0x2000u);
  const auto &brought = std::get<Brought>(file->records[1].what);
  EXPECT_EQ(brought.numbers.clock, 5u);
  EXPECT_EQ(brought.addresses, (std::vector<uint64_t>{0x401000}));
  EXPECT_EQ(kind_of(file->records[0]), CULPRIT_RECORD_assembled);
  EXPECT_EQ(kind_of(file->records[1]), CULPRIT_RECORD_brought);
}

TEST(RunFile, ReadsEveryKindOfRecord) {
  Result<RunFile> file = parse(whole_file().bytes, "x.run");
  ASSERT_TRUE(file) << file.error().what;
  EXPECT_FALSE(file->tear);
  EXPECT_EQ(file->header.pid, 42u);
  ASSERT_EQ(file->records.size(), kRecords);
  const auto &start = std::get<ProcessStart>(file->records[0].what);
  EXPECT_EQ(start.executable, "/exe");
  EXPECT_EQ(start.argument, "arg");
  EXPECT_TRUE(start.forked);
  const auto &module = std::get<Module>(file->records[1].what);
  EXPECT_EQ(module.path, "/l.so");
  EXPECT_EQ(module.build_id, (std::vector<uint8_t>{0xab, 0xcd}));
  EXPECT_EQ(std::get<HeapSummary>(file->records[2].what).numbers.threads, 9u);
  EXPECT_EQ(std::get<Unit>(file->records[3].what).sites, 20u);
  EXPECT_EQ(std::get<Context>(file->records[4].what).chain, 0x30002u);
  EXPECT_EQ(std::get<MetricPoint>(file->records[5].what).numbers.live_objects, 5u);
  const auto &contexts = std::get<PointContexts>(file->records[6].what);
  ASSERT_EQ(contexts.rows.size(), 2u);
  EXPECT_EQ(contexts.rows[1].cells[1], 3u);
  EXPECT_EQ(std::get<Verify>(file->records[7].what).numbers.vertexes, 5u);
  const auto &stack = std::get<Stack>(file->records[8].what);
  EXPECT_EQ(stack.when, CULPRIT_STACK_CROSSED);
  EXPECT_TRUE(stack.high);
  EXPECT_EQ(stack.addresses, (std::vector<uint64_t>{0x401000, 0x401000}));
  EXPECT_EQ(std::get<Blame>(file->records[9].what).rows.at(0).count, 99u);
  EXPECT_EQ(std::get<AccessUnit>(file->records[10].what).rows, 7u);
  EXPECT_EQ(std::get<ObjectName>(file->records[11].what).numbers.layout, 3u);
  const auto &access = std::get<AccessMet>(file->records[12].what);
  EXPECT_EQ(access.numbers.row, 6u);
  EXPECT_EQ(access.addresses, (std::vector<uint64_t>{0x401000, 0x401000}));
  EXPECT_EQ(std::get<AccessCounts>(file->records[13].what).rows.at(1).count, 200u);
  EXPECT_EQ(std::get<Period>(file->records[14].what).work, 77u);
  EXPECT_EQ(std::get<Watch>(file->records[15].what).numbers.watched_bytes, 8u);
  const auto &crash = std::get<Crash>(file->records[16].what);
  EXPECT_EQ(crash.numbers.written, 0x77u);
  EXPECT_EQ(crash.addresses, (std::vector<uint64_t>{0x401000, 0x401000}));
  EXPECT_EQ(std::get<Fired>(file->records[17].what).numbers.count, 3u);
  const auto &target = std::get<Target>(file->records[18].what);
  EXPECT_EQ(target.numbers.through, 3u);
  EXPECT_EQ(target.addresses, (std::vector<uint64_t>{0x401000, 0x401000}));
  EXPECT_EQ(std::get<Arguments>(file->records[19].what).numbers.freed_by[1], 6u);
  const auto &astray = std::get<Astray>(file->records[20].what);
  EXPECT_EQ(astray.numbers.address, 0x1000u);
  EXPECT_EQ(astray.addresses, (std::vector<uint64_t>{0x401000}));
  EXPECT_EQ(std::get<NativeSite>(file->records[21].what).address, 0x401234u);
  EXPECT_EQ(std::get<Neighbourhood>(file->records[22].what).neighbours.at(0).out, 5u);
  EXPECT_EQ(std::get<ProcessExit>(file->records[23].what).status, 3);
  EXPECT_EQ(file->records[23].thread, 7u);
  for (size_t i = 0; i < kRecords; ++i)
    EXPECT_EQ(kind_name(kind_of(file->records[i])),
              (std::vector<std::string>{"start",   "module",      "heap",           "unit",
                                        "context", "point",       "point_contexts", "verify",
                                        "stack",   "blame",       "access_unit",    "name",
                                        "access",  "counts",      "period",         "watch",
                                        "crash",   "fired",       "target",         "arguments",
                                        "astray",  "native_site", "neighbourhood",  "exit"})[i]);
}

TEST(RunFile, KeepsRecordsOfAnUnknownKind) {
  Builder file;
  file.add(999, "payload!");
  Result<RunFile> read = parse(file.bytes, "x.run");
  ASSERT_TRUE(read);
  EXPECT_EQ(std::get<Unknown>(read->records.at(0).what).kind, 999);
  EXPECT_EQ(std::get<Unknown>(read->records.at(0).what).payload.size(), 8u);
}

TEST(RunFile, IgnoresRoomBehindTheLastRecord) {
  Builder file = whole_file();
  file.bytes.resize(65536);
  Result<RunFile> read = parse(file.bytes, "x.run");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->records.size(), kRecords);
  EXPECT_FALSE(read->tear);
}

TEST(RunFile, ReadsWholeRecordsBehindTheCommittedOffset) {
  Builder file = whole_file();
  file.head().committed = sizeof(culprit_run_header);
  Result<RunFile> read = parse(file.bytes, "x.run");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->records.size(), kRecords);
}

TEST(RunFile, StopsAtARecordThatWasBeingWritten) {
  Builder file = whole_file();
  uint64_t committed = file.head().committed;
  size_t at = file.add(CULPRIT_RECORD_exit, raw(culprit_record_exit{0, 0}));
  file.record(at).commit = 0;
  file.head().committed = committed;
  Result<RunFile> read = parse(file.bytes, "x.run");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->records.size(), kRecords);
  ASSERT_TRUE(read->tear);
  EXPECT_EQ(read->tear->record, kRecords);
  EXPECT_EQ(read->tear->offset, at);
}

TEST(RunFile, EveryCutIsATearOrAnErrorAndKeepsWholeRecords) {
  Builder file = whole_file();
  for (size_t size = 0; size < file.bytes.size(); ++size) {
    Result<RunFile> read = parse(std::span(file.bytes).first(size), "x.run");
    if (size < sizeof(culprit_run_header)) {
      EXPECT_FALSE(read);
      continue;
    }
    ASSERT_TRUE(read) << size;
    EXPECT_TRUE(read->tear) << size;
    EXPECT_LT(read->records.size(), kRecords);
  }
}

TEST(RunFile, EveryFlippedBitOfARecordIsNoticed) {
  Builder whole = whole_file();
  for (size_t bit = sizeof(culprit_run_header) * 8; bit < whole.bytes.size() * 8; ++bit) {
    Builder file = whole;
    file.bytes[bit / 8] ^= std::byte(1 << (bit % 8));
    EXPECT_FALSE(parse(file.bytes, "x.run")) << "bit " << bit;
  }
}

TEST(RunFile, RefusesHeadersThatContradictThemselves) {
  auto refused = [](auto change) {
    Builder file = whole_file();
    change(file.head());
    return !parse(file.bytes, "x.run");
  };
  EXPECT_TRUE(refused([](culprit_run_header &h) { h.magic ^= 1; }));
  EXPECT_TRUE(refused([](culprit_run_header &h) { h.magic = 0; }));
  EXPECT_TRUE(refused([](culprit_run_header &h) { h.version += 1; }));
  EXPECT_TRUE(refused([](culprit_run_header &h) { h.byte_order = 0x04030201; }));
  EXPECT_TRUE(refused([](culprit_run_header &h) { h.header_size = 8; }));
  EXPECT_TRUE(refused([](culprit_run_header &h) { h.committed = 0; }));
  EXPECT_TRUE(refused([](culprit_run_header &h) { h.committed = h.reserved + 8; }));
  EXPECT_TRUE(refused([](culprit_run_header &h) { h.reserved += 1; }));
}

TEST(RunFile, RefusesSizesAndLengthsThatLeadOutside) {
  for (uint32_t size : {0u, 8u, 17u, 0xfffffff8u, CULPRIT_RUN_RECORD_MAX + 8}) {
    Builder file;
    size_t at = file.add(999, "payload!");
    file.record(at).size = size;
    EXPECT_FALSE(parse(file.bytes, "x.run")) << size;
  }
  Builder start;
  start.add(CULPRIT_RECORD_start, raw(culprit_record_start{1, 1, 0, 0xfffffff0u, 0x20u, 0}));
  EXPECT_FALSE(parse(start.bytes, "x.run"));
  Builder module;
  culprit_record_module raw_module{};
  raw_module.build_id_length = 33;
  module.add(CULPRIT_RECORD_module, raw(raw_module));
  EXPECT_FALSE(parse(module.bytes, "x.run"));
  Builder short_payload;
  short_payload.add(CULPRIT_RECORD_heap, "12345678");
  EXPECT_FALSE(parse(short_payload.bytes, "x.run"));
}

TEST(RunFile, RefusesCountsThatDoNotMatchTheRows) {
  auto refused = [](uint16_t kind, const std::string &payload) {
    Builder file;
    file.add(kind, payload);
    return !parse(file.bytes, "x.run");
  };
  for (uint32_t count : {0u, 2u, 0xffffffffu, 0x38e38e39u}) {
    EXPECT_TRUE(refused(CULPRIT_RECORD_point_contexts,
                        raw(culprit_record_point_contexts{1, count}, raw(culprit_context_cells{}))))
        << count;
    EXPECT_TRUE(refused(CULPRIT_RECORD_blame,
                        raw(culprit_record_blame{1, count}, raw(culprit_blame_row{}))))
        << count;
    EXPECT_TRUE(refused(CULPRIT_RECORD_neighbourhood,
                        raw(culprit_record_neighbourhood{1, 1, 3, 2, 26, count},
                            raw(culprit_neighbour{1, 4, 5, CULPRIT_LINK_OUT, 0}))))
        << count;
    EXPECT_TRUE(refused(CULPRIT_RECORD_stack,
                        raw(culprit_record_stack{1, 0, 0, 0, count}, raw(uint64_t{1}))))
        << count;
  }
  EXPECT_TRUE(refused(CULPRIT_RECORD_stack, raw(culprit_record_stack{1, 7, 0, 0, 0})));
  EXPECT_TRUE(refused(CULPRIT_RECORD_stack, raw(culprit_record_stack{1, 0, 3, 0, 0})));
  culprit_blame_row row{};
  row.cell = CULPRIT_CELLS;
  EXPECT_TRUE(refused(CULPRIT_RECORD_blame, raw(culprit_record_blame{1, 1}, raw(row))));
  EXPECT_TRUE(refused(CULPRIT_RECORD_neighbourhood,
                      raw(culprit_record_neighbourhood{1, 1, 3, 2, CULPRIT_CELLS, 0})));
  EXPECT_TRUE(
      refused(CULPRIT_RECORD_neighbourhood, raw(culprit_record_neighbourhood{1, 1, 3, 2, 26, 1},
                                                raw(culprit_neighbour{1, 4, 5, 4, 0}))));
  std::string crowd;
  for (uint32_t i = 0; i <= CULPRIT_MOST_NEIGHBOURS; ++i)
    crowd += raw(culprit_neighbour{1, 4, 5, CULPRIT_LINK_OUT, 0});
  EXPECT_TRUE(refused(
      CULPRIT_RECORD_neighbourhood,
      raw(culprit_record_neighbourhood{1, 1, 3, 2, 26, CULPRIT_MOST_NEIGHBOURS + 1}, crowd)));
  EXPECT_TRUE(refused(CULPRIT_RECORD_unit, raw(culprit_record_unit{1, 0xffffffff, 2})));
  EXPECT_TRUE(refused(CULPRIT_RECORD_native_site, raw(culprit_record_native_site{0, 0, 1})));
  EXPECT_TRUE(refused(CULPRIT_RECORD_native_site, raw(culprit_record_native_site{65536, 0, 1})));
  EXPECT_TRUE(refused(CULPRIT_RECORD_native_object,
                      raw(culprit_record_native_object{0, 2, 8, 1, 3, 99, 0}, "a")));
  EXPECT_TRUE(refused(CULPRIT_RECORD_native_object,
                      raw(culprit_record_native_object{0, 2, 8, 1, 3, 4, 0}, "a\0b\0"s)))
      << "texts are missing";
  EXPECT_TRUE(refused(CULPRIT_RECORD_native_object,
                      raw(culprit_record_native_object{0, 9, 8, 1, 3, 10, 0}, "a\0b\0c\0d\0e\0"s)));
  for (uint16_t kind : {CULPRIT_RECORD_unit, CULPRIT_RECORD_context, CULPRIT_RECORD_point,
                        CULPRIT_RECORD_verify, CULPRIT_RECORD_stack})
    EXPECT_TRUE(refused(kind, "12345678")) << kind;
}

TEST(RunFile, RefusesAccessesThatCannotBe) {
  auto refused = [](uint16_t kind, const std::string &payload) {
    Builder file;
    file.add(kind, payload);
    return !parse(file.bytes, "x.run");
  };
  EXPECT_TRUE(refused(CULPRIT_RECORD_access_unit,
                      raw(culprit_record_access_unit{1, CULPRIT_MAX_ROWS - 1, 2})));
  EXPECT_TRUE(refused(CULPRIT_RECORD_access_unit, raw(culprit_record_access_unit{1, ~0u, ~0u})));
  EXPECT_TRUE(refused(CULPRIT_RECORD_name, raw(culprit_record_name{0, 0, 1, 0, 0, 0, 0})));
  EXPECT_TRUE(refused(CULPRIT_RECORD_name,
                      raw(culprit_record_name{1, CULPRIT_NAME_FREED + 1, 1, 0, 0, 0, 0})));
  culprit_record_access access{};
  access.name = 1;
  EXPECT_FALSE(refused(CULPRIT_RECORD_access, raw(access)));
  const auto changed = [&](auto change) {
    culprit_record_access other = access;
    change(other);
    return refused(CULPRIT_RECORD_access, raw(other));
  };
  EXPECT_TRUE(changed([](auto &a) { a.depth = 1; }));
  EXPECT_TRUE(changed([](auto &a) { a.name = 0; }));
  EXPECT_TRUE(changed([](auto &a) { a.row = CULPRIT_MAX_ROWS; }));
  EXPECT_TRUE(changed([](auto &a) { a.start = 2, a.size = ~uint64_t{1}; }));
  for (uint32_t count : {0u, 2u, 0xffffffffu, 0x10000001u})
    EXPECT_TRUE(refused(CULPRIT_RECORD_counts,
                        raw(culprit_record_counts{count, 0}, raw(culprit_count_row{1, 1, 1}))));
  EXPECT_TRUE(refused(CULPRIT_RECORD_counts,
                      raw(culprit_record_counts{1, 0}, raw(culprit_count_row{1, 0, 1}))));
  EXPECT_TRUE(refused(CULPRIT_RECORD_period, raw(culprit_record_period{0, 0, 1})));
  for (uint16_t kind : {CULPRIT_RECORD_access_unit, CULPRIT_RECORD_name, CULPRIT_RECORD_access,
                        CULPRIT_RECORD_period, CULPRIT_RECORD_watch})
    EXPECT_TRUE(refused(kind, "12345678")) << kind;
}

TEST(RunFile, RefusesCrashesThatCannotBe) {
  auto refused = [](uint16_t kind, const std::string &payload) {
    Builder file;
    file.add(kind, payload);
    return !parse(file.bytes, "x.run");
  };
  culprit_record_crash crash{};
  crash.kind = CULPRIT_CRASH_SIGNAL;
  EXPECT_FALSE(refused(CULPRIT_RECORD_crash, raw(crash)));
  crash.frames = 1;
  EXPECT_TRUE(refused(CULPRIT_RECORD_crash, raw(crash)));
  crash.frames = 0;
  for (uint32_t kind : {0u, CULPRIT_CRASH_FREED_READ + 1u}) {
    crash.kind = kind;
    EXPECT_TRUE(refused(CULPRIT_RECORD_crash, raw(crash))) << kind;
  }
  EXPECT_TRUE(refused(CULPRIT_RECORD_target, raw(culprit_record_target{0, 0, 0, 0, 0, 1})));
  EXPECT_TRUE(refused(CULPRIT_RECORD_astray, raw(culprit_record_astray{0, 0, uint64_t{1} << 61})));
  for (uint16_t kind :
       {CULPRIT_RECORD_crash, CULPRIT_RECORD_fired, CULPRIT_RECORD_target, CULPRIT_RECORD_arguments,
        CULPRIT_RECORD_astray, CULPRIT_RECORD_assembled, CULPRIT_RECORD_brought})
    EXPECT_TRUE(refused(kind, "12345678")) << kind;
}

TEST(RunFile, AHugeReservedOffsetIsATear) {
  Builder file = whole_file();
  file.head().reserved = uint64_t{1} << 62;
  Result<RunFile> read = parse(file.bytes, "x.run");
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->tear);
  EXPECT_EQ(read->records.size(), kRecords);
}

TEST(RunFile, NamesTheFileThatCannotBeRead) {
  Result<RunFile> missing = read("/nonexistent/x.run");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().what, "/nonexistent/x.run: no such file");
  Result<RunFile> folder = read("/");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().what, "/: not a regular file");
}

TEST(RunFile, KindsHaveTheNamesOfTheList) {
  EXPECT_EQ(kind_name(1), "start");
  EXPECT_EQ(kind_name(4), "heap");
  EXPECT_EQ(kind_name(0), "unknown");
}

} // namespace
} // namespace culprit::run
