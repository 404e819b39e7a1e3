// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that this process has open: where it stands in them, what they hold, and how to give it
// others.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::os {

struct OpenFile {
  int number;
  uint32_t flags; // as open(2) was given them
  uint64_t offset;
  uint64_t size;
};

// The first descriptor from this one on that is open on a regular file; false: there is none.
bool find_open_file(int from, OpenFile &file);

// Its name; the length, 0 on error.
size_t name_of_file(int descriptor, char *buffer, size_t size);
// So many of its bytes from the start; false: they cannot be read. It stays where it stands.
bool read_open_file(int descriptor, char *buffer, size_t size);

void seek_file(int descriptor, uint64_t offset);
// These bytes become all that the file holds: in place if it can be written to, else in a file of
// nobody's that takes its number, which may be free. Then it stands at its start.
bool fill_file(int descriptor, const char *bytes, size_t size);
void close_file(int descriptor);

// Gives this process a position of its own in every regular file that is open: a child shares its
// parent's, and reading would move the others', too.
void part_files();

} // namespace culprit::os
