// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dlclose, in programs that run as they are: what is about to go is recorded, so that its call
// sites have a name, and what is known of its code is forgotten, because other code may come to lie
// there.
#include "runtime/monitor/native_sites.h"
#include "runtime/run_file/process_records.h"

#include <link.h>

extern "C" __attribute__((visibility("default"))) int dlclose(void *handle) noexcept {
  using Dlclose = int (*)(void *);
  static Dlclose real;
  if (!real)
    real = reinterpret_cast<Dlclose>(dlsym(RTLD_NEXT, "dlclose"));
  culprit::run_file::append_new_modules();
  const int result = real(handle);
  culprit::monitor::forget_unloaded_sites();
  return result;
}
