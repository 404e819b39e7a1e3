// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes one frame (abi/frame.h). Two worlds write frames: the pass (bitcode) and the engine
// (native objects, link records, linker inputs), so the writer lives here; it needs nothing but
// zstd.
#pragma once

#include "abi/frame.h"

#include <cstring>
#include <string>
#include <string_view>
#include <zstd.h>

namespace culprit {

struct FrameContent {
  culprit_frame_kind kind;
  std::string_view metadata; // JSON
  std::string_view payload;
};

// Level 3: on gawk's modules level 9 saved 6 % of the bytes and doubled the time.
inline constexpr int kFrameCompressionLevel = 3;

inline std::string write_frame(const FrameContent &content) {
  std::string stored(ZSTD_compressBound(content.payload.size()), '\0');
  const size_t size = ZSTD_compress(stored.data(), stored.size(), content.payload.data(),
                                    content.payload.size(), kFrameCompressionLevel);
  uint32_t flags = CULPRIT_FRAME_ZSTD;
  if (ZSTD_isError(size) != 0U || content.payload.empty()) {
    stored.assign(content.payload);
    flags = 0;
  } else {
    stored.resize(size);
  }

  culprit_frame_header header{};
  std::memcpy(header.magic, CULPRIT_FRAME_MAGIC, CULPRIT_FRAME_MAGIC_SIZE);
  header.version = CULPRIT_FRAME_VERSION;
  header.kind = static_cast<uint16_t>(content.kind);
  header.flags = flags;
  header.metadata_size = content.metadata.size();
  header.stored_size = stored.size();
  header.payload_size = content.payload.size();
  header.checksum = culprit_frame_sum(&header, content.metadata.data(), stored.data());

  std::string frame(reinterpret_cast<const char *>(&header), sizeof(header));
  frame += content.metadata;
  frame += stored;
  frame.resize((frame.size() + CULPRIT_FRAME_ALIGNMENT - 1) / CULPRIT_FRAME_ALIGNMENT *
               CULPRIT_FRAME_ALIGNMENT);
  return frame;
}

} // namespace culprit
