// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads frames (abi/frame.h) out of bytes: a section, or a whole file. The bytes may be damaged or
// hostile.
//
// Rules: a length is trusted only after the checksum agrees; a frame whose magic alone was hit is
// recovered; anything else in a section that is neither a frame, nor zero padding, nor text
// (clang's -fembed-bitcode writes command lines into the same section) is damage, because skipping
// it would silently lose a module.
#pragma once

#include "abi/frame.h"
#include "engine/error.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::build {

// One frame in place: views into the bytes that were scanned.
struct FrameView {
  uint16_t kind; // culprit_frame_kind, or what a newer culprit wrote
  uint32_t flags;
  std::string_view metadata;
  std::string_view stored;
  uint64_t payload_size;
  size_t offset; // of the header within the scanned bytes
};

// All frames of a section, in order. Fails where the section holds damage.
Result<std::vector<FrameView>> read_section(std::string_view section);

// Offsets of whole, undamaged frames anywhere in `bytes`; never fails. Used to notice frames that a
// damaged section table hides.
std::vector<size_t> find_frames(std::string_view bytes);

// True if `bytes` holds at least one whole frame.
bool holds_frame(std::string_view bytes);

// True if a frame of ours begins somewhere in `bytes`, whole or not: what damage to a frame and to
// the section table together leaves of it.
bool holds_start_of_frame(std::string_view bytes);

// The payload, decompressed.
Result<std::string> payload_of(const FrameView &frame);

} // namespace culprit::build
