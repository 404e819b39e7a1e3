// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See trace.h.
#include "engine/explain/trace.h"

#include "engine/build/file_bytes.h"

#include <cstring>
#include <fmt/format.h>

namespace culprit::explain {

Result<Trace> parse_trace(std::string_view bytes, size_t sites) {
  Trace trace;
  trace.reserve(bytes.size() / sizeof(culprit_trace_event));
  while (bytes.size() >= sizeof(culprit_trace_event)) {
    culprit_trace_event event;
    std::memcpy(&event, bytes.data(), sizeof event);
    bytes.remove_prefix(sizeof event);
    if (event.kind == 0)
      break;
    if (event.kind > CULPRIT_TRACE_KEEP || event.site > sites ||
        is_point(event) != (event.site != 0))
      return fail(fmt::format("event {} of a trace is not readable", trace.size()));
    trace.push_back(event);
  }
  return trace;
}

Result<Trace> read_trace(const std::filesystem::path &file, size_t sites) {
  auto bytes = build::FileBytes::map(file);
  if (!bytes)
    return std::unexpected(bytes.error());
  return parse_trace(bytes->view(), sites);
}

} // namespace culprit::explain
