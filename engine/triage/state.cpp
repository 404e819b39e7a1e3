// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/triage/state.h"

#include "engine/build/file_bytes.h"
#include "engine/launch/temporary.h"
#include "engine/triage/inputs.h"
#include "engine/triage/record.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <unistd.h>
#include <utility>

namespace culprit::triage {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kHead = "culprit triage state 1\n";
constexpr size_t kChecksum = 16;
constexpr int kDeepest = 64;

struct Row {
  std::string program;
  std::string digest;
  Json located;
};

// Nothing: damaged.
std::optional<Row> parse_row(std::string_view line) {
  if (line.size() < kChecksum + 2 || line[kChecksum] != ' ')
    return std::nullopt;
  const std::string_view json = line.substr(kChecksum + 1);
  if (digest_text(json) != line.substr(0, kChecksum))
    return std::nullopt;
  bool deep = false; // what reads and writes documents is recursive
  Json row = Json::parse(
      json,
      [&deep](int depth, Json::parse_event_t, const Json &) {
        deep |= depth > kDeepest;
        return depth <= kDeepest;
      },
      false);
  if (deep || !row.is_object() || !row.contains("program") || !row.contains("digest") ||
      !row.contains("located") || !row["program"].is_string() || !row["digest"].is_string() ||
      !read_record(row["located"]))
    return std::nullopt;
  return Row{row["program"], row["digest"], std::move(row["located"])};
}

Error cannot_write(const fs::path &file) {
  return {fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno)),
          "name another place with --state FILE"};
}

} // namespace

std::string_view state_head() { return kHead; }

std::string state_line(std::string_view program, std::string_view digest, const Json &document) {
  const Json row = {{"program", program}, {"digest", digest}, {"located", document}};
  const std::string json = row.dump(-1, ' ', false, Json::error_handler_t::replace);
  return digest_text(json) + " " + json + "\n";
}

Result<StateText> parse_state(std::string_view text, std::string_view program) {
  StateText state;
  if (text.empty())
    return state;
  if (!text.starts_with(kHead))
    return fail("not the state of a triage");
  text.remove_prefix(kHead.size());
  for (size_t number = 2; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      state.torn = true;
      break;
    }
    auto row = parse_row(text.substr(0, end));
    if (!row)
      return fail(fmt::format("damaged in line {}", number));
    if (row->program == program)
      state.located.insert_or_assign(std::move(row->digest), std::move(row->located));
    else
      ++state.others;
    text.remove_prefix(end + 1);
  }
  return state;
}

Result<State> State::open(const fs::path &file, const std::string &program, Keep keep) {
  State state;
  state.file_ = file;
  state.program_ = program;
  std::error_code error;
  if (file.has_parent_path())
    fs::create_directories(file.parent_path(), error);
  bool whole = false;
  if (fs::exists(file, error)) {
    auto bytes = build::FileBytes::map(file);
    if (!bytes)
      return std::unexpected(bytes.error());
    std::string_view view = bytes->view();
    if (keep == Keep::nothing)
      view = view.substr(0, kHead.size());
    auto text = parse_state(view, program);
    if (!text)
      return fail(fmt::format("{}: {}", file.string(), text.error().what),
                  "remove it, or name another with --state FILE");
    state.located_ = std::move(text->located);
    whole = keep == Keep::what_fits && !text->torn && text->others == 0 && !view.empty();
  }
  if (!whole) {
    std::string text(kHead);
    for (const auto &[digest, document] : state.located_)
      text += state_line(program, digest, document);
    if (auto written = launch::write_atomically(file, text); !written)
      return std::unexpected(written.error());
  }
  state.end_ = launch::open_file(file.c_str(), O_WRONLY | O_APPEND, 0600);
  if (!state.end_.is_open())
    return std::unexpected(cannot_write(file));
  return state;
}

const Json *State::find(std::string_view digest) const {
  const auto found = located_.find(digest);
  return found == located_.end() ? nullptr : &found->second;
}

Result<void> State::add(const std::string &digest, const Json &document) {
  const std::string line = state_line(program_, digest, document);
  // One write: lines of several threads, and of several triages, do not mix.
  if (::write(end_.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    return std::unexpected(cannot_write(file_));
  return {};
}

} // namespace culprit::triage
