// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See open_file.h.
#include "engine/explain/open_file.h"

#include "engine/explain/value_text.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>

namespace culprit::explain {
namespace {

// From where it stands.
std::string_view rest_of(const OpenFile &file) {
  return file.contents->substr(std::min<uint64_t>(file.offset, file.contents->size()));
}

} // namespace

std::optional<OpenFile> open_file(const Region *region, uint32_t descriptor) {
  if (region == nullptr || !region->bytes)
    return descriptor == 0 ? std::optional(OpenFile{.contents = std::string_view()}) : std::nullopt;
  culprit_open_file head{};
  std::string_view bytes = *region->bytes;
  if (bytes.size() < sizeof head)
    return std::nullopt;
  std::memcpy(&head, bytes.data(), sizeof head);
  bytes.remove_prefix(sizeof head);
  OpenFile file{.offset = head.offset, .size = head.size, .state = head.state};
  file.name = bytes.substr(0, head.name);
  bytes.remove_prefix(file.name.size());
  if (head.whole != 0)
    file.contents = bytes;
  return file;
}

bool is_same_file(const std::optional<OpenFile> &one, const std::optional<OpenFile> &other) {
  if (!one || !other)
    return one.has_value() == other.has_value();
  if (one->offset != other->offset || one->state != other->state ||
      one->contents.has_value() != other->contents.has_value())
    return false;
  return one->contents ? *one->contents == *other->contents
                       : one->name == other->name && one->size == other->size;
}

bool can_become(const std::optional<OpenFile> &one, const std::optional<OpenFile> &other) {
  return !other || other->contents || (one && one->name == other->name && one->size == other->size);
}

std::string file_name(uint32_t descriptor, const std::optional<OpenFile> &file) {
  if (descriptor == 0)
    return "standard input";
  const std::string name =
      file ? std::filesystem::path(std::string(file->name)).filename().string() : std::string();
  return name.empty() ? fmt::format("descriptor {}", descriptor)
                      : fmt::format("descriptor {} ({})", descriptor, name);
}

std::string file_text(const std::optional<OpenFile> &file, const std::optional<OpenFile> &other,
                      size_t most) {
  if (!file)
    return "closed";
  const bool are_told = file->contents && other && other->contents;
  if (!are_told || rest_of(*file) == rest_of(*other))
    return fmt::format("at byte {}{}", file->offset,
                       (file->state & CULPRIT_STREAM_ENDED) != 0 ? ", its end was read" : "");
  const std::string_view rest = rest_of(*file);
  const auto [here, there] = std::ranges::mismatch(rest, rest_of(*other));
  const size_t at = static_cast<size_t>(here - rest.begin());
  const size_t line = at == 0 ? std::string_view::npos : rest.rfind('\n', at - 1);
  const size_t from = line == std::string_view::npos ? 0 : line + 1;
  if (from >= rest.size())
    return "at its end";
  std::string_view shown = rest.substr(from);
  return (from == 0 ? "" : "… ") + text_value(shown.substr(0, shown.find('\n')), most);
}

} // namespace culprit::explain
