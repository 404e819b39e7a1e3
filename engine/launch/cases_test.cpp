// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/cases.h"

#include "engine/launch/descriptor.h"
#include "engine/launch/temporary.h"

#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace culprit::launch {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class Cases : public testing::Test {
protected:
  void SetUp() override { fs::create_directory(inputs_); }

  void write(const fs::path &path, std::string_view text = "") { std::ofstream(path) << text; }
  static std::string contents(const fs::path &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TemporaryDirectory directory_ = *TemporaryDirectory::create();
  fs::path inputs_ = directory_.path() / "in puts";
};

TEST_F(Cases, APipeOnStandardInputIsCapturedOnce) {
  Pipe pipe = open_pipe();
  std::string sent(300000, 'x'); // more than a pipe holds
  std::jthread writer([&] {
    for (size_t done = 0; done < sent.size();)
      done += static_cast<size_t>(
          ::write(pipe.write_end.get(), sent.data() + done, sent.size() - done));
    pipe.write_end.close();
  });
  Result<Case> made = single_case({"-x", "a b"}, pipe.read_end.get(), directory_.path() / "stdin");
  ASSERT_TRUE(made) << made.error().what;
  EXPECT_EQ(made->arguments, (Words{"-x", "a b"}));
  EXPECT_EQ(made->label, "-x 'a b'");
  ASSERT_TRUE(made->standard_input);
  EXPECT_EQ(contents(*made->standard_input), sent);
}

TEST_F(Cases, AClosedOrTerminalStandardInputIsNotCaptured) {
  Result<Case> closed = single_case({}, 999, directory_.path() / "stdin");
  ASSERT_TRUE(closed);
  EXPECT_FALSE(closed->standard_input);
  Descriptor write_only = open_file("/dev/null", O_WRONLY);
  Result<Case> unreadable = single_case({}, write_only.get(), directory_.path() / "stdin");
  ASSERT_TRUE(unreadable);
  EXPECT_FALSE(unreadable->standard_input);
  Descriptor terminal(::posix_openpt(O_RDWR | O_NOCTTY));
  if (!terminal.is_open())
    GTEST_SKIP() << "no pseudo terminal to be had here";
  Result<Case> interactive = single_case({}, terminal.get(), directory_.path() / "stdin");
  ASSERT_TRUE(interactive);
  EXPECT_FALSE(interactive->standard_input);
}

TEST_F(Cases, CapturingStopsWhenAsked) {
  Pipe pipe = open_pipe(); // nobody ever writes
  std::stop_source source;
  source.request_stop();
  Result<Case> made =
      single_case({}, pipe.read_end.get(), directory_.path() / "stdin", source.get_token());
  EXPECT_FALSE(made);
}

TEST_F(Cases, EachFileOfADirectoryTakesThePlaceOfThePlaceholder) {
  write(inputs_ / "id:000029,sig:06,src:000000,op:havoc,rep:2");
  write(inputs_ / "id:000001,sig:11");
  write(inputs_ / "README.txt");
  fs::create_directory(inputs_ / ".state");
  Words arguments{"-f", "--in=@@", "@@:@@"};
  Result<std::vector<Case>> cases = cases_of_directory(inputs_, arguments);
  ASSERT_TRUE(cases) << cases.error().what;
  ASSERT_EQ(cases->size(), 2U);
  std::string first = (inputs_ / "id:000001,sig:11").string();
  EXPECT_EQ((*cases)[0].arguments, (Words{"-f", "--in=" + first, first + ":" + first}));
  EXPECT_FALSE((*cases)[0].standard_input);
  EXPECT_EQ((*cases)[0].label, "id:000001,sig:11");
  EXPECT_EQ((*cases)[1].label, "id:000029,sig:06,src:000000,op:havoc,rep:2");
}

TEST_F(Cases, WithoutPlaceholderTheFileIsStandardInput) {
  write(inputs_ / "a");
  Result<std::vector<Case>> cases = cases_of_directory(inputs_, Words{"-f"});
  ASSERT_TRUE(cases);
  EXPECT_EQ((*cases)[0].arguments, Words{"-f"});
  EXPECT_EQ((*cases)[0].standard_input, inputs_ / "a");
}

TEST_F(Cases, AnEmptyDirectoryIsAnErrorThatPointsToTheCrashesBelow) {
  write(inputs_ / "README.txt");
  fs::create_directories(inputs_ / "default/crashes");
  Result<std::vector<Case>> cases = cases_of_directory(inputs_, {});
  ASSERT_FALSE(cases);
  EXPECT_NE(cases.error().what.find("holds no input files"), std::string::npos);
  EXPECT_NE(cases.error().hint.find("default/crashes"), std::string::npos);
  EXPECT_FALSE(cases_of_directory(inputs_ / "none", {}));
}

TEST_F(Cases, EachLineOfAFileIsACase) {
  write(inputs_ / "data", "x");
  fs::path file = directory_.path() / "cases";
  write(file, "# a comment\n\n  -a 'b c'\r\n-d < '" + (inputs_ / "data").string() + "'\n''");
  Result<std::vector<Case>> cases = cases_of_file(file, Words{"fixed"});
  ASSERT_TRUE(cases) << cases.error().what;
  ASSERT_EQ(cases->size(), 3U);
  EXPECT_EQ((*cases)[0].arguments, (Words{"fixed", "-a", "b c"}));
  EXPECT_EQ((*cases)[1].arguments, (Words{"fixed", "-d"}));
  EXPECT_EQ((*cases)[1].standard_input, inputs_ / "data");
  EXPECT_EQ((*cases)[2].arguments, (Words{"fixed", ""}));
}

TEST_F(Cases, BadLinesAreNamedByNumber) {
  fs::path file = directory_.path() / "cases";
  write(file, "ok\n# fine\nnot 'closed\n");
  Result<std::vector<Case>> quoting = cases_of_file(file, {});
  ASSERT_FALSE(quoting);
  EXPECT_EQ(quoting.error().what, file.string() + ":3: column 5: a single quote is not closed");
  write(file, "a < /no/such/file\n");
  Result<std::vector<Case>> missing = cases_of_file(file, {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().what,
            file.string() + ":1: cannot read '/no/such/file': No such file or directory");
  write(file, "# nothing\n");
  EXPECT_FALSE(cases_of_file(file, {}));
  EXPECT_FALSE(cases_of_file(directory_.path() / "none", {}));
  EXPECT_FALSE(cases_of_file(directory_.path(), {}));
}

TEST_F(Cases, WithPlaceholderATextIsOneFile) {
  fs::path file = inputs_ / "data";
  write(file, "x");
  Result<Case> unquoted =
      case_of_text(file.string(), Words{"@@"}); // the blank in its name is no matter
  ASSERT_TRUE(unquoted) << unquoted.error().what;
  EXPECT_EQ(unquoted->arguments, Words{file.string()});
  Result<Case> quoted = case_of_text("'" + file.string() + "'", Words{"@@"});
  ASSERT_TRUE(quoted) << quoted.error().what;
  EXPECT_EQ(quoted->arguments, Words{file.string()});
  EXPECT_FALSE(case_of_text("a b", Words{"@@"}));
  EXPECT_FALSE(case_of_text("/no/such/file", Words{"@@"}));
}

} // namespace
} // namespace culprit::launch
