/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Says who it is, built twice as different flavours, then executes itself again by each of its
 * names. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *word(void);

int main(int count, char **arguments) {
  char path[PATH_MAX] = "";
  ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
  path[length > 0 ? length : 0] = '\0';
  printf("%s %s %s %s\n", FLAVOUR, word(), path, arguments[0]);
  fflush(stdout);
  if (count < 2)
    return 0;
  if (strcmp(arguments[1], "by-name") == 0)
    execl(arguments[0], arguments[0], "by-link", (char *)NULL);
  if (strcmp(arguments[1], "by-link") == 0)
    execl("/proc/self/exe", arguments[0], (char *)NULL);
  return 1;
}
