// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See allocations.h. Only the thread that began is told of: the order of others is not the same in
// two runs.
#include "runtime/explain/allocations.h"

#include "abi/indexing.h"
#include "runtime/explain/file.h"
#include "runtime/os/process.h"
#include "runtime/start/options.h"

namespace culprit::explain {

bool g_telling_allocations;

namespace {

File g_file;
int g_pid;
thread_local bool t_told;

} // namespace

void begin_allocations() {
  const start::Options &options = start::options();
  if (!options.allocations.text[0])
    return;
  g_pid = os::process_id();
  g_telling_allocations = g_file.create(
      options.allocations.text, options.allocations_limit * sizeof(culprit_told_allocation));
  t_told = true;
}

void write_allocation(uint64_t index, uint64_t size) {
  if (!t_told)
    return;
  if (auto *row =
          static_cast<culprit_told_allocation *>(g_file.append(sizeof(culprit_told_allocation))))
    *row = {index, size};
}

void finish_allocations() {
  if (g_telling_allocations && g_pid == os::process_id())
    g_file.finish();
  g_telling_allocations = false;
}

void forget_allocations() { g_telling_allocations = false; }

} // namespace culprit::explain
