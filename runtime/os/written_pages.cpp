// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See written_pages.h.
#include "runtime/os/written_pages.h"

#include "runtime/os/memory.h"
#include "runtime/os/syscall.h"

#include <linux/fcntl.h>
#include <linux/ioctl.h>
#include <linux/userfaultfd.h>

namespace culprit::os {
namespace {

// Linux 6.7's; Debian 12's headers are older.
constexpr uint64_t kFeatureWpAsync = uint64_t{1} << 15;
constexpr uint64_t kScanProtect = 1; // what matches
constexpr uint64_t kScanCheckAsync = 2;
constexpr uint64_t kPageIsWritten = 2;
struct ScanArgument {
  uint64_t size;
  uint64_t flags;
  uint64_t start;
  uint64_t end;
  uint64_t walk_end;
  uint64_t vec;
  uint64_t vec_len;
  uint64_t max_pages;
  uint64_t category_inverted;
  uint64_t category_mask;
  uint64_t category_anyof_mask;
  uint64_t return_mask;
};
struct ScannedRegion {
  uint64_t start;
  uint64_t end;
  uint64_t categories;
};
constexpr long kPagemapScan = _IOWR('f', 16, ScanArgument);
constexpr uint64_t kSoftDirty = uint64_t{1} << 55;

// Out of the way of a target that counts on small numbers, or closes the first few.
constexpr long kHighDescriptor = 900;

constexpr size_t kRegions = 512;
ScannedRegion g_regions[kRegions];
uint64_t g_entries[kRegions];

WrittenBy g_by;
uint64_t g_wish;
uintptr_t g_start;
size_t g_bytes;

long open_own(const char *path, long flags) {
  return system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), flags | O_CLOEXEC, 0);
}
void close_own(long descriptor) { system_call(SYS_close, descriptor); }

long input_output(long descriptor, long request, void *argument) {
  return system_call(SYS_ioctl, descriptor, request, reinterpret_cast<long>(argument));
}

// The descriptor stays open: closing it would end the protection.
bool protect_asynchronously() {
  const long made = system_call(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
  if (failed(made))
    return false;
  long descriptor = system_call(SYS_fcntl, made, F_DUPFD_CLOEXEC, kHighDescriptor);
  if (failed(descriptor))
    descriptor = made; // fewer are allowed
  else
    close_own(made);
  uffdio_api api{UFFD_API, kFeatureWpAsync, 0};
  uffdio_register range{{g_start, g_bytes}, UFFDIO_REGISTER_MODE_WP, 0};
  if (!failed(input_output(descriptor, static_cast<long>(UFFDIO_API), &api)) &&
      !failed(input_output(descriptor, static_cast<long>(UFFDIO_REGISTER), &range)))
    return true;
  close_own(descriptor);
  return false;
}

bool scan(WrittenPages range, long pagemap, WrittenVisitor visit, void *data) {
  ScanArgument argument{};
  argument.size = sizeof argument;
  argument.flags = kScanProtect | kScanCheckAsync;
  argument.end = range.end;
  argument.vec = reinterpret_cast<uint64_t>(g_regions);
  argument.vec_len = kRegions;
  argument.category_mask = kPageIsWritten;
  argument.return_mask = kPageIsWritten;
  for (uint64_t from = range.start; from < range.end; from = argument.walk_end) {
    argument.start = from;
    argument.walk_end = 0;
    const long found = input_output(pagemap, kPagemapScan, &argument);
    if (failed(found) || argument.walk_end <= from)
      return false;
    for (long i = 0; i < found; ++i)
      visit({g_regions[i].start, g_regions[i].end}, data);
  }
  return true;
}

bool clear_soft_dirty() {
  const long descriptor = open_own("/proc/self/clear_refs", O_WRONLY);
  if (failed(descriptor))
    return false;
  const char soft_dirty = '4';
  const long written = system_call(SYS_write, descriptor, reinterpret_cast<long>(&soft_dirty), 1);
  close_own(descriptor);
  return written == 1;
}

bool read_soft_dirty(WrittenPages range, long pagemap, WrittenVisitor visit, void *data) {
  for (uintptr_t from = range.start; from < range.end;) {
    size_t pages = (range.end - from) / kOsPage;
    pages = pages < kRegions ? pages : kRegions;
    const auto bytes = static_cast<long>(pages * sizeof g_entries[0]);
    if (system_call(SYS_pread64, pagemap, reinterpret_cast<long>(g_entries), bytes,
                    static_cast<long>(from / kOsPage * sizeof g_entries[0])) != bytes)
      return false;
    for (size_t i = 0; i < pages; ++i)
      if (g_entries[i] & kSoftDirty)
        visit({from + i * kOsPage, from + (i + 1) * kOsPage}, data);
    from += pages * kOsPage;
  }
  return true;
}

// A kernel without the bits takes the command and keeps them clear: a page written now tells.
bool has_soft_dirty() {
  static volatile char page[2 * kOsPage];
  const auto inside = (reinterpret_cast<uintptr_t>(page) + kOsPage) & ~(kOsPage - 1);
  if (!clear_soft_dirty())
    return false;
  *reinterpret_cast<volatile char *>(inside) = 1;
  const long pagemap = open_own("/proc/self/pagemap", O_RDONLY);
  if (failed(pagemap))
    return false;
  size_t pages = 0;
  const bool read = read_soft_dirty(
      {inside, inside + kOsPage}, pagemap,
      [](WrittenPages, void *count) { ++*static_cast<size_t *>(count); }, &pages);
  close_own(pagemap);
  return read && pages == 1;
}

} // namespace

WrittenBy watch_writes(uintptr_t start, size_t bytes, uint64_t wish) {
  g_start = start;
  g_bytes = bytes;
  g_wish = wish;
  if (wish == 0 && protect_asynchronously())
    g_by = WrittenBy::scanned;
  else
    g_by = wish <= 1 && has_soft_dirty() ? WrittenBy::soft_dirty : WrittenBy::unknown;
  return g_by;
}

// Soft-dirty bits are read before they are cleared; what another thread writes in between is lost
// to this call and to the next. Who asks has one thread, or lives with a point that mixes moments.
bool take_written(const WrittenPages *ranges, size_t count, WrittenVisitor visit, void *data) {
  if (g_by == WrittenBy::unknown)
    return false;
  const long pagemap = open_own("/proc/self/pagemap", O_RDONLY);
  if (failed(pagemap))
    return false;
  bool known = true;
  for (size_t i = 0; i < count && known; ++i)
    known = g_by == WrittenBy::scanned ? scan(ranges[i], pagemap, visit, data)
                                       : read_soft_dirty(ranges[i], pagemap, visit, data);
  close_own(pagemap);
  if (known && g_by == WrittenBy::soft_dirty)
    known = clear_soft_dirty();
  if (!known)
    watch_writes(g_start, g_bytes, g_wish);
  return known;
}

} // namespace culprit::os
