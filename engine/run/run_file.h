// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Run files: bytes → header and typed records. The one reader of abi/run_file.h; docs/formats.md
// has the layout.
//
// Two kinds of imperfect file are told apart. A torn one ends in the middle of a record: the target
// was killed while writing, or the file was cut. Everything before the tear is returned, and `tear`
// says where it is. A damaged one contradicts itself (wrong checksum, sizes that lead nowhere):
// that is an Error, since nothing after the damage can be trusted and nothing before it says why.
// Rules: no trust in any number of the file before it is compared with the number of bytes there
// are.
#pragma once

#include "abi/run_file.h"
#include "engine/error.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace culprit::run {

struct Header {
  uint32_t pid;
  uint64_t start_wall_ns;
  uint64_t start_monotonic_ns;
  uint64_t lost; // records the runtime had to drop
};

struct ProcessStart {
  uint32_t pid;
  uint32_t parent;
  bool forked;
  std::string executable;
  std::string argument; // argv[0]
};

struct Module {
  uint64_t base;
  uint64_t low;
  uint64_t high;
  std::vector<uint8_t> build_id;
  std::string path; // empty: the executable
};

struct ProcessExit {
  int status;
  bool without_handlers; // by _exit
};

struct HeapSummary {
  culprit_record_heap numbers;
};

// The records of the monitor flavour, in the words of abi/run_file.h. Rows are whole: the reader
// has compared their count with the size of the payload.
struct Unit {
  uint64_t id;
  uint32_t base;
  uint32_t sites;
};

// A call of an allocation function in a program that is run as it is.
// The records of the Valgrind tool.
struct NativeAccess {
  culprit_record_native_access numbers;
};
struct NativeVariable {
  culprit_record_native_variable numbers;
  std::string symbol;
};
// What debug information describes.
struct NativeObject {
  culprit_record_native_object numbers;
  std::string name;
  std::string function;
  std::string file;
  std::string type;
  std::string member;
};

struct NativeSite {
  uint32_t number;
  uint64_t address; // that it returns to
};

struct Context {
  uint32_t number;
  uint64_t chain;
};

struct MetricPoint {
  culprit_record_point numbers;
};

struct PointContexts {
  uint32_t index;
  std::vector<culprit_context_cells> rows;
};

struct Verify {
  culprit_record_verify numbers;
};

struct Stack {
  uint32_t index;
  uint16_t metric; // culprit_degree_metric
  uint16_t when;   // culprit_stack_when
  bool high;
  std::vector<uint64_t> addresses; // innermost first
};

struct Blame {
  uint32_t index;
  std::vector<culprit_blame_row> rows;
};

struct Neighbourhood {
  culprit_record_neighbourhood vertex;
  std::vector<culprit_neighbour> neighbours;
};

// The records of the access flavours.
struct AccessUnit {
  uint64_t id;
  uint32_t row_base;
  uint32_t rows;
};

struct ObjectName {
  culprit_record_name numbers; // kind is a culprit_name_kind, number is not CULPRIT_NO_NAME
};

struct AccessMet {
  culprit_record_access numbers;
  std::vector<uint64_t> addresses; // innermost first
};

struct AccessCounts {
  std::vector<culprit_count_row> rows;
};

struct Period {
  uint32_t period; // from 1
  uint64_t work;
};

struct Watch {
  culprit_record_watch numbers;
};

// The records of the locate flavours; ids as abi/locate.h has them.
struct Crash {
  culprit_record_crash numbers;    // kind is a culprit_crash_kind
  std::vector<uint64_t> addresses; // innermost first
};

struct Fired {
  culprit_record_fired numbers;
};

struct Target {
  culprit_record_target numbers;
  std::vector<uint64_t> addresses; // innermost first
};

struct Arguments {
  culprit_record_arguments numbers;
};

struct Astray {
  culprit_record_astray numbers;
  std::vector<uint64_t> addresses; // innermost first
};

struct Assembled {
  culprit_record_assembled numbers;
};

struct Brought {
  culprit_record_brought numbers;
  std::vector<uint64_t> addresses; // innermost first
};

// A kind this reader does not know: a newer runtime wrote it.
struct Unknown {
  uint16_t kind;
  std::vector<std::byte> payload;
};

struct Record {
  uint64_t offset;
  uint32_t thread;
  std::variant<ProcessStart, Module, ProcessExit, HeapSummary, Unit, NativeSite, NativeAccess,
               NativeVariable, NativeObject, Context, MetricPoint, PointContexts, Verify, Stack,
               Blame, Neighbourhood, AccessUnit, ObjectName, AccessMet, AccessCounts, Period, Watch,
               Crash, Fired, Target, Arguments, Astray, Assembled, Brought, Unknown>
      what;
};

struct Tear {
  uint64_t record; // number of the record that is not whole, from 0
  uint64_t offset;
  std::string why;
};

struct RunFile {
  Header header;
  std::vector<Record> records;
  std::optional<Tear> tear;
};

// `name` is how errors call the file.
Result<RunFile> parse(std::span<const std::byte> bytes, std::string_view name);
Result<RunFile> read(const std::filesystem::path &path);

// The kind a record was read from.
uint16_t kind_of(const Record &record);

// "start", "module", …; "unknown" for what abi/records.def does not list.
std::string_view kind_name(uint16_t kind);

} // namespace culprit::run
