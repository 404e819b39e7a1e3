// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts the init program with a plan and stays with it to its end.
#pragma once

#include "engine/error.h"
#include "engine/launch/capture.h"
#include "engine/launch/descriptor.h"
#include "engine/launch/init/plan.h"

#include <chrono>
#include <stop_token>
#include <vector>

namespace culprit::launch {

struct InitRun {
  const init::Plan &plan;
  int standard_input;
  bool capture;
  uint64_t output_bytes;
};

struct InitEnd {
  std::vector<init::Report> reports;
  Capture out;
  Capture err;
  bool asked_to_stop = false;
};

// When this returns, every process of the launch has ended.
Result<InitEnd> run_init(const InitRun &run, std::stop_token stop);

} // namespace culprit::launch
