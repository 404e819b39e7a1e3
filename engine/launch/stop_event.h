// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a stop_token something poll() can wait for: an eventfd that becomes readable when stop is
// asked for.
#pragma once

#include "engine/launch/descriptor.h"

#include <functional>
#include <stop_token>

namespace culprit::launch {

class StopEvent {
public:
  explicit StopEvent(std::stop_token token);
  StopEvent(const StopEvent &) = delete;
  StopEvent &operator=(const StopEvent &) = delete;

  // -1 (which poll ignores) where no eventfd could be had.
  int descriptor() const { return event_.get(); }

private:
  Descriptor event_;
  std::stop_callback<std::function<void()>> callback_;
};

} // namespace culprit::launch
