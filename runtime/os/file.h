// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files as the runtime needs them: short reads of /proc, and a shared mapping that grows.
// No descriptor is kept open between calls: the target numbers and closes descriptors as it likes,
// and a number we remembered could be its file. A file is opened again by path and recognised by
// device and inode.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::os {

struct FileIdentity {
  uint64_t device;
  uint64_t inode;
};

enum class Create : uint8_t { made, exists, failed };

// The new, empty file at `path`, which must not exist. Its identity in `identity`.
Create create_file(const char *path, FileIdentity &identity);

// Makes the bytes [from, from + bytes) of the file real and maps them, shared, at `address` (inside
// a reservation). Grows only. False if the file is another one by now, or there is no room.
bool map_file_part(const char *path, FileIdentity identity, uint64_t from, size_t bytes,
                   char *address);

// Cuts the file to this length, unless it is another one by now.
void cut_file(const char *path, FileIdentity identity, uint64_t length);

// Up to `size` bytes of the file from `offset`; how many, 0 on any error.
size_t read_file(const char *path, char *buffer, size_t size, uint64_t offset = 0);
bool can_read_file(const char *path);
size_t read_link(const char *path, char *buffer, size_t size);
size_t current_directory(char *buffer, size_t size); // 0 on error, else length without NUL

} // namespace culprit::os
