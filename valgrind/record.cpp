// SPDX-License-Identifier: GPL-2.0-or-later
#include "valgrind/record.h"

// Moves a descriptor out of the program's way, to be closed by exec. The core's own; its public
// headers leave it out.
extern "C" Int VG_(safe_fd)(Int file);

namespace culprit::deep {
namespace {

Int g_file = -1;
culprit_run_header g_header;

ULong nanoseconds(vki_clockid_t clock) {
  vki_timespec now{};
  VG_(clock_gettime)(&now, clock);
  return static_cast<ULong>(now.tv_sec) * 1000000000u + static_cast<ULong>(now.tv_nsec);
}

bool write_at(ULong offset, const void *bytes, SizeT size) {
  if (VG_(lseek)(g_file, static_cast<Off64T>(offset), VKI_SEEK_SET) < 0)
    return false;
  return VG_(write)(g_file, bytes, static_cast<Int>(size)) == static_cast<Int>(size);
}

} // namespace

bool open_run_file(const HChar *path) {
  if (path == nullptr || *path == '\0')
    return true;
  const SysRes opened = VG_(open)(path, VKI_O_CREAT | VKI_O_EXCL | VKI_O_RDWR, 0644);
  if (sr_isError(opened))
    return false;
  g_file = VG_(safe_fd)(static_cast<Int>(sr_Res(opened)));
  g_header = {};
  g_header.magic = CULPRIT_RUN_MAGIC;
  g_header.version = CULPRIT_RUN_VERSION;
  g_header.header_size = sizeof g_header;
  g_header.byte_order = CULPRIT_RUN_BYTE_ORDER;
  g_header.pid = static_cast<UInt>(VG_(getpid)());
  g_header.start_wall_ns = nanoseconds(VKI_CLOCK_REALTIME);
  g_header.start_monotonic_ns = nanoseconds(VKI_CLOCK_MONOTONIC);
  g_header.reserved = g_header.committed = sizeof g_header;
  return write_at(0, &g_header, sizeof g_header);
}

void leave_run_file() {
  if (g_file >= 0)
    VG_(close)(g_file);
  g_file = -1;
}

void write_record(culprit_record_kind kind, Part first, Part second, Part third) {
  static ULong room[CULPRIT_RUN_RECORD_MAX / 8];
  if (g_file < 0)
    return;
  const SizeT size = (sizeof(culprit_record) + first.size + second.size + third.size + 7) / 8 * 8;
  if (size > sizeof room) {
    ++g_header.lost;
    return;
  }
  auto *record = reinterpret_cast<culprit_record *>(room);
  auto *bytes = reinterpret_cast<UChar *>(room);
  room[size / 8 - 1] = 0;
  SizeT at = sizeof *record;
  const Part parts[] = {first, second, third};
  for (const Part &part : parts) {
    if (part.size != 0)
      VG_(memcpy)(bytes + at, part.bytes, part.size);
    at += part.size;
  }
  *record = {.size = static_cast<UInt>(size),
             .kind = static_cast<UShort>(kind),
             .flags = 0,
             .thread = static_cast<UInt>(VG_(gettid)()),
             .commit = 0};
  record->commit = culprit_record_checksum(record, g_header.committed);
  if (!write_at(g_header.committed, room, size)) {
    ++g_header.lost;
    return;
  }
  g_header.committed += size;
  g_header.reserved = g_header.committed;
  write_at(0, &g_header, sizeof g_header);
}

} // namespace culprit::deep
