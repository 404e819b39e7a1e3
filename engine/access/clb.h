// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Check Look-aside Buffer of the paper, exactly: a fully associative table of a few entries,
// each the start and end of an object and a Bloom vector of 128 bits, replaced least recently used
// first.
//
// The vector is four words of 32 bits; bits 2 to 21 of the program counter are four indexes of five
// bits, one for each word. An access whose object has an entry and whose four bits are set is
// filtered. Otherwise the run-time system looks the pair up: a known pair puts the object with its
// whole access set into the table (the entry is refreshed if it was there); an outlier is a
// suspect and changes nothing. What is filtered although it is an outlier is a false positive of
// the filter, and counted.
// As in the paper, an object is a whole variable or block: the sets of its members are united here.
// Program counters: access sites are numbered from 0 as the program's tables list them, and number
// k stands for program counter 4 k, so that bits 2 to 21 are k and no two of the first 2^20 sites
// share them.
// A block that is freed leaves the table when the paper's run-time system ceases to watch it;
// events do not tell frees, so here it leaves when its memory is next seen to be another object.
#pragma once

#include "engine/access/learn.h"
#include "engine/access/run.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace culprit::access {

struct BloomVector {
  std::array<uint32_t, 4> words{};
  void add(uint64_t pc);
  bool has(uint64_t pc) const;
};

class Clb {
public:
  explicit Clb(size_t entries) : capacity_(entries) {}
  enum class Answer { miss, filtered, refused }; // no entry; pair passes; entry, but not this pair
  Answer look(uint64_t address, uint64_t pc);    // a filtered access makes its entry the youngest
  void insert(uint64_t start, uint64_t end, uint64_t object, const BloomVector &set);
  // This object lives here: entries of others that overlap it are dropped.
  void lives(uint64_t start, uint64_t end, uint64_t object);
  size_t size() const { return entries_.size(); }

private:
  struct Entry {
    uint64_t start;
    uint64_t end; // behind the last byte
    uint64_t object;
    BloomVector set;
  };
  size_t capacity_;
  std::vector<Entry> entries_; // youngest first
};

struct ClbColumn {
  size_t entries = 0;
  bool reads = false;           // read-write; otherwise writes only
  uint64_t before = 0;          // monitored accesses
  uint64_t after = 0;           // that reached the run-time system
  uint64_t false_positives = 0; // outliers that the Bloom vector let pass
  double hit_ratio() const {
    return before == 0 ? 0 : static_cast<double>(before - after) / static_cast<double>(before);
  }
};

struct ClbReport {
  std::vector<ClbColumn> columns; // writes only, then read-write; entries ascending
  uint64_t events = 0;            // read from the file
  bool reads_from_run = false;    // the model knows no reads: sets of readers are those of this run
  uint64_t unmonitored = 0;       // accesses to memory without a name
  uint64_t monitored_bytes = 0;   // at most at one time
  size_t alarms_before_pruning = 0; // distinct outliers, writes only
  size_t alarms_after_pruning = 0;
  size_t read_alarms_before_pruning = 0; // and read-write
  size_t read_alarms_after_pruning = 0;
};

// `events`: the file the option `events` named.
Result<ClbReport> measure_clb(const std::filesystem::path &events, const AccessRun &run,
                              const AccessModel &model, const AccessSettings &settings);
ClbReport measure_clb(std::span<const culprit_event> events, const AccessRun &run,
                      const AccessModel &model, const AccessSettings &settings);

} // namespace culprit::access
