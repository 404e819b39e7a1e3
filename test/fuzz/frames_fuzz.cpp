// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes are a sequence of frames or an error; what is written as a frame is read as the same
// frame.
#include "abi/frame_writer.h"
#include "engine/build/frames.h"
#include "test/fuzz/made_true.h"

namespace {

void read_all(std::string_view bytes) {
  const auto frames = culprit::build::read_section(bytes);
  (void)culprit::build::find_frames(bytes);
  (void)culprit::build::holds_frame(bytes);
  if (frames)
    for (const culprit::build::FrameView &frame : *frames)
      (void)culprit::build::payload_of(frame);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string bytes(reinterpret_cast<const char *>(data), size);
  read_all(bytes);
  read_all(with_true_frames(bytes));

  const std::string_view metadata = std::string_view(bytes).substr(0, size / 4);
  const std::string_view payload = std::string_view(bytes).substr(size / 4);
  const std::string written = culprit::write_frame({CULPRIT_FRAME_BITCODE, metadata, payload});
  const auto frames = culprit::build::read_section(written);
  if (!frames || frames->size() != 1 || frames->front().metadata != metadata ||
      culprit::build::payload_of(frames->front()).value_or("?") != payload)
    std::abort();
  return 0;
}
