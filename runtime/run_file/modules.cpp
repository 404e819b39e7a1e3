// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loaded objects as the dynamic loader lists them (dl_iterate_phdr; a static executable lists
// itself). The loader counts how many were ever added, so "anything new?" costs one call that stops
// at the first object. What was recorded is kept here with its path: in the child of a fork the
// loader's lock may be held by a thread that does not exist there, so the child's file gets its
// modules from this list and the loader is not asked.
#include "runtime/os/lock.h"
#include "runtime/os/memory.h"
#include "runtime/run_file/process_records.h"
#include "runtime/run_file/writer.h"

#include <elf.h>
#include <link.h>

#pragma weak _dl_find_object // glibc 2.35

namespace culprit::run_file {
namespace {

struct Seen {
  culprit_record_module module;
  const char *path;
};

constexpr size_t kMaxModules = 4096; // beyond: not recorded
constexpr size_t kMaxPathBytes = size_t{16} << 20;
os::Lock g_lock;
Seen g_seen[kMaxModules];
size_t g_seen_count;
os::Range g_paths;
size_t g_paths_used;
unsigned long long g_adds;

void find_build_id(const dl_phdr_info *info, const ElfW(Phdr) & header,
                   culprit_record_module &module) {
  const char *note = reinterpret_cast<const char *>(info->dlpi_addr + header.p_vaddr);
  const char *end = note + header.p_memsz;
  while (note + sizeof(ElfW(Nhdr)) <= end) {
    const auto *entry = reinterpret_cast<const ElfW(Nhdr) *>(note);
    const char *name = note + sizeof *entry;
    const char *value = name + ((entry->n_namesz + 3) & ~3u);
    const char *next = value + ((entry->n_descsz + 3) & ~3u);
    if (next > end || next <= note)
      return;
    if (entry->n_type == NT_GNU_BUILD_ID && entry->n_namesz == 4 &&
        __builtin_memcmp(name, "GNU", 4) == 0 && entry->n_descsz <= sizeof module.build_id) {
      __builtin_memcpy(module.build_id, value, entry->n_descsz);
      module.build_id_length = entry->n_descsz;
      return;
    }
    note = next;
  }
}

culprit_record_module describe(const dl_phdr_info *info) {
  culprit_record_module module{};
  module.base = info->dlpi_addr;
  module.low = ~uint64_t{0};
  for (ElfW(Half) i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &header = info->dlpi_phdr[i];
    if (header.p_type == PT_LOAD) {
      uint64_t low = info->dlpi_addr + header.p_vaddr;
      module.low = low < module.low ? low : module.low;
      module.high = low + header.p_memsz > module.high ? low + header.p_memsz : module.high;
    }
    if (header.p_type == PT_NOTE && !module.build_id_length)
      find_build_id(info, header, module);
  }
  return module;
}

const char *keep_path(const char *path, size_t length) {
  if (!g_paths.start && !g_paths.create(0, kMaxPathBytes))
    return nullptr;
  if (!g_paths.grow(g_paths_used + length, 0))
    return nullptr;
  char *kept = g_paths.start + g_paths_used;
  __builtin_memcpy(kept, path, length);
  g_paths_used += length;
  return kept;
}

void append_seen(const Seen &seen) {
  Part parts[] = {{&seen.module, sizeof seen.module}, {seen.path, seen.module.path_length}};
  append(CULPRIT_RECORD_module, parts, 2);
}

bool is_seen(const culprit_record_module &module) {
  for (size_t i = 0; i < g_seen_count; ++i)
    if (g_seen[i].module.base == module.base && g_seen[i].module.low == module.low &&
        g_seen[i].module.high == module.high)
      return true;
  return false;
}

int count_added(dl_phdr_info *info, size_t, void *result) {
  *static_cast<unsigned long long *>(result) = info->dlpi_adds + info->dlpi_subs;
  return 1;
}

int append_module(dl_phdr_info *info, size_t, void *) {
  culprit_record_module module = describe(info);
  if (is_seen(module) || g_seen_count == kMaxModules)
    return 0;
  const char *path = info->dlpi_name ? info->dlpi_name : "";
  size_t length = 0;
  while (path[length] && length < 4096)
    ++length;
  const char *kept = keep_path(path, length);
  module.path_length = kept ? static_cast<uint32_t>(length) : 0;
  g_seen[g_seen_count] = {module, kept};
  append_seen(g_seen[g_seen_count++]);
  return 0;
}

bool is_known(uintptr_t address) {
  for (size_t i = 0; i < __atomic_load_n(&g_seen_count, __ATOMIC_ACQUIRE); ++i)
    if (address >= g_seen[i].module.low && address < g_seen[i].module.high)
      return true;
  return false;
}

} // namespace

// The loader's lock is not taken, and ours not waited for: the caller may be an allocation of the
// loader's.
void append_module_at(uintptr_t address) {
  dl_find_object found{};
  if (!is_open() || is_known(address) || !_dl_find_object ||
      _dl_find_object(reinterpret_cast<void *>(address), &found) != 0)
    return;
  const auto *header = static_cast<const ElfW(Ehdr) *>(found.dlfo_map_start);
  const auto size = static_cast<size_t>(static_cast<const char *>(found.dlfo_map_end) -
                                        static_cast<const char *>(found.dlfo_map_start));
  if (size < sizeof *header || __builtin_memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_phoff > size || header->e_phnum * sizeof(ElfW(Phdr)) > size - header->e_phoff)
    return;
  dl_phdr_info info{};
  info.dlpi_addr = found.dlfo_link_map->l_addr;
  info.dlpi_name = found.dlfo_link_map->l_name;
  info.dlpi_phdr = reinterpret_cast<const ElfW(Phdr) *>(reinterpret_cast<const char *>(header) +
                                                        header->e_phoff);
  info.dlpi_phnum = header->e_phnum;
  if (!g_lock.try_acquire())
    return;
  append_module(&info, 0, nullptr);
  g_lock.release();
}

void append_new_modules() {
  if (!is_open())
    return;
  unsigned long long adds = 0;
  dl_iterate_phdr(count_added, &adds);
  os::Hold hold(g_lock);
  if (adds == g_adds)
    return;
  g_adds = adds;
  dl_iterate_phdr(append_module, nullptr);
}

void append_modules_again() {
  for (size_t i = 0; i < g_seen_count; ++i)
    append_seen(g_seen[i]);
}

void lock_modules() { g_lock.acquire(); }
void unlock_modules() { g_lock.release(); }
void reset_modules_lock() { g_lock.reset(); }

} // namespace culprit::run_file
