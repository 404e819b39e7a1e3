// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/frames.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <zstd.h>

namespace culprit::build {

namespace {

constexpr std::string_view kMagic{CULPRIT_FRAME_MAGIC, CULPRIT_FRAME_MAGIC_SIZE};
// A payload is one translation unit or one linker input; the limit stops a forged size from taking
// the machine's memory. SQLite's amalgamation, a very large module, is 20 MB.
constexpr uint64_t kMaxPayload = 512ULL << 20;
// Above this, a payload is decompressed once into nothing before room is made for it.
constexpr uint64_t kTrustedPayload = 32ULL << 20;
// Linkers pad with a few zeros; where as many as a header has are in a row, there was a frame.
constexpr size_t kMaxPadding = sizeof(culprit_frame_header) - 1;

size_t padded(size_t size) {
  return (size + CULPRIT_FRAME_ALIGNMENT - 1) / CULPRIT_FRAME_ALIGNMENT * CULPRIT_FRAME_ALIGNMENT;
}

// The frame that starts at the beginning of `bytes`, if a whole and undamaged one does. The magic
// is taken as read: callers have found it, or want to know whether only the magic was damaged.
std::optional<FrameView> frame_at_start(std::string_view bytes, size_t offset) {
  culprit_frame_header header;
  if (bytes.size() < sizeof header)
    return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  std::memcpy(header.magic, kMagic.data(), kMagic.size());
  const uint64_t room = bytes.size() - sizeof header;
  if (header.metadata_size > room || header.stored_size > room - header.metadata_size)
    return std::nullopt;
  const std::string_view metadata = bytes.substr(sizeof header, header.metadata_size);
  const std::string_view stored =
      bytes.substr(sizeof header + header.metadata_size, header.stored_size);
  if (culprit_frame_sum(&header, metadata.data(), stored.data()) != header.checksum)
    return std::nullopt;
  return FrameView{header.kind, header.flags, metadata, stored, header.payload_size, offset};
}

size_t length_of(const FrameView &frame) {
  return padded(sizeof(culprit_frame_header) + frame.metadata.size() + frame.stored.size());
}

bool is_text_or_padding(std::string_view bytes) {
  if (bytes.find(std::string(kMaxPadding + 1, '\0')) != std::string_view::npos)
    return false;
  if (!bytes.empty() &&
      bytes.back() != '\0') // compilers end theirs so; what overwrote a frame does not
    return false;
  return std::ranges::all_of(bytes, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0 || (byte >= 0x20 && byte < 0x7f) || byte == '\t' || byte == '\n';
  });
}

uint16_t version_at(std::string_view bytes) {
  culprit_frame_header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header.version;
}

// How many bytes the stored payload really holds; stops counting above `limit`.
std::optional<uint64_t> decompressed_size(std::string_view stored, uint64_t limit) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                          &ZSTD_freeDStream);
  std::string block(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer in{stored.data(), stored.size(), 0};
  uint64_t total = 0;
  for (;;) {
    ZSTD_outBuffer out{block.data(), block.size(), 0};
    const size_t left = ZSTD_decompressStream(stream.get(), &out, &in);
    total += out.pos;
    if (ZSTD_isError(left) != 0U || total > limit || (out.pos == 0 && left != 0))
      return std::nullopt;
    if (left == 0)
      return total;
  }
}

} // namespace

Result<std::vector<FrameView>> read_section(std::string_view section) {
  std::vector<FrameView> frames;
  size_t position = 0;
  size_t gap = 0; // where the bytes that belong to no frame began
  auto close_gap = [&](size_t end) -> Result<void> {
    if (!is_text_or_padding(section.substr(gap, end - gap)))
      return fail(
          fmt::format("carried frame {} is damaged (section offset {})", frames.size(), gap),
          "build the program again with `culprit cc`");
    return {};
  };
  while (position + sizeof(culprit_frame_header) <= section.size()) {
    const std::string_view rest = section.substr(position);
    // Frames are aligned, so only aligned positions can hold one. A position without the magic is
    // looked at as well if it is where a frame would be expected (right behind the last one).
    const bool expected = position == gap && rest[0] != 0;
    if (rest.starts_with(kMagic) || expected) {
      if (auto frame = frame_at_start(rest, position)) {
        if (auto closed = close_gap(position); !closed)
          return std::unexpected(closed.error());
        if (version_at(rest) != CULPRIT_FRAME_VERSION)
          return fail(fmt::format("carried frame {} has format version {}, this culprit reads {}",
                                  frames.size(), version_at(rest), CULPRIT_FRAME_VERSION),
                      "build the program again with this culprit");
        frames.push_back(*frame);
        position = std::min(section.size(), position + length_of(*frame));
        gap = position;
        continue;
      }
    }
    position += CULPRIT_FRAME_ALIGNMENT;
  }
  if (auto closed = close_gap(section.size()); !closed)
    return std::unexpected(closed.error());
  return frames;
}

std::vector<size_t> find_frames(std::string_view bytes) {
  std::vector<size_t> offsets;
  size_t position = bytes.find(kMagic);
  while (position != std::string_view::npos) {
    size_t next = position + 1;
    if (auto frame = frame_at_start(bytes.substr(position), position)) {
      offsets.push_back(position);
      next = position + length_of(*frame);
    }
    position = bytes.find(kMagic, next);
  }
  return offsets;
}

bool holds_frame(std::string_view bytes) {
  size_t position = bytes.find(kMagic);
  while (position != std::string_view::npos) {
    if (frame_at_start(bytes.substr(position), position))
      return true;
    position = bytes.find(kMagic, position + 1);
  }
  return false;
}

bool holds_start_of_frame(std::string_view bytes) {
  for (size_t position = bytes.find(kMagic); position != std::string_view::npos;
       position = bytes.find(kMagic, position + 1)) {
    culprit_frame_header header{};
    if (bytes.size() - position < sizeof header)
      return false;
    std::memcpy(&header, bytes.data() + position, sizeof header);
    // Two of its numbers agree, or it is a program that knows the magic, as ours.
    if (header.version == CULPRIT_FRAME_VERSION && header.kind >= CULPRIT_FRAME_BITCODE &&
        header.kind <= CULPRIT_FRAME_SITES)
      return true;
  }
  return false;
}

Result<std::string> payload_of(const FrameView &frame) {
  if (frame.payload_size > kMaxPayload)
    return fail(fmt::format("carried frame claims {} bytes", frame.payload_size),
                "build the program again with `culprit cc`");
  auto broken = [] {
    return fail("carried frame does not decompress", "build the program again with `culprit cc`");
  };
  if ((frame.flags & CULPRIT_FRAME_ZSTD) == 0)
    return frame.stored.size() == frame.payload_size ? Result<std::string>(frame.stored) : broken();
  if (frame.payload_size > kTrustedPayload &&
      decompressed_size(frame.stored, frame.payload_size) != frame.payload_size)
    return broken();
  std::string payload(frame.payload_size, '\0');
  const size_t size =
      ZSTD_decompress(payload.data(), payload.size(), frame.stored.data(), frame.stored.size());
  if (ZSTD_isError(size) != 0U || size != frame.payload_size)
    return broken();
  return payload;
}

} // namespace culprit::build
