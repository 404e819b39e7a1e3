// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions are queues of the scheduler's: nothing is kept in the object.
#pragma once

#include <pthread.h>
#include <stdint.h>

namespace culprit::interface {

int wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t nanoseconds);

} // namespace culprit::interface
