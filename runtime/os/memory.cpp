// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See memory.h. Constants of mmap are spelled by the kernel's header, not by libc's.
#include "runtime/os/memory.h"

#include "runtime/os/syscall.h"

#include <linux/mman.h>

namespace culprit::os {

char *reserve(uintptr_t preferred, size_t bytes) {
  constexpr long kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (preferred) {
    long result = system_call(SYS_mmap, static_cast<long>(preferred), static_cast<long>(bytes),
                              PROT_NONE, kFlags | MAP_FIXED_NOREPLACE, -1, 0);
    // A kernel before 4.17 takes the address as a hint and may answer with another one.
    if (!failed(result) && static_cast<uintptr_t>(result) == preferred)
      return reinterpret_cast<char *>(result);
    if (!failed(result))
      release(reinterpret_cast<char *>(result), bytes);
  }
  long result = system_call(SYS_mmap, 0, static_cast<long>(bytes), PROT_NONE, kFlags, -1, 0);
  return failed(result) ? nullptr : reinterpret_cast<char *>(result);
}

void release(char *start, size_t bytes) {
  system_call(SYS_munmap, reinterpret_cast<long>(start), static_cast<long>(bytes));
}

bool make_usable(char *start, size_t bytes) {
  return !failed(system_call(SYS_mprotect, reinterpret_cast<long>(start), static_cast<long>(bytes),
                             PROT_READ | PROT_WRITE));
}

int change_rights(uintptr_t start, size_t bytes, int rights) {
  const long result =
      system_call(SYS_mprotect, static_cast<long>(start), static_cast<long>(bytes), rights);
  return failed(result) ? static_cast<int>(-result) : 0;
}

bool can_read(int rights) { return rights & (PROT_READ | PROT_WRITE); }

bool make_code_writable(char *start, size_t bytes) {
  auto from = reinterpret_cast<uintptr_t>(start) & ~(kOsPage - 1);
  uintptr_t end = (reinterpret_cast<uintptr_t>(start) + bytes + kOsPage - 1) & ~(kOsPage - 1);
  return !failed(system_call(SYS_mprotect, static_cast<long>(from), static_cast<long>(end - from),
                             PROT_READ | PROT_WRITE | PROT_EXEC));
}

void make_unusable(char *start, size_t bytes) {
  purge(start, bytes);
  system_call(SYS_mprotect, reinterpret_cast<long>(start), static_cast<long>(bytes), PROT_NONE);
}

char *map_sparse(uintptr_t fixed, size_t bytes) {
  constexpr long kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  long result =
      system_call(SYS_mmap, static_cast<long>(fixed), static_cast<long>(bytes),
                  PROT_READ | PROT_WRITE, kFlags | (fixed ? MAP_FIXED_NOREPLACE : 0), -1, 0);
  if (failed(result))
    return nullptr;
  if (fixed && static_cast<uintptr_t>(result) != fixed) {
    release(reinterpret_cast<char *>(result), bytes);
    return nullptr;
  }
  system_call(SYS_madvise, result, static_cast<long>(bytes), MADV_NOHUGEPAGE);
  system_call(SYS_madvise, result, static_cast<long>(bytes), MADV_DONTDUMP);
  return reinterpret_cast<char *>(result);
}

void use_huge_pages(char *start, size_t bytes) {
  auto from = reinterpret_cast<uintptr_t>(start) & ~(kOsPage - 1);
  uintptr_t end = (reinterpret_cast<uintptr_t>(start) + bytes + kOsPage - 1) & ~(kOsPage - 1);
  system_call(SYS_madvise, static_cast<long>(from), static_cast<long>(end - from), MADV_HUGEPAGE);
}

void make_huge(char *start, size_t bytes) {
  constexpr long kCollapse = 25; // MADV_COLLAPSE, which older headers do not have
  system_call(SYS_madvise, reinterpret_cast<long>(start), static_cast<long>(bytes), kCollapse);
}

void purge(char *start, size_t bytes) {
  system_call(SYS_madvise, reinterpret_cast<long>(start), static_cast<long>(bytes), MADV_DONTNEED);
}

bool Range::create(uintptr_t preferred, size_t bytes) {
  start = reserve(preferred, bytes);
  reserved = start ? bytes : 0;
  usable = 0;
  return start != nullptr;
}

void Range::destroy() {
  if (start)
    release(start, reserved);
  *this = {};
}

bool Range::grow(size_t bytes, size_t step) {
  if (bytes <= usable)
    return true;
  if (bytes > reserved)
    return false;
  size_t target = (bytes + kOsPage - 1) & ~(kOsPage - 1);
  if (target - usable < step)
    target = reserved - usable < step ? reserved : usable + step;
  if (!make_usable(start + usable, target - usable))
    return false;
  usable = target;
  return true;
}

} // namespace culprit::os
