// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See writer.h.
#include "runtime/run_file/writer.h"

#include "runtime/os/file.h"
#include "runtime/os/lock.h"
#include "runtime/os/memory.h"
#include "runtime/os/process.h"
#include "runtime/start/options.h"
#include "runtime/text.h"

namespace culprit::run_file {
namespace {

constexpr size_t kReserve = size_t{64} << 30;
constexpr size_t kSmallestReserve = size_t{1} << 20;
constexpr size_t kFirstPart = size_t{64} * 1024; // every forked child of a make pays this much disk
constexpr size_t kLargestPart = size_t{64} << 20;

struct Writer {
  char *start; // null: no file
  size_t reserve;
  size_t mapped;
  uint32_t pid;
  os::FileIdentity identity;
  char path[sizeof(start::path) + 32];
};

Writer g_writer;
os::Lock g_grow_lock;
int g_grow_owner; // thread id

culprit_run_header *header() { return reinterpret_cast<culprit_run_header *>(g_writer.start); }

os::Create create_named(uint32_t pid, bool plain_name) {
  const char *wanted = start::options().run.text;
  size_t end = text::append(g_writer.path, 0, wanted);
  if (plain_name) {
    os::Create result = os::create_file(g_writer.path, g_writer.identity);
    if (result != os::Create::exists)
      return result;
  }
  end = text::append(g_writer.path, end, ".");
  end = text::append(g_writer.path, end, pid);
  os::Create result = os::create_file(g_writer.path, g_writer.identity);
  // The same pid again: an image that executed itself more than once, or a number used anew.
  for (uint32_t suffix = 2; result == os::Create::exists && suffix < 1'000'000; ++suffix) {
    text::append(g_writer.path, text::append(g_writer.path, end, "."), suffix);
    result = os::create_file(g_writer.path, g_writer.identity);
  }
  return result;
}

bool map_more(size_t needed) {
  size_t mapped = g_writer.mapped;
  while (mapped < needed) {
    size_t part = mapped < kFirstPart ? kFirstPart : mapped < kLargestPart ? mapped : kLargestPart;
    if (mapped + part > g_writer.reserve)
      return false;
    if (!os::map_file_part(g_writer.path, g_writer.identity, mapped, part, g_writer.start + mapped))
      return false;
    mapped += part;
    __atomic_store_n(&g_writer.mapped, mapped, __ATOMIC_RELEASE);
  }
  return true;
}

bool ensure_mapped(size_t needed) {
  if (needed <= __atomic_load_n(&g_writer.mapped, __ATOMIC_ACQUIRE))
    return true;
  int self = os::thread_id();
  if (__atomic_load_n(&g_grow_owner, __ATOMIC_RELAXED) == self)
    return false; // a signal handler above our own growing
  os::Hold hold(g_grow_lock);
  __atomic_store_n(&g_grow_owner, self, __ATOMIC_RELAXED);
  bool done = map_more(needed);
  __atomic_store_n(&g_grow_owner, 0, __ATOMIC_RELAXED);
  return done;
}

void open_named(bool plain_name) {
  if (!start::options().run.text[0])
    return;
  auto pid = static_cast<uint32_t>(os::process_id());
  if (create_named(pid, plain_name) != os::Create::made)
    return;
  char *start;
  size_t reserve = kReserve;
  while (!(start = os::reserve(0, reserve))) {
    reserve /= 2;
    if (reserve < kSmallestReserve)
      return;
  }
  g_writer.start = start;
  g_writer.reserve = reserve;
  g_writer.mapped = 0;
  g_writer.pid = pid;
  if (!map_more(kFirstPart)) {
    g_writer.start = nullptr;
    os::release(start, reserve);
    return;
  }
  culprit_run_header *head = header();
  head->version = CULPRIT_RUN_VERSION;
  head->header_size = sizeof *head;
  head->byte_order = CULPRIT_RUN_BYTE_ORDER;
  head->pid = pid;
  head->start_wall_ns = os::wall_clock_ns();
  head->start_monotonic_ns = os::monotonic_ns();
  head->reserved = sizeof *head;
  head->committed = sizeof *head;
  __atomic_store_n(&head->magic, CULPRIT_RUN_MAGIC, __ATOMIC_RELEASE);
}

// Moves `committed` over every whole record behind it, ours and those others finished before us.
void advance_committed() {
  culprit_run_header *head = header();
  uint64_t at = __atomic_load_n(&head->committed, __ATOMIC_ACQUIRE);
  for (;;) {
    if (at >= __atomic_load_n(&head->reserved, __ATOMIC_ACQUIRE) ||
        at + sizeof(culprit_record) > __atomic_load_n(&g_writer.mapped, __ATOMIC_ACQUIRE))
      return;
    auto *record = reinterpret_cast<culprit_record *>(g_writer.start + at);
    if (!__atomic_load_n(&record->commit, __ATOMIC_ACQUIRE))
      return;
    uint64_t next = at + record->size;
    if (__atomic_compare_exchange_n(&head->committed, &at, next, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
      at = next;
  }
}

} // namespace

void open_first() { open_named(true); }

void open_in_child() {
  char *start = g_writer.start;
  if (!start)
    return;
  g_writer.start = nullptr;
  os::release(start, g_writer.reserve);
  open_named(false);
}

bool is_open() { return g_writer.start != nullptr; }

bool is_own_file(int pid) { return g_writer.start && g_writer.pid == static_cast<uint32_t>(pid); }

void append(culprit_record_kind kind, const Part *parts, size_t count) {
  if (!is_own_file(os::process_id()))
    return;
  culprit_run_header *head = header();
  size_t size = sizeof(culprit_record);
  for (size_t i = 0; i < count; ++i)
    size += parts[i].size;
  size = (size + 7) & ~size_t{7};
  if (size > CULPRIT_RUN_RECORD_MAX) {
    __atomic_fetch_add(&head->lost, 1, __ATOMIC_RELAXED);
    return;
  }
  // Room is mapped first and reserved by compare-and-swap, so that a record lost for want of room
  // leaves no hole that would end the file for the reader.
  uint64_t at = __atomic_load_n(&head->reserved, __ATOMIC_RELAXED);
  do {
    if (!ensure_mapped(at + size)) {
      __atomic_fetch_add(&head->lost, 1, __ATOMIC_RELAXED);
      return;
    }
  } while (!__atomic_compare_exchange_n(&head->reserved, &at, at + size, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED));
  auto *record = reinterpret_cast<culprit_record *>(g_writer.start + at);
  record->size = static_cast<uint32_t>(size);
  record->kind = static_cast<uint16_t>(kind);
  record->flags = 0;
  record->thread = static_cast<uint32_t>(os::thread_id());
  char *to = reinterpret_cast<char *>(record + 1); // fresh file memory: the padding is zero already
  for (size_t i = 0; i < count; ++i) {
    __builtin_memcpy(to, parts[i].data, parts[i].size);
    to += parts[i].size;
  }
  __atomic_store_n(&record->commit, culprit_record_checksum(record, at), __ATOMIC_RELEASE);
  advance_committed();
}

void lock_writer() { g_grow_lock.acquire(); }
void unlock_writer() { g_grow_lock.release(); }
void reset_writer_lock() { g_grow_lock.reset(); }

} // namespace culprit::run_file
