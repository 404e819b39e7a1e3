// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See file.h.
#include "runtime/explain/file.h"

#include "runtime/os/memory.h"

namespace culprit::explain {
namespace {
constexpr uint64_t kPart = uint64_t{4} << 20;
} // namespace

bool File::create(const char *at, uint64_t largest) {
  path = at;
  reserved = (largest + kPart - 1) / kPart * kPart;
  mapped = used = 0;
  start = nullptr;
  if (!*path || os::create_file(path, identity) != os::Create::made)
    return false;
  start = os::reserve(0, reserved);
  return start != nullptr;
}

void *File::append(uint64_t bytes) {
  if (!start || bytes > reserved - used)
    return nullptr;
  while (mapped < used + bytes) {
    if (!os::map_file_part(path, identity, mapped, kPart, start + mapped))
      return nullptr;
    mapped += kPart;
  }
  char *room = start + used;
  used += bytes;
  return room;
}

void File::finish() {
  if (!start)
    return;
  os::release(start, reserved);
  start = nullptr;
  os::cut_file(path, identity, used);
}

} // namespace culprit::explain
