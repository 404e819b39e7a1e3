// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See tests.h. What the program has buffered is written out before anything is copied: a copy would
// write it again.
#include "runtime/explain/tests.h"

#include "abi/object_service.h"
#include "runtime/explain/patch.h"
#include "runtime/explain/points.h"
#include "runtime/explain/snapshot.h"
#include "runtime/os/child.h"
#include "runtime/os/process.h"
#include "runtime/os/socket.h"
#include "runtime/start/options.h"
#include "runtime/text.h"

extern "C" __attribute__((weak)) int fflush(void *stream);

namespace culprit::explain {
namespace {

constexpr int kStandardOutput = 1;
constexpr int kStandardError = 2;

struct Order {
  char text[CULPRIT_OBJECT_ANSWER_MAX + 1];
  uint64_t milliseconds;
  const char *patch; // empty: none
  const char *stem;
};

char g_request[128];
Order g_order;
LastPoint *g_shared;

// The first line is a number and a file, the second a stem.
bool read_order(size_t length) {
  char *at = g_order.text;
  at[length] = 0;
  g_order.milliseconds = 0;
  for (; *at >= '0' && *at <= '9'; ++at)
    g_order.milliseconds = g_order.milliseconds * 10 + static_cast<uint64_t>(*at - '0');
  if (*at != ' ')
    return false;
  g_order.patch = ++at;
  while (*at && *at != '\n')
    ++at;
  if (!*at)
    return false;
  *at++ = 0;
  g_order.stem = at;
  return *at != 0;
}

// False: there is nothing more to do.
bool ask(size_t length) {
  // Three strings, of which two are empty.
  g_request[length + 1] = g_request[length + 2] = 0;
  size_t got = os::ask(start::options().tests.text, g_request, length + 3, g_order.text,
                       sizeof g_order.text - 1);
  return got && read_order(got);
}

bool redirect(int descriptor, const char *ending) {
  static char path[CULPRIT_OBJECT_ANSWER_MAX + 8];
  text::append(path, text::append(path, 0, g_order.stem), ending);
  return os::write_to_file(descriptor, path);
}

// In the copy.
void become_test(uint64_t mask) {
  g_last = g_shared;
  forget_trace();
  trace_test();
  os::part_files();
  if (!redirect(kStandardOutput, ".out") || !redirect(kStandardError, ".err") ||
      !apply_patch(g_order.patch)) {
    g_shared->site = UINT32_MAX;
    os::end_process(0);
  }
  os::restore_signals(mask);
}

// What became of the copy, as the next request: its length.
size_t tell_end(int child) {
  int status = 0;
  bool ended = os::wait_for_child(child, g_order.milliseconds, status);
  if (!ended)
    os::end_child(child);
  if (g_shared->site == UINT32_MAX)
    return text::append(g_request, 0, "unusable");
  size_t at = text::append(g_request, 0, ended ? "ended " : "endless ");
  if (ended) {
    at = text::append(g_request, at, static_cast<uint64_t>(static_cast<uint32_t>(status)));
    at = text::append(g_request, at, " ");
  }
  return text::append(g_request, at, g_shared->site);
}

} // namespace

void stop_here(uint32_t site) {
  const start::Options &options = start::options();
  if (!options.tests.text[0])
    return;
  if (os::thread_count() > 1) {
    ask(text::append(g_request, 0, "threads"));
    os::end_process(0);
  }
  if (fflush)
    fflush(nullptr);
  uint64_t mask = os::block_signals();
  g_shared = reinterpret_cast<LastPoint *>(os::map_shared(sizeof(LastPoint)));
  if (!g_shared || !write_snapshot(options.snapshot.text, site))
    os::end_process(0);
  size_t length = text::append(g_request, 0, "ready");
  while (ask(length)) {
    g_shared->site = site;
    int child = os::fork_process();
    if (child == 0)
      return become_test(mask);
    if (child < 0)
      break;
    length = tell_end(child);
  }
  os::end_process(0);
}

} // namespace culprit::explain
