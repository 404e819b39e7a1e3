// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dlopen in a target: the caller's RPATH still counts, and the object service has its say.
#include "abi/object_service.h"
#include "engine/run/run_file.h"
#include "test/runtime/launch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace culprit::test {
namespace {

// Answers one question and keeps it.
struct Service {
  std::string path;
  std::string answer;
  std::string request;
  int listener = -1;
  std::thread thread;

  Service(std::string at, std::string say) : path(std::move(at)), answer(std::move(say)) {
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    EXPECT_EQ(bind(listener, reinterpret_cast<sockaddr *>(&address), sizeof address), 0);
    EXPECT_EQ(listen(listener, 5), 0);
    thread = std::thread([this] { serve(); });
  }
  Service(const Service &) = delete;
  Service &operator=(const Service &) = delete;

  void serve() {
    int connection = accept(listener, nullptr, nullptr);
    uint32_t length = 0;
    if (read(connection, &length, 4) == 4 && length <= CULPRIT_OBJECT_REQUEST_MAX) {
      request.resize(length);
      for (size_t at = 0; at < length;) {
        ssize_t got = read(connection, request.data() + at, length - at);
        if (got <= 0)
          break;
        at += static_cast<size_t>(got);
      }
      auto size = static_cast<uint32_t>(answer.size());
      // Nothing more after an empty answer: the runtime may have closed its end by then.
      if (write(connection, &size, 4) != 4 ||
          (!answer.empty() &&
           write(connection, answer.data(), answer.size()) != static_cast<ssize_t>(answer.size())))
        ADD_FAILURE();
    }
    close(connection);
  }

  ~Service() {
    thread.join();
    close(listener);
  }
};

TEST(Dlopen, TheCallersRpathIsStillSearched) {
  Ended ended = run({{program("load_plugin")}, {}});
  EXPECT_EQ(ended.output, "named\n") << ended.errors;
  EXPECT_EQ(ended.status, 0);
}

TEST(Dlopen, TheCallerIsTheObjectThatCalledNotTheRuntime) {
  Ended ended = run({{program("load_plugin"), "named.so", "inner.so"}, {}});
  EXPECT_EQ(ended.output, "named\nloaded\n") << ended.errors;
}

TEST(Dlopen, LoadsWhatTheServiceAnswers) {
  Folder folder;
  std::string socket = (folder.path / "s").string();
  std::string request;
  {
    Service service(socket, program("plugins_other/other.so"));
    Ended ended = run({{program("load_plugin")}, {"CULPRIT_RUNTIME=objects=" + socket}});
    EXPECT_EQ(ended.output, "other\n") << ended.errors;
    service.thread.join();
    request = service.request;
    service.thread = std::thread([] {});
  }
  std::string directory = std::filesystem::current_path().string();
  std::string executable = std::filesystem::canonical(program("load_plugin")).string();
  EXPECT_EQ(request, std::string("named.so") + '\0' + executable + '\0' + directory + '\0');
}

TEST(Dlopen, AnEmptyAnswerMeansWhatWasAskedFor) {
  Folder folder;
  std::string socket = (folder.path / "s").string();
  Service service(socket, "");
  EXPECT_EQ(run({{program("load_plugin")}, {"CULPRIT_RUNTIME=objects=" + socket}}).output,
            "named\n");
}

TEST(Dlopen, NoServiceMeansWhatWasAskedFor) {
  Ended ended = run({{program("load_plugin")}, {"CULPRIT_RUNTIME=objects=/nonexistent/socket"}});
  EXPECT_EQ(ended.output, "named\n") << ended.errors;
}

TEST(Dlopen, TheLoadedObjectIsRecorded) {
  Folder folder;
  std::string path = (folder.path / "a.run").string();
  run({{program("load_plugin")}, {"CULPRIT_RUNTIME=run=" + path}});
  Result<run::RunFile> file = run::read(path);
  ASSERT_TRUE(file);
  bool found = false;
  for (const run::Record &record : file->records)
    if (const auto *module = std::get_if<run::Module>(&record.what))
      found |= module->path.ends_with("/named.so");
  EXPECT_TRUE(found);
}

TEST(Dlopen, AFailureStaysAFailure) {
  EXPECT_EQ(run({{program("load_plugin"), "no-such-object.so"}, {}}).output, "not found\n");
}

} // namespace
} // namespace culprit::test
