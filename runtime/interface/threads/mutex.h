// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mutexes in libc's own layout, so that its static initialisers and pthread_mutex_init hold. Nobody
// else runs meanwhile, so plain loads and stores do. The lock word: 0 free, 1 taken, 2 taken and
// somebody waits.
#pragma once

#include <pthread.h>
#include <stdint.h>

namespace culprit::interface {

// 0, EBUSY, EDEADLK, EAGAIN or EOWNERDEAD, as pthread_mutex_trylock of its kind.
int try_lock(pthread_mutex_t *mutex);
int lock(pthread_mutex_t *mutex, uint64_t nanoseconds);
int unlock(pthread_mutex_t *mutex);

} // namespace culprit::interface
