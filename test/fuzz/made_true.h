// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random bytes do not get past a checksum. Here every frame header in the bytes gets sizes that fit
// and the checksum that belongs to it, so that what lies behind is reached.
#pragma once

#include "abi/frame.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

inline std::string with_true_frames(std::string bytes) {
  const std::string_view magic(CULPRIT_FRAME_MAGIC, CULPRIT_FRAME_MAGIC_SIZE);
  for (size_t at = bytes.find(magic); at != std::string::npos;) {
    culprit_frame_header header;
    if (bytes.size() - at < sizeof header)
      break;
    std::memcpy(&header, bytes.data() + at, sizeof header);
    const uint64_t room = bytes.size() - at - sizeof header;
    header.version = CULPRIT_FRAME_VERSION;
    header.metadata_size = std::min<uint64_t>(header.metadata_size, room);
    header.stored_size = std::min<uint64_t>(header.stored_size, room - header.metadata_size);
    const char *metadata = bytes.data() + at + sizeof header;
    header.checksum = culprit_frame_sum(&header, metadata, metadata + header.metadata_size);
    std::memcpy(bytes.data() + at, &header, sizeof header);
    at = bytes.find(magic, at + sizeof header + header.metadata_size + header.stored_size);
  }
  return bytes;
}
