// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hooks as instrumented code declares them, and a store with its barrier: what the pass would
// have made of the tests' code.
#pragma once

#include "abi/monitor.h"

#include <stddef.h>
#include <stdint.h>

extern "C" {
void __culprit_card_dirty(const void *) __attribute__((preserve_all));
void __culprit_work_done() __attribute__((preserve_all));
void __culprit_wrote(const void *, uint64_t);
void __culprit_native_wrote(const void *);
void __culprit_native_keeps(const void *);
void __culprit_register_unit(culprit_unit *);
void __culprit_blame_before(const void *, uint64_t, uint32_t);
void __culprit_blame_after(const void *, uint64_t, uint32_t);
void __culprit_blame_freeing(const void *, uint32_t);
void __culprit_blame_free(const void *, uint32_t);
void *__culprit_malloc(size_t);
void *__culprit_malloc_exact(size_t);
void *__culprit_malloc_lone(size_t);
void *__culprit_calloc(size_t, size_t);
void *__culprit_realloc(void *, size_t);
void *__culprit_memalign(size_t, size_t);
char *__culprit_strdup(const char *);
char *__culprit_strndup(const char *, size_t);
void *__culprit_new(size_t);
extern __thread int64_t __culprit_countdown;
extern __thread uint64_t __culprit_context;
}

namespace culprit::monitor {

// Sanitizers move their own shadow over the heap: only the value of the word matters to them.
inline void store(void *at, const void *value) {
  __atomic_store_n(static_cast<const void **>(at), value, __ATOMIC_RELAXED);
  auto *card = reinterpret_cast<const uint8_t *>(
      CULPRIT_CARD_BASE + (reinterpret_cast<uintptr_t>(at) >> CULPRIT_CARD_SHIFT));
  if (__atomic_load_n(card, __ATOMIC_RELAXED) == CULPRIT_CARD_CLEAN)
    __culprit_card_dirty(at);
}

inline void enter_function() {
  if (--__culprit_countdown < 0)
    __culprit_work_done();
}

} // namespace culprit::monitor
