// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See socket.h. MSG_NOSIGNAL: a service that died must not kill the target by SIGPIPE.
#include "runtime/os/socket.h"

#include "runtime/os/syscall.h"

#include <linux/errno.h>
#include <linux/time_types.h>
#include <linux/un.h>

namespace culprit::os {
namespace {

constexpr long kStreamSocket = 1;
constexpr long kCloseOnExec = 02000000;
constexpr long kNoSignal = 0x4000;
constexpr long kSocketLevel = 1;
constexpr long kReceiveTimeout = 20;
constexpr long kSendTimeout = 21;

bool send_all(long socket, const char *data, size_t size) {
  while (size) {
    long sent = system_call(SYS_sendto, socket, reinterpret_cast<long>(data),
                            static_cast<long>(size), kNoSignal);
    if (sent == -EINTR)
      continue;
    if (sent <= 0)
      return false;
    data += sent;
    size -= static_cast<size_t>(sent);
  }
  return true;
}

bool receive_all(long socket, char *data, size_t size) {
  while (size) {
    long got =
        system_call(SYS_recvfrom, socket, reinterpret_cast<long>(data), static_cast<long>(size), 0);
    if (got == -EINTR)
      continue;
    if (got <= 0)
      return false;
    data += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

size_t converse(long socket, const char *path, const char *request, size_t size, char *answer,
                size_t answer_max) {
  sockaddr_un address{};
  address.sun_family = 1; // AF_UNIX
  size_t length = 0;
  while (path[length]) {
    if (length + 1 >= sizeof address.sun_path)
      return 0;
    address.sun_path[length] = path[length];
    ++length;
  }
  // Making a flavour of a shared object takes the service a while; a service that hangs must not
  // hang the target for ever.
  __kernel_old_timeval patience{120, 0};
  const long directions[] = {kReceiveTimeout, kSendTimeout};
  for (long which : directions)
    system_call(SYS_setsockopt, socket, kSocketLevel, which, reinterpret_cast<long>(&patience),
                sizeof patience);
  if (failed(system_call(SYS_connect, socket, reinterpret_cast<long>(&address), sizeof address)))
    return 0;
  auto request_length = static_cast<unsigned>(size);
  if (!send_all(socket, reinterpret_cast<const char *>(&request_length), sizeof request_length) ||
      !send_all(socket, request, size))
    return 0;
  unsigned answer_length = 0;
  if (!receive_all(socket, reinterpret_cast<char *>(&answer_length), sizeof answer_length) ||
      answer_length > answer_max || !receive_all(socket, answer, answer_length))
    return 0;
  return answer_length;
}

} // namespace

size_t ask(const char *path, const char *request, size_t size, char *answer, size_t answer_max) {
  long socket = system_call(SYS_socket, 1, kStreamSocket | kCloseOnExec, 0);
  if (failed(socket))
    return 0;
  size_t length = converse(socket, path, request, size, answer, answer_max);
  system_call(SYS_close, socket);
  return length;
}

} // namespace culprit::os
