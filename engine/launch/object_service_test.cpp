// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/object_service.h"

#include "abi/object_service.h"
#include "engine/launch/descriptor.h"
#include "engine/launch/launch_fixture.h"

#include <cstring>
#include <mutex>
#include <random>
#include <sys/socket.h>
#include <sys/un.h>

namespace culprit::launch {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

Descriptor connect_to(const fs::path &path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
  Descriptor connection = adopt(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_EQ(::connect(connection.get(), reinterpret_cast<sockaddr *>(&address), sizeof(address)),
            0);
  return connection;
}

class ObjectServiceTest : public LaunchTest {
protected:
  // What a well-behaved target gets.
  std::string ask(const ObjectService &service,
                  Request request = {.program = {.original = test_program("asker")}}) {
    request.directory = work_;
    request.input.arguments = {service.socket().string(), "libplugin.so", "/usr/bin/caller",
                               "/some/where"};
    request.runtime_options = {{"objects", service.socket().string()}};
    Outcome outcome = launch(request);
    return outcome.out + outcome.err;
  }

  Result<ObjectService> service_ = ObjectService::start([this](const ObjectRequest &request) {
    std::scoped_lock lock(mutex_);
    seen_.push_back(request);
    return "/flavours/" + request.name;
  });
  std::mutex mutex_;
  std::vector<ObjectRequest> seen_;
};

using ObjectServiceLaunch = ObjectServiceTest;

TEST_F(ObjectServiceLaunch, ATargetGetsTheAnswerToItsQuestion) {
  ASSERT_TRUE(service_);
  EXPECT_EQ(ask(*service_), "/flavours/libplugin.so\n");
  ASSERT_EQ(seen_.size(), 1U);
  EXPECT_EQ(seen_[0], (ObjectRequest{"libplugin.so", "/usr/bin/caller", "/some/where"}));
}

TEST_F(ObjectServiceLaunch, TheSocketIsReachableFromAPrivateDirectoryThatHoldsIt) {
  ASSERT_TRUE(service_);
  Request request{.program = {.original = test_program("asker")}};
  request.private_directories = {service_->socket().parent_path().parent_path()};
  EXPECT_EQ(ask(*service_, request), "/flavours/libplugin.so\n");
}

TEST_F(ObjectServiceLaunch, HostileRequestsAreIgnoredAndTheNextOneIsAnswered) {
  ASSERT_TRUE(service_);
  auto frame = [](uint32_t length, const std::string &bytes) {
    return std::string(reinterpret_cast<const char *>(&length), sizeof(length)) + bytes;
  };
  std::vector<std::string> hostile = {
      "",
      "\x01",
      frame(0xffffffff, "x"),
      frame(CULPRIT_OBJECT_REQUEST_MAX + 1, std::string(CULPRIT_OBJECT_REQUEST_MAX + 1, 'x')),
      frame(0, ""),
      frame(3, "abc"),
      frame(2, "\0\0"s),
      frame(4, "\0\0\0\0"s),
      frame(100, "too short")};
  std::mt19937 random(3);
  for (int i = 0; i < 50; ++i) {
    std::string noise(random() % 64, '\0');
    for (char &byte : noise)
      byte = static_cast<char>(random());
    hostile.push_back(noise);
  }
  for (const std::string &bytes : hostile) {
    Descriptor connection = connect_to(service_->socket());
    ::send(connection.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    ::shutdown(connection.get(), SHUT_WR);
    char answer;
    EXPECT_LE(::recv(connection.get(), &answer, 1, 0), 0);
  }
  EXPECT_TRUE(seen_.empty());
  EXPECT_EQ(ask(*service_), "/flavours/libplugin.so\n");
}

TEST_F(ObjectServiceLaunch, EndsWhileAClientKeepsItWaiting) {
  ASSERT_TRUE(service_);
  Descriptor silent = connect_to(service_->socket());
  fs::path socket = service_->socket();
  service_ = fail("ended");
  EXPECT_FALSE(fs::exists(socket));
}

TEST_F(ObjectServiceLaunch, AnAnswerThatIsTooLongMeansLoadWhatWasAskedFor) {
  Result<ObjectService> service = ObjectService::start(
      [](const ObjectRequest &) { return std::string(CULPRIT_OBJECT_ANSWER_MAX + 1, 'x'); });
  ASSERT_TRUE(service);
  EXPECT_EQ(ask(*service), "\n");
}

TEST(ResolveObject, FollowsTheLoadersOrder) {
  TemporaryDirectory directory = *TemporaryDirectory::create();
  fs::path object = test_program("libword_original.so");
  for (const char *name : {"caller", "library", "here"}) {
    fs::create_directory(directory.path() / name);
    fs::copy_file(object, directory.path() / name / "libx.so");
  }
  write_file(directory.path() / "library/liby.so", "not an object at all, so the loader goes on");
  fs::copy_file(object, directory.path() / "caller/liby.so");
  ObjectRequest request{"libx.so", "", directory.path() / "here"};
  SearchPaths paths{.caller = {directory.path() / "caller"},
                    .library = {directory.path() / "library"}};
  EXPECT_EQ(resolve_object(request, paths), directory.path() / "library/libx.so");
  paths.runpath = false;
  EXPECT_EQ(resolve_object(request, paths), directory.path() / "caller/libx.so");
  EXPECT_EQ(resolve_object(request, {}), std::nullopt);
  EXPECT_EQ(resolve_object(request, {.library = {""}}), directory.path() / "here/libx.so");
  request.name = "./libx.so";
  EXPECT_EQ(resolve_object(request, paths), directory.path() / "here/libx.so");
  request.name = "../caller/libx.so";
  EXPECT_EQ(resolve_object(request, paths), directory.path() / "caller/libx.so");
  request.name = "liby.so";
  paths.runpath = true;
  EXPECT_EQ(resolve_object(request, paths), directory.path() / "caller/liby.so");
  request.name = "";
  EXPECT_EQ(resolve_object(request, paths), std::nullopt);
}

TEST(ResolveObject, FindsTheSystemsObjects) {
  std::optional<fs::path> found = resolve_object({"libc.so.6", "", "/"}, {});
  ASSERT_TRUE(found);
  EXPECT_TRUE(fs::equivalent(*found, "/lib/x86_64-linux-gnu/libc.so.6"));
}

TEST(ObjectRequest, NeedsThreeStrings) {
  EXPECT_EQ(parse_object_request("a\0b\0c\0"s), (ObjectRequest{"a", "b", "c"}));
  EXPECT_EQ(parse_object_request("\0\0\0"s), ObjectRequest{});
  for (const std::string &bytes : {""s, "a"s, "a\0b\0"s, "a\0b\0c"s, "a\0b\0c\0d\0"s})
    EXPECT_EQ(parse_object_request(bytes), std::nullopt);
}

} // namespace
} // namespace culprit::launch
