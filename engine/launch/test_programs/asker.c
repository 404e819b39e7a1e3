/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* asker SOCKET NAME CALLER DIRECTORY: asks the object service as the runtime does and prints the
 * answer. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int count, char **arguments) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  char message[4096];
  uint32_t length = 0;
  int connection = socket(AF_UNIX, SOCK_STREAM, 0);
  if (count != 5)
    return 2;
  snprintf(address.sun_path, sizeof(address.sun_path), "%s", arguments[1]);
  if (connect(connection, (struct sockaddr *)&address, sizeof(address)) != 0) {
    perror("connect");
    return 3;
  }
  for (int i = 2; i < 5; ++i) {
    strcpy(message + length, arguments[i]);
    length += (uint32_t)strlen(arguments[i]) + 1;
  }
  if (write(connection, &length, sizeof(length)) != sizeof(length) ||
      write(connection, message, length) != (ssize_t)length)
    return 4;
  if (read(connection, &length, sizeof(length)) != sizeof(length) || length > sizeof(message))
    return 5;
  if (read(connection, message, length) != (ssize_t)length)
    return 6;
  printf("%.*s\n", (int)length, message);
  return 0;
}
