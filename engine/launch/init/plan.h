// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the engine tells the init process to do (a Plan, on descriptor 3) and what init tells the
// engine in return (Reports, on descriptor 4). Both sides are built from this file and never meet
// another version, so the bytes are no file format.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace culprit::launch::init {

inline constexpr int kPlanDescriptor = 3;
inline constexpr int kReportDescriptor = 4;
inline constexpr int kImageDescriptor = 5;

enum class Namespaces : uint32_t {
  none,
  user,       // a user namespace that maps our own user and group only
  privileged, // no user namespace: we may mount without one
};

// The files of `path` as they are, with all changes going to `scratch`/upper, which is thrown away.
struct Overlay {
  std::string path;
  std::string scratch;
  bool in_memory = false; // mount a tmpfs on scratch first
};

// `source`, as it was before any overlay was mounted, becomes what is seen at `target`.
struct Bind {
  std::string source;
  std::string target;
};

struct Plan {
  int64_t parent = 0;
  Namespaces namespaces = Namespaces::none;
  bool process_namespace = false;
  uint32_t user = 0;
  uint32_t group = 0;
  std::vector<Overlay> overlays;
  uint64_t memory_for_changes = 0; // size of a tmpfs
  std::vector<Bind> binds;

  std::string directory;
  std::string executable;
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
  bool fix_addresses = true;
  uint64_t stack_bytes = 0;

  // 0: no limit
  uint64_t timeout_milliseconds = 0;
  uint64_t memory_bytes = 0;
  uint64_t file_bytes = 0;
};

enum class Step : uint32_t {
  plan,
  namespaces,
  overlay, // index: which one
  bind,    // index: which one
  process_namespace,
  supervise,
  directory,
  execute,
  addresses, // not fatal
};

enum class Said : uint32_t {
  refused, // `step` failed with `error`; the target was not started, unless the step is not fatal
  ended,   // the target has ended, and why
  changed, // it has changed files in the overlay `index`
};

enum class EndedBy : uint32_t { itself, timeout, memory, request };

// Smaller than PIPE_BUF, so that each arrives whole. All zero is valid.
struct Report {
  Said said = Said::refused;
  Step step = Step::plan;
  uint32_t index = 0;
  int32_t error = 0;
  EndedBy ended_by = EndedBy::itself;
  int32_t wait_status = 0;
  uint64_t wall_microseconds = 0;
  uint64_t user_microseconds = 0;
  uint64_t system_microseconds = 0;
  uint64_t peak_bytes = 0;
};
static_assert(std::is_trivially_copyable_v<Report>);

// The one list of fields; Writer and Reader below both walk it.
template <typename Archive>
void visit(Archive &archive, auto &overlay)
  requires requires { overlay.in_memory; }
{
  archive(overlay.path);
  archive(overlay.scratch);
  archive(overlay.in_memory);
}
template <typename Archive>
void visit(Archive &archive, auto &bind)
  requires requires { bind.target; }
{
  archive(bind.source);
  archive(bind.target);
}
template <typename Archive>
void visit(Archive &archive, auto &plan)
  requires requires { plan.namespaces; }
{
  archive(plan.parent);
  archive(plan.namespaces);
  archive(plan.process_namespace);
  archive(plan.user);
  archive(plan.group);
  archive(plan.overlays);
  archive(plan.memory_for_changes);
  archive(plan.binds);
  archive(plan.directory);
  archive(plan.executable);
  archive(plan.arguments);
  archive(plan.environment);
  archive(plan.fix_addresses);
  archive(plan.stack_bytes);
  archive(plan.timeout_milliseconds);
  archive(plan.memory_bytes);
  archive(plan.file_bytes);
}

class Writer {
public:
  std::string bytes;

  template <typename T> void operator()(const T &value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
    else
      visit(*this, value);
  }
  void operator()(const std::string &text) {
    (*this)(static_cast<uint64_t>(text.size()));
    bytes += text;
  }
  template <typename T> void operator()(const std::vector<T> &list) {
    (*this)(static_cast<uint64_t>(list.size()));
    for (const T &item : list)
      (*this)(item);
  }
};

class Reader {
public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  bool whole() const { return sound_ && bytes_.empty(); }

  template <typename T> void operator()(T &value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      std::string_view raw = take(sizeof(value));
      if (sound_)
        std::memcpy(&value, raw.data(), raw.size());
    } else {
      visit(*this, value);
    }
  }
  void operator()(std::string &text) {
    uint64_t size = 0;
    (*this)(size);
    text = take(size);
  }
  template <typename T> void operator()(std::vector<T> &list) {
    uint64_t size = 0;
    (*this)(size);
    for (uint64_t i = 0; i < size && sound_; ++i)
      (*this)(list.emplace_back());
  }

private:
  std::string_view take(uint64_t size) {
    if (!sound_ || size > bytes_.size()) {
      sound_ = false;
      return {};
    }
    std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }

  std::string_view bytes_;
  bool sound_ = true;
};

} // namespace culprit::launch::init
