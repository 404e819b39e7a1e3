// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For the threads of C11, which are made of these.
#pragma once

#include <pthread.h>

namespace culprit::interface {

int create_thread(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
                  void *argument);

} // namespace culprit::interface
