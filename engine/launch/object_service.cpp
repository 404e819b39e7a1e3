// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whoever connects may be a target whose memory is already spoilt: every length is checked, a
// request that does not come is not waited for, and a wrong one gets no answer, which the other
// side takes for "load what was asked for".
#include "engine/launch/object_service.h"

#include "abi/object_service.h"
#include "engine/launch/descriptor.h"
#include "engine/launch/stop_event.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace culprit::launch {
namespace {

constexpr int kPatienceMilliseconds = 5000;

// Reads exactly `size` bytes; false when they do not come.
bool receive(int connection, int stop, void *bytes, size_t size) {
  auto *next = static_cast<char *>(bytes);
  while (size > 0) {
    pollfd events[] = {{connection, POLLIN, 0}, {stop, POLLIN, 0}};
    int ready = ::poll(events, 2, kPatienceMilliseconds);
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0 || events[1].revents != 0)
      return false;
    ssize_t count = ::recv(connection, next, size, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
      continue;
    if (count <= 0)
      return false;
    next += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

std::optional<ObjectRequest> receive_request(int connection, int stop) {
  uint32_t length = 0;
  if (!receive(connection, stop, &length, sizeof(length)) || length > CULPRIT_OBJECT_REQUEST_MAX)
    return std::nullopt;
  std::string bytes(length, '\0');
  if (!receive(connection, stop, bytes.data(), bytes.size()))
    return std::nullopt;
  return parse_object_request(bytes);
}

void answer_one(int connection, int stop, const ObjectAnswer &answer) {
  std::optional<ObjectRequest> request = receive_request(connection, stop);
  if (!request)
    return;
  std::string path = answer(*request);
  if (path.size() > CULPRIT_OBJECT_ANSWER_MAX)
    path.clear();
  auto length = static_cast<uint32_t>(path.size());
  std::string bytes(reinterpret_cast<const char *>(&length), sizeof(length));
  bytes += path;
  // Fits any socket buffer: never blocks, and a target that has gone must not end us by SIGPIPE.
  ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void serve(const std::stop_token &stop, const Descriptor &listener, const ObjectAnswer &answer) {
  StopEvent stop_event(stop);
  while (!stop.stop_requested()) {
    pollfd events[] = {{listener.get(), POLLIN, 0}, {stop_event.descriptor(), POLLIN, 0}};
    ::poll(events, 2, -1);
    if (events[0].revents == 0)
      continue;
    Descriptor connection = adopt(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (connection.is_open())
      answer_one(connection.get(), stop_event.descriptor(), answer);
  }
}

std::string_view take_string(std::string_view &bytes) {
  size_t end = bytes.find('\0');
  std::string_view string = bytes.substr(0, end);
  bytes.remove_prefix(end + 1);
  return string;
}

} // namespace

std::optional<ObjectRequest> parse_object_request(std::string_view bytes) {
  if (bytes.empty() || bytes.back() != '\0' || std::ranges::count(bytes, '\0') != 3)
    return std::nullopt;
  ObjectRequest request;
  request.name = take_string(bytes);
  request.caller = take_string(bytes);
  request.directory = take_string(bytes);
  return request;
}

Result<ObjectService> ObjectService::start(ObjectAnswer answer) {
  Result<TemporaryDirectory> directory = TemporaryDirectory::create();
  if (!directory)
    return std::unexpected(directory.error());
  ObjectService service(std::move(*directory));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (service.socket().string().size() >= sizeof(address.sun_path)) {
    // A socket's path is short by nature; a long $TMPDIR is no reason to fail.
    directory = TemporaryDirectory::create("/tmp");
    if (!directory)
      return std::unexpected(directory.error());
    service.directory_ = std::move(*directory);
  }
  std::string path = service.socket().string();
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  Descriptor listener = adopt(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!listener.is_open() ||
      ::bind(listener.get(), reinterpret_cast<const sockaddr *>(&address), sizeof(address)) != 0 ||
      ::listen(listener.get(), SOMAXCONN) != 0)
    return fail(fmt::format("cannot listen on '{}': {}", path, std::strerror(errno)));
  service.thread_ =
      std::jthread([listener = std::move(listener), answer = std::move(answer)](
                       const std::stop_token &stop) { serve(stop, listener, answer); });
  return service;
}

} // namespace culprit::launch
