// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A daemon's configuration: "listen PORT", "user NAME", "root FOLDER". It has a handler for SIGSEGV
// that says sorry and leaves with 3, as daemons do. The user's name runs over the folder.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char user[16] = "";
char *root = NULL;
int port = 80;
static const char sorry[] = "daemon: internal error, leaving\n";

static void on_fault(int number) {
  (void)number;
  if (write(2, sorry, sizeof sorry - 1) < 0)
    _exit(4);
  exit(3);
}

static void configure(const char *line) {
  char value[100];
  if (sscanf(line, "listen %d", &port) == 1)
    return;
  if (sscanf(line, "root %99s", value) == 1) {
    free(root);
    root = strdup(value);
  } else if (sscanf(line, "user %99s", value) == 1) {
    strcpy(user, value); // culprit: first corruption
  }
}

static unsigned depth_of(const char *folder) {
  unsigned depth = 0;
  for (; *folder; ++folder)
    depth += *folder == '/';
  return depth;
}

int main(void) {
  char line[128];
  signal(SIGSEGV, on_fault);
  root = strdup("/");
  while (fgets(line, sizeof line, stdin))
    configure(line);
  printf("%s serves %s on %d, %u deep\n", user, root, port, depth_of(root));
  free(root);
  return 0;
}
