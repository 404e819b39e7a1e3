// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See open_files.h.
#include "runtime/explain/open_files.h"

#include "abi/explain.h"
#include "runtime/explain/streams.h"
#include "runtime/os/open_files.h"

namespace culprit::explain {

uint64_t count_open_files() {
  uint64_t count = 0;
  os::OpenFile open{};
  for (int from = 0; os::find_open_file(from, open); from = open.number + 1)
    ++count;
  return count;
}

bool tell_open_file(int &from, File &file, culprit_snapshot_region &row) {
  static char name[4096];
  os::OpenFile open{};
  if (!os::find_open_file(from, open))
    return false;
  from = open.number + 1;
  culprit_open_file head{};
  head.offset = open.offset;
  head.size = open.size;
  head.state = stream_state(open.number);
  head.name = static_cast<uint32_t>(os::name_of_file(open.number, name, sizeof name));
  head.whole = open.size <= CULPRIT_LARGEST_FILE;
  head.flags = open.flags;
  uint64_t size = sizeof head + head.name + (head.whole ? open.size : 0);
  uint64_t at = file.used;
  auto *bytes = static_cast<char *>(file.append((size + 7) & ~uint64_t{7}));
  if (!bytes)
    return false;
  char *contents = bytes + sizeof head + head.name;
  if (head.whole && !os::read_open_file(open.number, contents, open.size))
    head.whole = 0;
  __builtin_memcpy(bytes, &head, sizeof head);
  __builtin_memcpy(bytes + sizeof head, name, head.name);
  auto number = static_cast<uint32_t>(open.number);
  row = {
      culprit_index_fold(CULPRIT_INDEX_FILE, number), 0, size, CULPRIT_REGION_FILE, number, at, 0};
  return true;
}

} // namespace culprit::explain
