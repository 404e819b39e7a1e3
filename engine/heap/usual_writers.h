// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who usually writes: for each allocation site, which code linked, unlinked and wrote its objects
// in a healthy run, as shares of the site's objects.
//
// Some training runs are executed again in the blame flavour for this. Without it, a function that
// forgets to link can only be found by what others did; with it, one sees who used to do it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace culprit::heap {

struct HeapRun;

// What a blame row has, in this order: linked, unlinked, wrote, changed (abi/run_file.h).
constexpr size_t kWriterRoles = 4;

struct WriterShare {
  uint64_t writer = 0; // static id of the store or free
  uint32_t role = 0;
  float share = 0; // of the site's objects, 0..1
  bool operator==(const WriterShare &) const = default;
};

struct SiteWriters {
  uint64_t site = 0; // static id of the allocation
  std::vector<WriterShare> writers;
  bool operator==(const SiteWriters &) const = default;
};

// Of a run in the blame flavour, at its last blame records; by site, sites with few objects left
// out.
std::vector<SiteWriters> usual_writers(const HeapRun &again);

} // namespace culprit::heap
