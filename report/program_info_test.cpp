// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/program_info.h"

#include "report/document.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace culprit::report {
namespace {

ProgramInfo example() {
  ProgramInfo info;
  info.program = "./prog";
  info.carried.link = build::LinkRecord{};
  info.carried.units.emplace_back(
      build::Module{"a.c", "/src", {"-O1", "a.c", "-O2"}, true, false, std::string(2500, 'x')});
  info.carried.units.emplace_back(build::NativeObject{"start.o", "bytes"});
  info.shared_objects.push_back({"/lib/libone.so", 3});
  info.flavours.push_back({"key", "prog", "base", 1000, {}, "/cache/flavour"});
  return info;
}

TEST(ProgramInfo, TextNamesWhatIsCarriedAndWhatIsNot) {
  EXPECT_EQ(
      to_text(example()),
      "./prog: executable, carries 1 module (2.5 kB of bitcode), 1 native object, a link record\n"
      "  modules\n"
      "    a.c                                      -O2\n"
      "  without bitcode: carried as they are, not analysed\n"
      "    start.o\n"
      "  shared objects\n"
      "    /lib/libone.so                           3 modules\n"
      "  cached flavours\n"
      "    base                                     1.0 kB\n");
}

TEST(ProgramInfo, AProgramThatCarriesNothingIsToldWhatToDo) {
  ProgramInfo info;
  info.program = "ls";
  EXPECT_EQ(to_text(info), "ls: executable that carries no bitcode\n"
                           "next: build it with `culprit cc` (CC=culprit-cc CXX=culprit-c++)\n");
}

TEST(ProgramInfo, JsonHoldsTheSameUnderTheKeysOfTheContract) {
  const auto document = nlohmann::json::parse(to_json(example()));
  EXPECT_EQ(document["tool"], "culprit");
  EXPECT_EQ(document["version"], kVersion);
  EXPECT_EQ(document["command"], "info");
  EXPECT_EQ(document["program"], "./prog");
  EXPECT_EQ(document["modules"][0]["source"], "a.c");
  EXPECT_EQ(document["native_objects"][0]["name"], "start.o");
  EXPECT_EQ(document["shared_objects"][0]["modules"], 3);
  EXPECT_EQ(document["flavours"][0]["name"], "base");
}

TEST(Document, NamesThatAreNoUtf8DoNotStopADocument) {
  ProgramInfo info = example();
  info.program = "caf\xe9";
  EXPECT_TRUE(nlohmann::json::accept(to_json(info)));
}

TEST(Document, SizesAreWrittenForPeople) {
  EXPECT_EQ(human_size(0), "0 B");
  EXPECT_EQ(human_size(999), "999 B");
  EXPECT_EQ(human_size(1536), "1.5 kB");
  EXPECT_EQ(human_size(4'294'967'296), "4.3 GB");
}

TEST(Document, LongNumbersAreGrouped) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(counted(2000, "run"), "2,000 runs");
}

} // namespace
} // namespace culprit::report
