// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The path of a file is put together in a local buffer, with the request beside it: a long name
// runs over the request's pointers, which another function uses.
#include <stdio.h>
#include <string.h>

struct request {
  const char *directory;
  const char *file;
  int depth;
};

static size_t measure(const char *path, const struct request *request) {
  return strlen(path) + strlen(request->directory) + (size_t)request->depth;
}

static size_t serve(const char *directory, const char *file) {
  struct request request = {directory, file, 0};
  char path[24];
  strcpy(path, directory);
  strcat(path, "/");
  strcat(path, file); // culprit: first corruption
  request.depth++;
  return measure(path, &request);
}

int main(int argc, char **argv) {
  size_t total = 0;
  for (int i = 1; i < argc; i++)
    total += serve("/var/www", argv[i]);
  printf("%zu\n", total);
  return 0;
}
