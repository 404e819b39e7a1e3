// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See patch.h.
#include "runtime/explain/patch.h"

#include "abi/explain.h"
#include "runtime/explain/regions.h"
#include "runtime/explain/streams.h"
#include "runtime/os/file.h"
#include "runtime/os/memory.h"
#include "runtime/os/open_files.h"

namespace culprit::explain {
namespace {

constexpr size_t kLargest = size_t{1} << 30;
constexpr size_t kMostBlocks = size_t{1} << 20;

struct Blocks {
  uintptr_t *start; // by number, from 1; 0 is no block: the number beside it is an address
  size_t count;
};

bool apply_row(const culprit_patch_row &row, const char *bytes, Blocks &blocks) {
  if (row.region > blocks.count)
    return false;
  auto *place = reinterpret_cast<char *>(blocks.start[row.region] + row.at);
  auto descriptor = static_cast<int>(row.target);
  switch (row.kind) {
  case CULPRIT_PATCH_ALLOCATE: {
    void *block =
        blocks.count + 1 < kMostBlocks ? allocate_as(row.value, row.at, row.target) : nullptr;
    if (block)
      blocks.start[++blocks.count] = reinterpret_cast<uintptr_t>(block);
    return block != nullptr;
  }
  case CULPRIT_PATCH_BYTES:
    __builtin_memcpy(place, bytes, row.size);
    return true;
  case CULPRIT_PATCH_POINTER: {
    if (row.target > blocks.count)
      return false;
    uint64_t pointer = blocks.start[row.target] + row.value;
    __builtin_memcpy(place, &pointer, sizeof pointer);
    return true;
  }
  case CULPRIT_PATCH_RESIZE:
    return resize(row.at, row.value);
  case CULPRIT_PATCH_FILE:
    os::seek_file(descriptor, row.at);
    set_stream_state(descriptor, static_cast<uint32_t>(row.value));
    return true;
  case CULPRIT_PATCH_CONTENTS:
    return os::fill_file(descriptor, bytes, row.size);
  case CULPRIT_PATCH_CLOSE:
    os::close_file(descriptor);
    return true;
  default:
    return false;
  }
}

} // namespace

bool apply_patch(const char *bytes, size_t size) {
  Blocks blocks{};
  if (!os::map_table(blocks.start, kMostBlocks))
    return false;
  size_t at = 0;
  bool good = true;
  while (good && size - at >= sizeof(culprit_patch_row)) {
    culprit_patch_row row;
    __builtin_memcpy(&row, bytes + at, sizeof row);
    at += sizeof row;
    good = row.size <= size - at && apply_row(row, bytes + at, blocks);
    at += (uint64_t{row.size} + 7) & ~uint64_t{7};
    good = good && at <= size;
  }
  os::release(reinterpret_cast<char *>(blocks.start), kMostBlocks * sizeof blocks.start[0]);
  return good && at == size;
}

bool apply_patch(const char *path) {
  if (!*path)
    return true;
  char *bytes;
  if (!os::map_table(bytes, kLargest))
    return false;
  size_t size = os::read_file(path, bytes, kLargest);
  bool good = size && apply_patch(bytes, size);
  os::release(bytes, kLargest);
  return good;
}

} // namespace culprit::explain
