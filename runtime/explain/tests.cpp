// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See tests.h. Streams are settled before anything is copied: a copy would write what is buffered
// again.
#include "runtime/explain/tests.h"

#include "abi/object_service.h"
#include "runtime/explain/patch.h"
#include "runtime/explain/points.h"
#include "runtime/explain/snapshot.h"
#include "runtime/explain/streams.h"
#include "runtime/os/child.h"
#include "runtime/os/open_files.h"
#include "runtime/os/process.h"
#include "runtime/os/socket.h"
#include "runtime/os/thread_count.h"
#include "runtime/start/options.h"
#include "runtime/text.h"

namespace culprit::explain {
namespace {

constexpr int kStandardOutput = 1;
constexpr int kStandardError = 2;

struct Order {
  uint64_t milliseconds;
  const char *patch; // empty: none
  const char *stem;
  int child;
};

char g_request[64 * CULPRIT_MOST_TESTS];
char g_answer[CULPRIT_OBJECT_ANSWER_MAX + 1];
Order g_orders[CULPRIT_MOST_TESTS];
size_t g_order_count;
LastPoint *g_shared; // one for each order

// Ends the line and gives the next one; null: there is no end of line.
char *next_line(char *at) {
  while (*at && *at != '\n')
    ++at;
  if (!*at)
    return nullptr;
  *at = 0;
  return at + 1;
}

// The first line is a number and a file, the second a stem. Null: it is no order.
char *read_order(char *at, Order &order) {
  order.milliseconds = 0;
  for (; *at >= '0' && *at <= '9'; ++at)
    order.milliseconds = order.milliseconds * 10 + static_cast<uint64_t>(*at - '0');
  if (*at != ' ')
    return nullptr;
  order.patch = ++at;
  at = next_line(at);
  order.stem = at;
  return at ? next_line(at) : nullptr;
}

bool read_orders(size_t length) {
  char *at = g_answer;
  at[length] = 0;
  g_order_count = 0;
  while (*at) {
    if (g_order_count == CULPRIT_MOST_TESTS)
      return false;
    at = read_order(at, g_orders[g_order_count++]);
    if (!at)
      return false;
  }
  return g_order_count != 0;
}

// False: there is nothing more to do.
bool ask(size_t length) {
  // Three strings, of which two are empty.
  g_request[length + 1] = g_request[length + 2] = 0;
  size_t got =
      os::ask(start::options().tests.text, g_request, length + 3, g_answer, sizeof g_answer - 1);
  return got && read_orders(got);
}

bool redirect(int descriptor, const Order &order, const char *ending) {
  static char path[CULPRIT_OBJECT_ANSWER_MAX + 8];
  text::append(path, text::append(path, 0, order.stem), ending);
  return os::write_to_file(descriptor, path);
}

// In the copy.
void become_test(size_t number, uint64_t mask) {
  const Order &order = g_orders[number];
  g_last = &g_shared[number];
  forget_trace();
  trace_test();
  os::part_files();
  if (!redirect(kStandardOutput, order, ".out") || !redirect(kStandardError, order, ".err") ||
      !apply_patch(order.patch)) {
    g_last->site = UINT32_MAX;
    os::end_process(0);
  }
  os::restore_signals(mask);
}

// What became of a copy, behind what the request has already: its length.
size_t tell_end(size_t number, size_t at) {
  const Order &order = g_orders[number];
  int status = 0;
  bool ended = order.child > 0 && os::wait_for_child(order.child, order.milliseconds, status);
  if (!ended && order.child > 0)
    os::end_child(order.child);
  if (at)
    at = text::append(g_request, at, " ");
  if (order.child <= 0 || g_shared[number].site == UINT32_MAX)
    return text::append(g_request, at, "unusable");
  at = text::append(g_request, at, ended ? "ended " : "endless ");
  if (ended) {
    at = text::append(g_request, at, static_cast<uint64_t>(static_cast<uint32_t>(status)));
    at = text::append(g_request, at, " ");
  }
  return text::append(g_request, at, g_shared[number].site);
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
  settle_streams();
  uint64_t mask = os::block_signals();
  g_shared = reinterpret_cast<LastPoint *>(os::map_shared(CULPRIT_MOST_TESTS * sizeof(LastPoint)));
  if (!g_shared || !write_snapshot(options.snapshot.text, site))
    os::end_process(0);
  size_t length = text::append(g_request, 0, "ready");
  while (ask(length)) {
    for (size_t i = 0; i < g_order_count; ++i) {
      g_shared[i].site = site;
      g_orders[i].child = os::fork_process();
      if (g_orders[i].child == 0)
        return become_test(i, mask);
    }
    length = 0;
    for (size_t i = 0; i < g_order_count; ++i)
      length = tell_end(i, length);
  }
  os::end_process(0);
}

} // namespace culprit::explain
