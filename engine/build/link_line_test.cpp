// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/link_line.h"

#include "abi/frame_writer.h"
#include "engine/build/carrier_object.h"
#include "engine/build/link_record.h"
#include "engine/launch/temporary.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>

namespace culprit::build {
namespace {

using Kind = LinkItem::Kind;

class LinkLineTest : public testing::Test {
protected:
  LinkLineTest() : folder_(launch::TemporaryDirectory::create().value()) {}

  std::string file(const std::string &name, const std::string &bytes) {
    const std::string path = (folder_.path() / name).string();
    std::ofstream(path) << bytes;
    return path;
  }
  std::string object(const std::string &name) {
    return file(name, write_carrier_object("", false));
  }
  std::string archive(const std::string &name) { return file(name, "!<arch>\n"); }
  std::string directory() const { return folder_.path().string(); }

private:
  launch::TemporaryDirectory folder_;
};

std::vector<Kind> kinds(const LinkLine &line) {
  std::vector<Kind> all;
  for (const LinkItem &item : line.items)
    all.push_back(item.kind);
  return all;
}

TEST_F(LinkLineTest, FilesAreToldApartByTheirContent) {
  const LinkLine line = read_link_line(
      {object("a.weird"), archive("b.strange"), file("script", "INPUT(-lc)"), "-o", "out"});
  EXPECT_EQ(kinds(line), (std::vector{Kind::object, Kind::archive, Kind::file, Kind::output}));
  EXPECT_EQ(line.output, "out");
}

TEST_F(LinkLineTest, AnOptionsValueIsNoInputEvenIfSuchAFileExists) {
  const std::string a = object("a.o");
  const LinkLine line = read_link_line({"-soname", a, "-rpath", a, "--dynamic-linker", a, a});
  EXPECT_EQ(std::ranges::count(kinds(line), Kind::object), 1);
}

TEST_F(LinkLineTest, AStaticLibraryOfTheUsersIsAnArchiveAndASharedOneIsNot) {
  archive("libone.a");
  file("libtwo.so", "INPUT(x)");
  archive("libtwo.a");
  const LinkLine line = read_link_line({"-lone", "-ltwo", "-Bstatic", "-ltwo", "-L", directory()});
  EXPECT_EQ(kinds(line), (std::vector{Kind::archive, Kind::library, Kind::argument, Kind::archive,
                                      Kind::argument}));
  EXPECT_EQ(line.items[1].path, directory() + "/libtwo.so");
}

TEST_F(LinkLineTest, ALibraryCanBeNamedByItsFile) {
  archive("odd.name");
  const LinkLine line = read_link_line({"-L" + directory(), "-l:odd.name"});
  EXPECT_EQ(line.items[1].kind, Kind::archive);
}

TEST_F(LinkLineTest, FilesThatOptionsReadAreCarriedInBothSpellings) {
  const std::string script = file("map", "{};");
  const LinkLine line =
      read_link_line({"--version-script=" + script, "-T", script, "-dynamic-list=" + script});
  EXPECT_EQ(kinds(line), (std::vector{Kind::file, Kind::argument, Kind::file, Kind::file}));
  EXPECT_EQ(line.items[0].text, "--version-script=");
  EXPECT_EQ(line.items[2].text, "");
  EXPECT_EQ(line.items[0].number, 1U);
  EXPECT_EQ(line.items[3].number, 3U);
}

TEST_F(LinkLineTest, ModesAreNoticed) {
  EXPECT_TRUE(read_link_line({"-r"}).relocatable);
  EXPECT_TRUE(read_link_line({"--gc-sections"}).collects_garbage);
  EXPECT_FALSE(read_link_line({"--gc-sections", "--no-gc-sections"}).collects_garbage);
  EXPECT_EQ(read_link_line({"-ofile"}).output, "file");
  EXPECT_EQ(read_link_line({"--output=file"}).output, "file");
}

TEST_F(LinkLineTest, StartFilesOfTheSystemAreNotTheUsers) {
  EXPECT_TRUE(is_system_file("/usr/lib/x86_64-linux-gnu/crt1.o"));
  EXPECT_TRUE(is_system_file("/lib/x86_64-linux-gnu/libc.so.6"));
  EXPECT_FALSE(is_system_file("/usr/local/lib/libmine.a"));
  EXPECT_FALSE(is_system_file("/home/me/usr/lib/a.o"));
}

TEST(LinkRecord, AnyRecordComesBackAsItWas) {
  const LinkRecord record{"/usr/bin/ld",
                          "/build",
                          {{Kind::argument, "-z", {}, 0},
                           {Kind::object, "a \"b\".o", "/build/a \"b\".o", 0},
                           {Kind::archive, "-lx", "/build/libx.a", 0},
                           {Kind::library, "-lm", "/usr/lib/libm.so", 0},
                           {Kind::shared, "./s.so", "/build/s.so", 4},
                           {Kind::file, "--version-script=", "/build/map", 1},
                           {Kind::output, "-o", {}, 0}}};
  EXPECT_EQ(link_record_from_json(to_json(record)).value(), record);
}

TEST(LinkRecord, WhatIsNoRecordIsRefused) {
  for (const char *text : {"", "{", "[]", "{}", R"({"items":1})", R"({"items":[1]})",
                           R"({"items":[{"kind":"unheard-of"}]})", R"({"items":[{"kind":3}]})"})
    EXPECT_FALSE(link_record_from_json(text)) << text;
}

} // namespace
} // namespace culprit::build
