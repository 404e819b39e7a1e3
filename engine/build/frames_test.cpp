// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/frames.h"

#include "abi/frame_writer.h"

#include <gtest/gtest.h>
#include <random>

namespace culprit::build {
namespace {

std::string frame(std::string_view payload, culprit_frame_kind kind = CULPRIT_FRAME_BITCODE) {
  return write_frame({kind, R"({"source":"a.c"})", payload});
}

TEST(Frames, APayloadComesBackAsItWas) {
  const std::string payload = std::string(10'000, 'x') + "end";
  const std::string section = frame(payload);
  auto frames = read_section(section);
  ASSERT_TRUE(frames);
  ASSERT_EQ(frames->size(), 1U);
  EXPECT_EQ(frames->front().metadata, R"({"source":"a.c"})");
  EXPECT_EQ(payload_of(frames->front()).value(), payload);
}

TEST(Frames, AnEmptyPayloadIsAFrameToo) {
  const std::string section = frame("", CULPRIT_FRAME_LINK_RECORD);
  auto frames = read_section(section);
  ASSERT_TRUE(frames);
  ASSERT_EQ(frames->size(), 1U);
  EXPECT_EQ(payload_of(frames->front()).value(), "");
}

TEST(Frames, SeveralFramesKeepTheirOrder) {
  const std::string section = frame("one") + frame("two") + std::string(16, '\0') + frame("three");
  auto frames = read_section(section);
  ASSERT_TRUE(frames);
  ASSERT_EQ(frames->size(), 3U);
  EXPECT_EQ(payload_of((*frames)[0]).value(), "one");
  EXPECT_EQ(payload_of((*frames)[2]).value(), "three");
}

TEST(Frames, TextWithoutAnEndIsDamage) {
  EXPECT_FALSE(read_section(frame("one") + std::string(40, 'x')));
  EXPECT_FALSE(read_section(frame("one") + std::string(40, 'x') + frame("two")));
}

TEST(Frames, TextBetweenFramesIsForeignAndSkipped) {
  std::string text = "-cc1 -triple x86_64 -emit-obj";
  text.resize(40);
  auto frames = read_section(frame("one") + text + frame("two"));
  ASSERT_TRUE(frames);
  EXPECT_EQ(frames->size(), 2U);
}

TEST(Frames, AFrameOverwrittenWithZerosIsNoPadding) {
  const std::string zeros(frame("two").size(), '\0');
  EXPECT_FALSE(read_section(frame("one") + zeros + frame("three")));
  EXPECT_FALSE(read_section(frame("one") + zeros));
}

TEST(Frames, AFrameWhoseMagicAloneWasHitIsRecovered) {
  std::string section = frame("one") + frame("two");
  section[3] ^= 0x20;
  auto frames = read_section(section);
  ASSERT_TRUE(frames);
  EXPECT_EQ(frames->size(), 2U);
}

TEST(Frames, ADamagedFrameIsAnErrorNeverALoss) {
  // Every bit of a section of three frames, one at a time: the same three payloads or an error.
  const std::string whole = frame("one") + frame(std::string(300, 'y')) + frame("three");
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string section = whole;
    section[bit / 8] = static_cast<char>(section[bit / 8] ^ (1 << (bit % 8)));
    auto frames = read_section(section);
    if (!frames)
      continue;
    ASSERT_EQ(frames->size(), 3U) << "bit " << bit;
    EXPECT_EQ(payload_of((*frames)[0]).value(), "one") << "bit " << bit;
    EXPECT_EQ(payload_of((*frames)[1]).value(), std::string(300, 'y')) << "bit " << bit;
    EXPECT_EQ(payload_of((*frames)[2]).value(), "three") << "bit " << bit;
  }
}

TEST(Frames, ATruncatedSectionIsAnErrorNeverALoss) {
  const std::string whole = frame("one") + frame(std::string(300, 'y'));
  const size_t first = frame("one").size() - CULPRIT_FRAME_ALIGNMENT + 1; // its padding is no loss
  for (size_t length = 0; length < whole.size(); ++length) {
    auto frames = read_section(std::string_view(whole).substr(0, length));
    if (!frames)
      continue;
    // What is left is either whole frames or so short that nothing of a frame can be told from
    // padding.
    EXPECT_TRUE(length == 0 || length >= first || frames->empty()) << length;
  }
}

TEST(Frames, SizesBeyondTheBytesAreRefused) {
  std::string section = frame("one");
  culprit_frame_header header;
  std::memcpy(&header, section.data(), sizeof header);
  header.stored_size = ~0ULL;
  std::memcpy(section.data(), &header, sizeof header);
  EXPECT_FALSE(read_section(section));
  header.stored_size = 8;
  header.metadata_size = ~0ULL - 4;
  std::memcpy(section.data(), &header, sizeof header);
  EXPECT_FALSE(read_section(section));
}

TEST(Frames, AForgedPayloadSizeIsRefusedWithoutTheMemory) {
  FrameView forged{CULPRIT_FRAME_BITCODE, CULPRIT_FRAME_ZSTD, {}, "abc", 1ULL << 60, 0};
  EXPECT_FALSE(payload_of(forged));
}

TEST(Frames, AForgedPayloadSizeBelowTheLimitIsFoundBeforeRoomIsMade) {
  const std::string section = frame(std::string(1000, 'x'));
  auto frames = read_section(section);
  ASSERT_TRUE(frames);
  FrameView forged = frames->front();
  forged.payload_size = 400ULL << 20;
  EXPECT_FALSE(payload_of(forged));
  forged.flags = 0; // stored as it is, and not as long as it says
  EXPECT_FALSE(payload_of(forged));
}

TEST(Frames, ALargePayloadComesBack) {
  const std::string payload(40 << 20, 'x');
  const std::string section = frame(payload);
  auto frames = read_section(section);
  ASSERT_TRUE(frames);
  EXPECT_TRUE(payload_of(frames->front()).value() == payload);
}

TEST(Frames, AnotherFormatVersionIsNamed) {
  std::string section = frame("one");
  culprit_frame_header header;
  std::memcpy(&header, section.data(), sizeof header);
  header.version = CULPRIT_FRAME_VERSION + 1;
  header.checksum = culprit_frame_sum(&header, section.data() + sizeof header,
                                      section.data() + sizeof header + header.metadata_size);
  std::memcpy(section.data(), &header, sizeof header);
  auto frames = read_section(section);
  ASSERT_FALSE(frames);
  EXPECT_NE(frames.error().what.find("version"), std::string::npos);
}

TEST(Frames, FramesAreFoundAnywhereInAFile) {
  const std::string file =
      "ELF and so on" + frame("one") + std::string(CULPRIT_FRAME_MAGIC) + "no frame";
  EXPECT_EQ(find_frames(file), std::vector<size_t>{13});
  EXPECT_TRUE(holds_frame(file));
  EXPECT_FALSE(holds_frame(std::string(CULPRIT_FRAME_MAGIC) + std::string(100, 'z')));
}

TEST(Frames, ADamagedFrameIsStillSeenToBegin) {
  std::string file = "ELF and so on" + frame("one");
  file[13 + sizeof(culprit_frame_header)] ^= 1; // its metadata
  EXPECT_FALSE(holds_frame(file));
  EXPECT_TRUE(holds_start_of_frame(file));
  EXPECT_FALSE(holds_start_of_frame(std::string(CULPRIT_FRAME_MAGIC) + std::string(100, 'z')));
  EXPECT_FALSE(holds_start_of_frame(std::string("text ") + CULPRIT_FRAME_MAGIC));
}

TEST(Frames, RandomBytesNeverCrash) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(random() % 400, '\0');
    for (char &byte : bytes)
      byte = static_cast<char>(random());
    if (round % 2 == 0 && bytes.size() > 60)
      bytes.replace(8, 8, CULPRIT_FRAME_MAGIC);
    (void)read_section(bytes);
    (void)find_frames(bytes);
    (void)holds_start_of_frame(bytes);
  }
}

} // namespace
} // namespace culprit::build
