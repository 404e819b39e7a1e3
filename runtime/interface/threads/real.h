// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of libc's behind those of this folder. In a dynamic executable ours are found
// before libc's, and these by dlsym. In a static one libc's own names for them are asked for at the
// link (engine/build/flavour.cpp).
#pragma once

#include <dlfcn.h>
#include <pthread.h>

#define CULPRIT_PUBLIC extern "C" __attribute__((visibility("default")))

#pragma weak dlsym
// libc's names. NOLINTBEGIN(readability-identifier-naming)
extern "C" {
__attribute__((weak)) int __pthread_create_2_1(pthread_t *, const pthread_attr_t *,
                                               void *(*)(void *), void *);
__attribute__((weak)) int __pthread_join(pthread_t, void **);
__attribute__((weak)) int __pthread_detach(pthread_t);
__attribute__((weak)) int __pthread_cancel(pthread_t);
__attribute__((weak)) int __pthread_once(pthread_once_t *, void (*)());
}
// NOLINTEND(readability-identifier-naming)

namespace culprit::real {

template <typename Function> Function *find(Function *in_static, const char *name) {
  if (in_static)
    return in_static;
  return &dlsym ? reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name)) : nullptr;
}

} // namespace culprit::real

#define CULPRIT_REAL(in_static, name)                                                              \
  ([] {                                                                                            \
    static decltype(&(in_static)) found;                                                           \
    if (!found)                                                                                    \
      found = culprit::real::find(&(in_static), name);                                             \
    return found;                                                                                  \
  }())
