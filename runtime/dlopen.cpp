// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dlopen and dlmopen of the target: the object service is asked which file to load instead (the
// flavour of the object that was asked for), then the real function goes on. By a tail call,
// checked by the compiler: the loader finds the caller, and with it RPATH, $ORIGIN and the
// namespace, by its return address, so no frame of ours may stand between. Hence no work after the
// load, either. No service, no answer, no room: what was asked for is loaded. The real functions
// come from dlsym, which is weak: a static executable may not have it. There, ___dlopen is libc's
// own name for the function we replace; name it at the link (-u ___dlopen) if a static target is to
// load objects.
#include "abi/object_service.h"
#include "runtime/os/file.h"
#include "runtime/os/socket.h"
#include "runtime/run_file/process_records.h"
#include "runtime/start/options.h"

#include <link.h>

#define CULPRIT_PUBLIC extern "C" __attribute__((visibility("default")))

#pragma weak dlsym
extern "C" __attribute__((weak)) void *___dlopen(const char *name, int mode);

namespace {

using Dlopen = void *(*)(const char *, int);
using Dlmopen = void *(*)(Lmid_t, const char *, int);

// The answer outlives the call of this function: it must be valid inside the real dlopen, where our
// frame is gone.
__thread char g_answer[CULPRIT_OBJECT_ANSWER_MAX + 1];

struct CallerFile {
  uintptr_t address;
  const char *name; // null: not found
};

int match_caller(dl_phdr_info *info, size_t, void *result) {
  auto *caller = static_cast<CallerFile *>(result);
  for (ElfW(Half) i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &header = info->dlpi_phdr[i];
    if (header.p_type == PT_LOAD &&
        caller->address - (info->dlpi_addr + header.p_vaddr) < header.p_memsz) {
      caller->name = info->dlpi_name;
      return 1;
    }
  }
  return 0;
}

bool add_text(char *request, size_t &size, const char *text) {
  for (; *text; ++text) {
    if (size + 1 >= CULPRIT_OBJECT_REQUEST_MAX)
      return false;
    request[size++] = *text;
  }
  request[size++] = 0;
  return true;
}

[[gnu::noinline]] const char *replacement(const char *name, void *return_address) {
  culprit::run_file::append_new_modules();
  const char *service = culprit::start::options().objects.text;
  if (!name || !*name || !*service)
    return name;
  CallerFile caller{reinterpret_cast<uintptr_t>(return_address), nullptr};
  dl_iterate_phdr(match_caller, &caller);
  char caller_file[4097] = "";
  if (caller.name && !*caller.name) // the executable has no name in the loader's list
    caller_file[culprit::os::read_link("/proc/self/exe", caller_file, sizeof caller_file - 1)] = 0;
  char directory[4097] = "";
  directory[culprit::os::current_directory(directory, sizeof directory - 1)] = 0;
  char request[CULPRIT_OBJECT_REQUEST_MAX];
  size_t size = 0;
  if (!add_text(request, size, name) ||
      !add_text(request, size, caller.name && *caller.name ? caller.name : caller_file) ||
      !add_text(request, size, directory))
    return name;
  size_t length = culprit::os::ask(service, request, size, g_answer, CULPRIT_OBJECT_ANSWER_MAX);
  if (!length)
    return name;
  g_answer[length] = 0;
  return g_answer;
}

void *no_dlopen(const char *, int) { return nullptr; }
void *no_dlmopen(Lmid_t, const char *, int) { return nullptr; }

Dlopen real_dlopen() {
  void *found = dlsym ? dlsym(RTLD_NEXT, "dlopen") : reinterpret_cast<void *>(___dlopen);
  return found ? reinterpret_cast<Dlopen>(found) : no_dlopen;
}

Dlmopen real_dlmopen() {
  void *found = dlsym ? dlsym(RTLD_NEXT, "dlmopen") : nullptr;
  return found ? reinterpret_cast<Dlmopen>(found) : no_dlmopen;
}

} // namespace

CULPRIT_PUBLIC void *dlopen(const char *name, int mode) {
  const char *file = replacement(name, __builtin_return_address(0));
  Dlopen real = real_dlopen();
  __attribute__((musttail)) return real(file, mode);
}

CULPRIT_PUBLIC void *dlmopen(Lmid_t list, const char *name, int mode) {
  const char *file = replacement(name, __builtin_return_address(0));
  Dlmopen real = real_dlmopen();
  __attribute__((musttail)) return real(list, file, mode);
}
