// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/stop_event.h"

#include <sys/eventfd.h>

namespace culprit::launch {

StopEvent::StopEvent(std::stop_token token)
    : event_(adopt(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))),
      callback_(std::move(token), [this] { ::eventfd_write(event_.get(), 1); }) {}

} // namespace culprit::launch
