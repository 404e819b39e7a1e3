// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/explain/streams.h"

#include "abi/explain.h"
#include "runtime/explain/patch.h"

#include <cstdio>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace culprit::explain {
namespace {

std::FILE *file_of(const char *text) {
  std::FILE *stream = std::tmpfile();
  std::fputs(text, stream);
  std::rewind(stream);
  return stream;
}

std::string rest_of(std::FILE *stream) {
  std::string rest;
  for (int letter; (letter = std::fgetc(stream)) != EOF;)
    rest += static_cast<char>(letter);
  return rest;
}

void add(std::string &patch, const culprit_patch_row &row, const std::string &bytes = {}) {
  patch.append(reinterpret_cast<const char *>(&row), sizeof row);
  patch += bytes;
  patch.resize((patch.size() + 7) / 8 * 8);
}

TEST(Streams, AStoppedRunsDescriptorsStandWhereTheProgramStands) {
  std::FILE *stream = file_of("hello");
  EXPECT_EQ(std::fgetc(stream), 'h');
  EXPECT_EQ(::lseek(fileno(stream), 0, SEEK_CUR), 5) << "it has read ahead";
  settle_streams();
  EXPECT_EQ(::lseek(fileno(stream), 0, SEEK_CUR), 1);
  EXPECT_EQ(rest_of(stream), "ello");
  std::fclose(stream);
}

TEST(Streams, WhatWasPushedBackIsNotLost) {
  std::FILE *stream = file_of("hello");
  EXPECT_EQ(std::fgetc(stream), 'h');
  EXPECT_EQ(std::ungetc('j', stream), 'j');
  settle_streams();
  EXPECT_EQ(rest_of(stream), "jello");
  std::fclose(stream);
}

TEST(Streams, AnotherInputIsReadFromWhereThePatchSays) {
  std::FILE *stream = file_of("hello");
  EXPECT_EQ(rest_of(stream), "hello");
  EXPECT_NE(std::feof(stream), 0);
  EXPECT_EQ(stream_state(fileno(stream)), uint32_t{CULPRIT_STREAM_ENDED});
  settle_streams();
  std::string patch;
  const auto descriptor = static_cast<uint32_t>(fileno(stream));
  add(patch, {CULPRIT_PATCH_CONTENTS, 9, 0, descriptor, 0, 0}, "good day!");
  add(patch, {CULPRIT_PATCH_FILE, 0, 0, descriptor, 5, 0});
  ASSERT_TRUE(apply_patch(patch.data(), patch.size()));
  EXPECT_EQ(std::feof(stream), 0);
  EXPECT_EQ(rest_of(stream), "day!");
  std::fclose(stream);
}

} // namespace
} // namespace culprit::explain
