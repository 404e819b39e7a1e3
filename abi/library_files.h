/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Is a source file a library's? Code of its headers is compiled into the program, but it does what
 * its caller asks for, and nobody mends it: the pass names such code after its caller, the engine
 * looks past it.
 *
 * By where it is: what the system and its packages install, and the C++ library of any compiler
 * (include/c++/12 of GCC's, include/c++/v1 of LLVM's). Not by namespace: a program may specialize
 * std::hash, and that is its own code. Paths are without "." and "..". */
#ifndef CULPRIT_ABI_LIBRARY_FILES_H
#define CULPRIT_ABI_LIBRARY_FILES_H

/* How long `start` is; 0: `path` does not begin so. */
static inline unsigned culprit_matched(const char *path, const char *start) {
  unsigned length = 0;
  for (; start[length] != '\0'; ++length)
    if (path[length] != start[length])
      return 0;
  return length;
}

static inline int culprit_is_library_file(const char *path) {
  if (culprit_matched(path, "/usr/include/") != 0 || culprit_matched(path, "/usr/lib/") != 0 ||
      culprit_matched(path, "/usr/local/include/") != 0)
    return 1;
  for (; *path != '\0'; ++path) {
    unsigned version = culprit_matched(path, "/include/c++/");
    if (version == 0)
      continue;
    version += path[version] == 'v';
    if (path[version] >= '0' && path[version] <= '9')
      return 1;
  }
  return 0;
}

#endif
