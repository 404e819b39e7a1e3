// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See streams.h. glibc's: the list of all its streams is a symbol of it, and what is read of a
// stream is declared in its header. Another C library's input streams stay as they are.
#include "runtime/explain/streams.h"

#include "abi/explain.h"

#include <stdio.h>

// NOLINTBEGIN(cert-fio38-c,readability-identifier-naming,readability-redundant-declaration):
// glibc's names, and weak
extern "C" {
__attribute__((weak)) int fflush(FILE *stream);
extern __attribute__((weak)) FILE *_IO_list_all;
}

namespace culprit::explain {
namespace {

constexpr int kInBackup = 0x100; // glibc: letters were pushed back that were not read

template <typename Visitor> void for_each_stream(Visitor visitor) {
  for (FILE *each = &_IO_list_all ? _IO_list_all : nullptr; each; each = each->_chain)
    if (each->_fileno >= 0)
      visitor(*each);
}

} // namespace

void settle_streams() {
  if (!fflush)
    return;
  // Asked to flush all, glibc leaves alone those that read.
  for_each_stream([](FILE &stream) {
    if ((stream._IO_read_ptr != stream._IO_read_end || stream._mode > 0) &&
        !(stream._flags & kInBackup))
      fflush(&stream);
  });
  fflush(nullptr);
}

uint32_t stream_state(int descriptor) {
  uint32_t state = 0;
  for_each_stream([&](const FILE &stream) {
    if (stream._fileno == descriptor)
      state = (stream._flags & _IO_EOF_SEEN ? CULPRIT_STREAM_ENDED : 0u) |
              (stream._flags & _IO_ERR_SEEN ? CULPRIT_STREAM_FAILED : 0u);
  });
  return state;
}

void set_stream_state(int descriptor, uint32_t state) {
  for_each_stream([&](FILE &stream) {
    if (stream._fileno == descriptor)
      stream._flags = (stream._flags & ~(_IO_EOF_SEEN | _IO_ERR_SEEN)) |
                      (state & CULPRIT_STREAM_ENDED ? _IO_EOF_SEEN : 0) |
                      (state & CULPRIT_STREAM_FAILED ? _IO_ERR_SEEN : 0);
  });
}

} // namespace culprit::explain
// NOLINTEND(cert-fio38-c,readability-identifier-naming,readability-redundant-declaration)
