// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See run_file.h.
#include "engine/run/run_file.h"

#include "abi/access.h"
#include "abi/locate.h"
#include "engine/run/record_parser.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace culprit::run {
namespace {

using Bytes = std::span<const std::byte>;

template <typename T> T load(Bytes bytes, uint64_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::unexpected<Error> damaged(std::string_view name, std::string_view what) {
  return fail(fmt::format("{}: {}", name, what),
              "the file is damaged; run the target again to make a new one");
}

std::string text_at(Bytes payload, size_t at, size_t length) {
  return {reinterpret_cast<const char *>(payload.data()) + at, length};
}

using What = decltype(Record::what);

// Every record is at least as long as its fixed part; 0: an unknown kind.
size_t fixed_size(uint16_t kind) {
  switch (kind) {
#define RECORD(number, name, meaning)                                                              \
  case number:                                                                                     \
    return sizeof(culprit_record_##name);
#include "abi/records.def"
#undef RECORD
  default:
    return 0;
  }
}

// `count` rows behind the fixed part, which must be all there is: rows are multiples of 8 bytes, so
// there is no padding.
template <typename T>
std::optional<std::vector<T>> rows_at(Bytes payload, size_t at, uint64_t count) {
  if ((payload.size() - at) % sizeof(T) != 0 || (payload.size() - at) / sizeof(T) != count)
    return std::nullopt;
  std::vector<T> rows(count);
  if (count != 0)
    std::memcpy(rows.data(), payload.data() + at, count * sizeof(T));
  return rows;
}

template <typename T, typename Raw> std::optional<What> with_addresses(Bytes payload) {
  const auto raw = load<Raw>(payload, 0);
  auto addresses = rows_at<uint64_t>(payload, sizeof raw, raw.frames);
  if (!addresses)
    return std::nullopt;
  return T{raw, std::move(*addresses)};
}

// The records of the locate flavours.
std::optional<What> parse_locate_payload(uint16_t kind, Bytes payload) {
  switch (kind) {
  case CULPRIT_RECORD_crash: {
    auto crash = with_addresses<Crash, culprit_record_crash>(payload);
    if (!crash)
      return std::nullopt;
    const uint32_t how = std::get<Crash>(*crash).numbers.kind;
    return how >= CULPRIT_CRASH_SIGNAL && how <= CULPRIT_CRASH_FREED_READ ? crash : std::nullopt;
  }
  case CULPRIT_RECORD_fired:
    return Fired{load<culprit_record_fired>(payload, 0)};
  case CULPRIT_RECORD_target:
    return with_addresses<Target, culprit_record_target>(payload);
  case CULPRIT_RECORD_arguments:
    return Arguments{load<culprit_record_arguments>(payload, 0)};
  case CULPRIT_RECORD_astray:
    return with_addresses<Astray, culprit_record_astray>(payload);
  case CULPRIT_RECORD_assembled:
    return Assembled{load<culprit_record_assembled>(payload, 0)};
  case CULPRIT_RECORD_brought:
    return with_addresses<Brought, culprit_record_brought>(payload);
  default:
    return Unknown{kind, std::vector<std::byte>(payload.begin(), payload.end())};
  }
}

std::optional<What> parse_native_object(Bytes payload) {
  NativeObject object;
  object.numbers = load<culprit_record_native_object>(payload, 0);
  const size_t fixed = sizeof object.numbers;
  if (object.numbers.text_length > payload.size() - fixed ||
      object.numbers.kind > CULPRIT_NATIVE_BLOCK)
    return std::nullopt;
  const std::string texts = text_at(payload, fixed, object.numbers.text_length);
  size_t from = 0;
  for (std::string *text :
       {&object.name, &object.function, &object.file, &object.type, &object.member}) {
    const size_t end = texts.find('\0', from);
    if (end == std::string::npos)
      return std::nullopt;
    *text = texts.substr(from, end - from);
    from = end + 1;
  }
  return object;
}

// The records of the Valgrind tool.
std::optional<What> parse_native_payload(uint16_t kind, Bytes payload) {
  switch (kind) {
  case CULPRIT_RECORD_native_access: {
    auto raw = load<culprit_record_native_access>(payload, 0);
    if (raw.row >= CULPRIT_MAX_ROWS)
      return std::nullopt;
    return NativeAccess{raw};
  }
  case CULPRIT_RECORD_native_variable: {
    auto raw = load<culprit_record_native_variable>(payload, 0);
    if (raw.name_length > payload.size() - sizeof raw)
      return std::nullopt;
    return NativeVariable{raw, text_at(payload, sizeof raw, raw.name_length)};
  }
  case CULPRIT_RECORD_native_object:
    return parse_native_object(payload);
  default:
    return parse_locate_payload(kind, payload);
  }
}

// The records of the access flavours.
std::optional<What> parse_access_payload(uint16_t kind, Bytes payload) {
  switch (kind) {
  case CULPRIT_RECORD_access_unit: {
    auto raw = load<culprit_record_access_unit>(payload, 0);
    if (raw.row_base >= CULPRIT_MAX_ROWS || raw.rows > CULPRIT_MAX_ROWS - raw.row_base)
      return std::nullopt;
    return AccessUnit{raw.id, raw.row_base, raw.rows};
  }
  case CULPRIT_RECORD_name: {
    auto raw = load<culprit_record_name>(payload, 0);
    if (raw.number == CULPRIT_NO_NAME || raw.kind > CULPRIT_NAME_FREED)
      return std::nullopt;
    return ObjectName{raw};
  }
  case CULPRIT_RECORD_access: {
    auto raw = load<culprit_record_access>(payload, 0);
    auto addresses = rows_at<uint64_t>(payload, sizeof raw, raw.depth);
    if (!addresses || raw.row >= CULPRIT_MAX_ROWS || raw.name == CULPRIT_NO_NAME ||
        raw.size > UINT64_MAX - raw.start || raw.length > UINT64_MAX - raw.address)
      return std::nullopt;
    return AccessMet{raw, std::move(*addresses)};
  }
  case CULPRIT_RECORD_counts: {
    auto raw = load<culprit_record_counts>(payload, 0);
    auto rows = rows_at<culprit_count_row>(payload, sizeof raw, raw.count);
    if (!rows || std::ranges::any_of(*rows, [](const culprit_count_row &row) {
          return row.row >= CULPRIT_MAX_ROWS || row.name == CULPRIT_NO_NAME;
        }))
      return std::nullopt;
    return AccessCounts{std::move(*rows)};
  }
  case CULPRIT_RECORD_period: {
    auto raw = load<culprit_record_period>(payload, 0);
    if (raw.period == 0)
      return std::nullopt;
    return Period{raw.period, raw.work};
  }
  case CULPRIT_RECORD_watch:
    return Watch{load<culprit_record_watch>(payload, 0)};
  default:
    return parse_native_payload(kind, payload);
  }
}

// The records of the monitor flavour.
std::optional<What> parse_heap_payload(uint16_t kind, Bytes payload) {
  switch (kind) {
  case CULPRIT_RECORD_unit: {
    auto raw = load<culprit_record_unit>(payload, 0);
    if (raw.sites > UINT32_MAX - raw.base)
      return std::nullopt;
    return Unit{raw.id, raw.base, raw.sites};
  }
  case CULPRIT_RECORD_native_site: {
    auto raw = load<culprit_record_native_site>(payload, 0);
    if (raw.number == 0 || raw.number > CULPRIT_LARGEST_SITE)
      return std::nullopt;
    return NativeSite{raw.number, raw.address};
  }
  case CULPRIT_RECORD_context: {
    auto raw = load<culprit_record_context>(payload, 0);
    return Context{raw.number, raw.chain};
  }
  case CULPRIT_RECORD_point:
    return MetricPoint{load<culprit_record_point>(payload, 0)};
  case CULPRIT_RECORD_point_contexts: {
    auto raw = load<culprit_record_point_contexts>(payload, 0);
    auto rows = rows_at<culprit_context_cells>(payload, sizeof raw, raw.count);
    return rows ? std::optional<What>(PointContexts{raw.index, std::move(*rows)}) : std::nullopt;
  }
  case CULPRIT_RECORD_verify:
    return Verify{load<culprit_record_verify>(payload, 0)};
  case CULPRIT_RECORD_stack: {
    auto raw = load<culprit_record_stack>(payload, 0);
    auto addresses = rows_at<uint64_t>(payload, sizeof raw, raw.depth);
    if (!addresses || raw.metric >= CULPRIT_DEGREE_METRICS || raw.when > CULPRIT_STACK_AFTER)
      return std::nullopt;
    return Stack{raw.index, raw.metric, raw.when, raw.high != 0, std::move(*addresses)};
  }
  case CULPRIT_RECORD_blame: {
    auto raw = load<culprit_record_blame>(payload, 0);
    auto rows = rows_at<culprit_blame_row>(payload, sizeof raw, raw.count);
    if (!rows || std::ranges::any_of(
                     *rows, [](const culprit_blame_row &row) { return row.cell >= CULPRIT_CELLS; }))
      return std::nullopt;
    return Blame{raw.index, std::move(*rows)};
  }
  case CULPRIT_RECORD_neighbourhood: {
    auto raw = load<culprit_record_neighbourhood>(payload, 0);
    auto rows = rows_at<culprit_neighbour>(payload, sizeof raw, raw.count);
    if (!rows || rows->size() > static_cast<size_t>(CULPRIT_MOST_NEIGHBOURS) ||
        raw.cell >= CULPRIT_CELLS || std::ranges::any_of(*rows, [](const culprit_neighbour &row) {
          return row.links == 0 || row.links > (CULPRIT_LINK_IN | CULPRIT_LINK_OUT) ||
                 row.itself > 1;
        }))
      return std::nullopt;
    return Neighbourhood{raw, std::move(*rows)};
  }
  default:
    return parse_access_payload(kind, payload);
  }
}

// Payloads are padded to 8 bytes, so what follows the fixed part may be up to 7 bytes longer than
// its lengths say.
std::optional<What> parse_payload(uint16_t kind, Bytes payload) {
  if (payload.size() < fixed_size(kind))
    return std::nullopt;
  switch (kind) {
  case CULPRIT_RECORD_start: {
    auto raw = load<culprit_record_start>(payload, 0);
    size_t room = payload.size() - sizeof raw;
    if (raw.executable_length > room || raw.argument_length > room - raw.executable_length)
      return std::nullopt;
    return ProcessStart{raw.pid, raw.parent, raw.forked != 0,
                        text_at(payload, sizeof raw, raw.executable_length),
                        text_at(payload, sizeof raw + raw.executable_length, raw.argument_length)};
  }
  case CULPRIT_RECORD_module: {
    auto raw = load<culprit_record_module>(payload, 0);
    if (raw.path_length > payload.size() - sizeof raw || raw.build_id_length > sizeof raw.build_id)
      return std::nullopt;
    return Module{raw.base, raw.low, raw.high,
                  std::vector<uint8_t>(raw.build_id, raw.build_id + raw.build_id_length),
                  text_at(payload, sizeof raw, raw.path_length)};
  }
  case CULPRIT_RECORD_exit: {
    auto raw = load<culprit_record_exit>(payload, 0);
    return ProcessExit{raw.status, raw.how == 1};
  }
  case CULPRIT_RECORD_heap:
    return HeapSummary{load<culprit_record_heap>(payload, 0)};
  default:
    return parse_heap_payload(kind, payload);
  }
}

} // namespace

Result<culprit_run_header> parse_header(std::span<const std::byte> bytes, std::string_view name) {
  if (bytes.size() < sizeof(culprit_run_header))
    return fail(fmt::format("{}: too short for a run file ({} bytes)", name, bytes.size()));
  auto head = load<culprit_run_header>(bytes, 0);
  if (head.magic == 0)
    return fail(fmt::format("{}: the run file was never begun", name),
                "the target died before its first instruction; run it again");
  if (head.magic != CULPRIT_RUN_MAGIC)
    return fail(fmt::format("{}: not a run file", name));
  if (head.byte_order != CULPRIT_RUN_BYTE_ORDER)
    return fail(fmt::format("{}: written on a machine of another byte order", name));
  if (head.version != CULPRIT_RUN_VERSION)
    return fail(fmt::format("{}: run file of version {}, this culprit reads version {}", name,
                            head.version, CULPRIT_RUN_VERSION),
                "run the target again with this culprit");
  if (head.header_size != sizeof head || head.committed < sizeof head ||
      head.reserved < head.committed || head.committed % 8 || head.reserved % 8 ||
      std::ranges::any_of(head.spare, [](uint64_t word) { return word != 0; }))
    return damaged(name, "the header contradicts itself");
  return head;
}

Result<std::variant<ParsedRecord, Tear>> parse_record(std::span<const std::byte> bytes,
                                                      const culprit_run_header &head, uint64_t at,
                                                      uint64_t number, std::string_view name) {
  const auto torn = [&](std::string why) { return Tear{number, at, std::move(why)}; };
  const uint64_t left = bytes.size();
  if (left < sizeof(culprit_record))
    return torn(fmt::format("record {} is cut short ({} of {} bytes)", number, left,
                            sizeof(culprit_record)));
  auto record = load<culprit_record>(bytes, 0);
  if (!record.commit) {
    if (at < head.committed)
      return damaged(name, fmt::format("record {} was finished and is not", number));
    return torn(fmt::format("record {} was being written", number));
  }
  if (record.size < sizeof record || record.size % 8 || record.size > CULPRIT_RUN_RECORD_MAX ||
      record.size > head.reserved - at)
    return damaged(name, fmt::format("record {} has an impossible size", number));
  if (record.size > left)
    return torn(fmt::format("record {} is cut short ({} of {} bytes)", number, left, record.size));
  // The checksum reads the record in place: copied, so that a span of any alignment may be
  // parsed.
  std::vector<uint64_t> aligned(record.size / 8);
  std::memcpy(aligned.data(), bytes.data(), record.size);
  if (culprit_record_checksum(reinterpret_cast<const culprit_record *>(aligned.data()), at) !=
      record.commit)
    return damaged(name, fmt::format("record {} does not match its checksum", number));
  std::optional<What> what =
      parse_payload(record.kind, bytes.subspan(sizeof record, record.size - sizeof record));
  if (!what)
    return damaged(name, fmt::format("record {} ({}) does not hold what its kind says", number,
                                     kind_name(record.kind)));
  // The header has no checksum, but the first record repeats who wrote it.
  if (const auto *start = std::get_if<ProcessStart>(&*what);
      start && number == 0 && start->pid != head.pid)
    return damaged(name, "the header contradicts the first record");
  return ParsedRecord{{at, record.thread, std::move(*what)}, record.size};
}

Result<RunFile> parse(std::span<const std::byte> bytes, std::string_view name) {
  Result<culprit_run_header> head = parse_header(bytes, name);
  if (!head)
    return std::unexpected(head.error());
  RunFile file{{head->pid, head->start_wall_ns, head->start_monotonic_ns, head->lost}, {}, {}};
  uint64_t at = sizeof *head;
  while (at < head->reserved) {
    auto parsed = parse_record(bytes.subspan(std::min<uint64_t>(at, bytes.size())), *head, at,
                               file.records.size(), name);
    if (!parsed)
      return std::unexpected(parsed.error());
    if (auto *tear = std::get_if<Tear>(&*parsed)) {
      file.tear = std::move(*tear);
      break;
    }
    auto &[record, size] = std::get<ParsedRecord>(*parsed);
    file.records.push_back(std::move(record));
    at += size;
  }
  return file;
}

Result<RunFile> read(const std::filesystem::path &path) {
  std::error_code error;
  std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    return fail(fmt::format("{}: no such file", path.string()));
  if (!std::filesystem::is_regular_file(status))
    return fail(fmt::format("{}: not a regular file", path.string()));
  // Mapped, not read: a file with a hole of a terabyte must not ask for that much memory.
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return fail(fmt::format("{}: {}", path.string(), std::strerror(errno)));
  struct stat facts{};
  size_t size = ::fstat(file, &facts) == 0 ? static_cast<size_t>(facts.st_size) : 0;
  void *mapped = size ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0) : nullptr;
  int reason = errno;
  ::close(file);
  if (mapped == MAP_FAILED)
    return fail(fmt::format("{}: {}", path.string(), std::strerror(reason)));
  Result<RunFile> result = parse({static_cast<const std::byte *>(mapped), size}, path.string());
  if (size)
    ::munmap(mapped, size);
  return result;
}

uint16_t kind_of(const Record &record) {
  struct Visitor {
    uint16_t operator()(const ProcessStart &) const { return CULPRIT_RECORD_start; }
    uint16_t operator()(const Module &) const { return CULPRIT_RECORD_module; }
    uint16_t operator()(const ProcessExit &) const { return CULPRIT_RECORD_exit; }
    uint16_t operator()(const HeapSummary &) const { return CULPRIT_RECORD_heap; }
    uint16_t operator()(const Unit &) const { return CULPRIT_RECORD_unit; }
    uint16_t operator()(const NativeSite &) const { return CULPRIT_RECORD_native_site; }
    uint16_t operator()(const NativeAccess &) const { return CULPRIT_RECORD_native_access; }
    uint16_t operator()(const NativeVariable &) const { return CULPRIT_RECORD_native_variable; }
    uint16_t operator()(const NativeObject &) const { return CULPRIT_RECORD_native_object; }
    uint16_t operator()(const Context &) const { return CULPRIT_RECORD_context; }
    uint16_t operator()(const MetricPoint &) const { return CULPRIT_RECORD_point; }
    uint16_t operator()(const PointContexts &) const { return CULPRIT_RECORD_point_contexts; }
    uint16_t operator()(const Verify &) const { return CULPRIT_RECORD_verify; }
    uint16_t operator()(const Stack &) const { return CULPRIT_RECORD_stack; }
    uint16_t operator()(const Blame &) const { return CULPRIT_RECORD_blame; }
    uint16_t operator()(const Neighbourhood &) const { return CULPRIT_RECORD_neighbourhood; }
    uint16_t operator()(const AccessUnit &) const { return CULPRIT_RECORD_access_unit; }
    uint16_t operator()(const ObjectName &) const { return CULPRIT_RECORD_name; }
    uint16_t operator()(const AccessMet &) const { return CULPRIT_RECORD_access; }
    uint16_t operator()(const AccessCounts &) const { return CULPRIT_RECORD_counts; }
    uint16_t operator()(const Period &) const { return CULPRIT_RECORD_period; }
    uint16_t operator()(const Watch &) const { return CULPRIT_RECORD_watch; }
    uint16_t operator()(const Crash &) const { return CULPRIT_RECORD_crash; }
    uint16_t operator()(const Fired &) const { return CULPRIT_RECORD_fired; }
    uint16_t operator()(const Target &) const { return CULPRIT_RECORD_target; }
    uint16_t operator()(const Arguments &) const { return CULPRIT_RECORD_arguments; }
    uint16_t operator()(const Astray &) const { return CULPRIT_RECORD_astray; }
    uint16_t operator()(const Assembled &) const { return CULPRIT_RECORD_assembled; }
    uint16_t operator()(const Brought &) const { return CULPRIT_RECORD_brought; }
    uint16_t operator()(const Unknown &unknown) const { return unknown.kind; }
  };
  return std::visit(Visitor{}, record.what);
}

std::string_view kind_name(uint16_t kind) {
  switch (kind) {
#define RECORD(number, name, meaning)                                                              \
  case number:                                                                                     \
    return #name;
#include "abi/records.def"
#undef RECORD
  default:
    return "unknown";
  }
}

} // namespace culprit::run
