/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a program may tell culprit about itself. For C and C++; in a plain build, and wherever
 * culprit's runtime is not linked in, every function here does nothing.
 *
 *   culprit_watch_on(address, length, flags, function, data)
 *     Before each access to the range, `function` is called (in a flavour that watches accesses;
 *     reads only in one that watches reads), also of a block that is allocated there later.
 *   culprit_watch_off(address, length, flags, function)
 *     takes back one call of culprit_watch_on with the same four arguments.
 *   culprit_disable(), culprit_enable()
 *     Accesses between the two are not reported, and no function is called; they cost next to
 *     nothing. For the whole process.
 *   culprit_metric_point()
 *     A metric point of the heap here, counted like the others.
 *   culprit_pool_alloc(pool, address, size), culprit_pool_free(pool, address)
 *     An allocator of the program's own hands these bytes out as one object; takes them back.
 * `pool` is any address that stands for the allocator. Explain and index flavours know the object
 * by where in the run it was handed out, as they know blocks of malloc, and zero it (explain). */
#ifndef CULPRIT_WATCH_H
#define CULPRIT_WATCH_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum culprit_watch_flag {
  CULPRIT_WATCH_READ = 1,
  CULPRIT_WATCH_WRITE = 2,
  CULPRIT_WATCH_ALL = 3,
};

/* `where`: the program counter behind the access. What the function itself accesses is not
 * watched. */
typedef void culprit_watcher(const void *address, size_t length, int is_write, const void *where,
                             void *data);

/* The runtime's; the wrappers below are what programs call. */
__attribute__((weak)) int __culprit_watch_on(const void *address, size_t length, unsigned flags,
                                             culprit_watcher *function, void *data);
__attribute__((weak)) int __culprit_watch_off(const void *address, size_t length, unsigned flags,
                                              culprit_watcher *function);
__attribute__((weak)) void __culprit_enable(void);
__attribute__((weak)) void __culprit_disable(void);
__attribute__((weak)) void __culprit_metric_point(void);
__attribute__((weak)) void __culprit_pool_alloc(const void *pool, void *address, size_t size);
__attribute__((weak)) void __culprit_pool_free(const void *pool, const void *address);

/* 1: it is watched now; 0: nobody watches here, or there is no room for one more. */
static inline int culprit_watch_on(const void *address, size_t length, unsigned flags,
                                   culprit_watcher *function, void *data) {
  return __culprit_watch_on ? __culprit_watch_on(address, length, flags, function, data) : 0;
}

/* 1: it was watched. */
static inline int culprit_watch_off(const void *address, size_t length, unsigned flags,
                                    culprit_watcher *function) {
  return __culprit_watch_off ? __culprit_watch_off(address, length, flags, function) : 0;
}

static inline void culprit_enable(void) {
  if (__culprit_enable)
    __culprit_enable();
}

static inline void culprit_disable(void) {
  if (__culprit_disable)
    __culprit_disable();
}

static inline void culprit_metric_point(void) {
  if (__culprit_metric_point)
    __culprit_metric_point();
}

static inline void culprit_pool_alloc(const void *pool, void *address, size_t size) {
  if (__culprit_pool_alloc)
    __culprit_pool_alloc(pool, address, size);
}

static inline void culprit_pool_free(const void *pool, const void *address) {
  if (__culprit_pool_free)
    __culprit_pool_free(pool, address);
}

#ifdef __cplusplus
}
#endif

#endif
