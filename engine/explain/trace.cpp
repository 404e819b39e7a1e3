// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See trace.h.
#include "engine/explain/trace.h"

#include "engine/build/file_bytes.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <vector>

namespace culprit::explain {

namespace {

using Event = culprit_trace_event;

// 6.4 GB each; what is kept of points in memory to align them is a quarter of that.
constexpr size_t kMostEvents = 200'000'000;
constexpr size_t kTraces = 4; // each run's, twice

// How many events are whole and make sense.
Result<size_t> count_events(Trace::Events events, size_t sites) {
  const auto end = std::ranges::find(events, 0, &Event::kind);
  const auto bad = std::find_if(events.begin(), end, [sites](const Event &event) {
    return event.kind > CULPRIT_TRACE_KEEP || event.site > sites ||
           is_point(event) != (event.site != 0);
  });
  if (bad != end)
    return fail(fmt::format("event {} of a trace is not readable", bad - events.begin()));
  return static_cast<size_t>(end - events.begin());
}

Result<Trace> trace_of(std::shared_ptr<const void> owner, Trace::Events events, size_t sites) {
  auto count = count_events(events, sites);
  if (!count)
    return std::unexpected(count.error());
  return Trace(std::move(owner), events.first(*count));
}

} // namespace

Trace::Trace(std::initializer_list<Event> events) {
  auto kept = std::make_shared<const std::vector<Event>>(events);
  events_ = *kept;
  owner_ = std::move(kept);
}

Result<Trace> parse_trace(std::string_view bytes, size_t sites) {
  auto kept = std::make_shared<std::vector<Event>>(bytes.size() / sizeof(Event));
  if (!kept->empty())
    std::memcpy(kept->data(), bytes.data(), kept->size() * sizeof(Event));
  const Trace::Events events = *kept;
  return trace_of(std::move(kept), events, sites);
}

Result<Trace> read_trace(const std::filesystem::path &file, size_t sites) {
  auto bytes = build::FileBytes::map(file);
  if (!bytes)
    return std::unexpected(bytes.error());
  auto kept = std::make_shared<const build::FileBytes>(std::move(*bytes));
  const std::string_view view = kept->view();
  if (reinterpret_cast<uintptr_t>(view.data()) % alignof(Event) != 0)
    return parse_trace(view, sites);
  const Trace::Events events(reinterpret_cast<const Event *>(view.data()),
                             view.size() / sizeof(Event));
  return trace_of(std::move(kept), events, sites);
}

size_t most_events(const std::filesystem::path &folder) {
  std::error_code failed;
  const auto space = std::filesystem::space(folder, failed);
  if (failed)
    return kMostEvents;
  return std::clamp<size_t>(space.available / kTraces / sizeof(Event), 1, kMostEvents);
}

} // namespace culprit::explain
