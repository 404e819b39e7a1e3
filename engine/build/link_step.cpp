// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/link_step.h"

#include "abi/frame_writer.h"
#include "engine/build/carrier_object.h"
#include "engine/build/compile_line.h"
#include "engine/build/file_bytes.h"
#include "engine/build/interface_stub.h"
#include "engine/build/link_line.h"
#include "engine/build/response_file.h"
#include "engine/build/self_carrying.h"
#include "engine/launch/isolated.h"
#include "engine/launch/spawn.h"
#include "engine/launch/temporary.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace culprit::build {

namespace fs = std::filesystem;

namespace {

void write_file(const fs::path &path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// The parts of a list in which each part ends with a zero byte.
std::vector<std::string> split_list(std::string_view list) {
  std::vector<std::string> parts;
  for (size_t end = list.find('\0'); end != std::string_view::npos; end = list.find('\0')) {
    parts.emplace_back(list.substr(0, end));
    list.remove_prefix(end + 1);
  }
  return parts;
}

// The same build gives the same bytes: clang's temporary objects (`/tmp/main-1a2b3c.o`) are
// recorded without what is random in their names.
std::string stable_name(const std::string &path) {
  const fs::path file = path;
  const std::string stem = file.stem().string();
  constexpr size_t kRandom = 7; // "-" and six hexadecimal digits
  if (file.parent_path() != launch::temporary_root() || stem.size() <= kRandom ||
      stem[stem.size() - kRandom] != '-' ||
      stem.find_first_not_of("0123456789abcdef", stem.size() - kRandom + 1) != std::string::npos)
    return path;
  return stem.substr(0, stem.size() - kRandom) + file.extension().string();
}

class LinkStep {
public:
  LinkStep(const std::string &linker, LinkLine line, fs::path scratch)
      : line_(std::move(line)), scratch_(std::move(scratch)) {
    record_.linker = linker;
    std::error_code ignored;
    record_.directory = fs::current_path(ignored).string();
    for (const LinkItem &item : line_.items)
      if (item.kind == LinkItem::Kind::file)
        next_input_ = std::max(next_input_, item.number + 1);
  }

  // The linker's arguments, with everything swapped and the carrier added.
  std::vector<std::string> prepare() {
    size_t carrier_place = 0;
    for (LinkItem &item : line_.items) {
      add(item);
      if (item.kind == LinkItem::Kind::object || item.kind == LinkItem::Kind::archive)
        carrier_place = argv_.size();
      if (item.kind == LinkItem::Kind::object)
        item.text = item.path = stable_name(item.path);
      record_.items.push_back(item);
    }
    if (!line_.relocatable) {
      frames_ += write_frame({CULPRIT_FRAME_LINK_RECORD, to_json(record_), {}});
      const fs::path carrier = scratch_ / "culprit-link-record.o";
      write_file(carrier, write_carrier_object(frames_, line_.collects_garbage));
      if (carrier_place == 0)
        carrier_place = argv_.size();
      argv_.insert(argv_.begin() + static_cast<std::ptrdiff_t>(carrier_place), carrier.string());
    }
    return std::move(argv_);
  }

private:
  // A name of its own for each swapped file, with the file's base name kept: --exclude-libs and the
  // like go by it, and so do people reading the linker's messages.
  fs::path scratch_file(const std::string &path) {
    const fs::path folder = scratch_ / std::to_string(swapped_++);
    std::error_code ignored;
    fs::create_directory(folder, ignored);
    return folder / fs::path(path).filename();
  }

  void carry_file(unsigned number, const std::string &name, std::string_view bytes) {
    const nlohmann::json metadata = {{"number", number}, {"name", name}};
    frames_ += write_frame({CULPRIT_FRAME_LINKER_INPUT,
                            metadata.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                            bytes});
  }

  void add(LinkItem &item) {
    switch (item.kind) {
    case LinkItem::Kind::output:
      argv_.insert(argv_.end(), {"-o", line_.output});
      return;
    case LinkItem::Kind::object:
      add_object(item);
      return;
    case LinkItem::Kind::archive:
      add_archive(item);
      return;
    case LinkItem::Kind::file:
      argv_.push_back(item.text + item.path);
      if (auto bytes = FileBytes::map(item.path))
        carry_file(item.number, item.path, bytes->view());
      return;
    case LinkItem::Kind::library:
    case LinkItem::Kind::shared:
      argv_.push_back(item.text);
      carry_interface(item);
      return;
    case LinkItem::Kind::argument:
      argv_.push_back(item.text);
      return;
    }
  }

  // A shared object of the user's may be gone when a flavour is linked: its interface is carried.
  void carry_interface(LinkItem &item) {
    if (item.path.empty() || is_system_file(item.path))
      return;
    auto bytes = FileBytes::map(item.path);
    if (!bytes)
      return;
    auto stub = interface_stub(bytes->view(), item.path, scratch_file(item.path));
    if (!stub)
      return; // then the flavour needs the file itself
    item.number = next_input_++;
    carry_file(item.number, item.path, *stub);
  }

  void add_object(LinkItem &item) {
    auto bytes = FileBytes::map(item.path);
    if (!bytes || carries_frame(bytes->view())) {
      argv_.push_back(item.text);
      return;
    }
    auto copy = self_carrying_copy(bytes->view(), stable_name(item.path));
    if (!copy) { // a foreign LTO object, say: linked from where it is, now and for flavours
      argv_.push_back(item.text);
      item = {LinkItem::Kind::argument, item.path, {}, 0};
      return;
    }
    const fs::path swapped = scratch_file(item.path);
    write_file(swapped, *copy);
    argv_.push_back(swapped.string());
  }

  void add_archive(LinkItem &item) {
    auto bytes = FileBytes::map(item.path);
    auto copy = bytes ? self_carrying_archive(bytes->view(), item.path)
                      : std::unexpected(std::move(bytes.error()));
    if (copy && *copy) {
      const fs::path swapped = scratch_file(item.path);
      write_file(swapped, **copy);
      argv_.push_back(swapped.string());
      return;
    }
    argv_.push_back(item.text);
    if (!copy)
      item = {LinkItem::Kind::argument, item.path, {}, 0};
  }

  LinkLine line_;
  fs::path scratch_;
  LinkRecord record_;
  std::string frames_;
  std::vector<std::string> argv_;
  unsigned swapped_ = 0;
  unsigned next_input_ = 1;
};

} // namespace

Result<launch::Status> link_and_record(const std::string &linker,
                                       const std::vector<std::string> &arguments) {
  const std::vector<std::string> expanded = expand_response_files(arguments);
  auto scratch = launch::TemporaryDirectory::create();
  if (!scratch)
    return std::unexpected(scratch.error());
  // In a child: whatever the files on the line do to LLVM's readers, the linker runs and has the
  // last word.
  const auto prepared = launch::isolated([&]() -> Result<std::string> {
    std::string list;
    for (const std::string &argument :
         LinkStep(linker, read_link_line(expanded), scratch->path()).prepare())
      list += argument + '\0';
    return list;
  });
  const std::vector<std::string> argv = prepared ? split_list(*prepared) : arguments;

  // Swapped names make the line longer than clang made it; a response file has no limit.
  const fs::path response = scratch->path() / "arguments";
  launch::ToolRun run{.argv = {linker}, .capture_output = false};
  if (fits_command_line(argv)) {
    run.argv.insert(run.argv.end(), argv.begin(), argv.end());
  } else {
    write_file(response, response_file_text(argv));
    run.argv.push_back("@" + response.string());
  }
  auto outcome = launch::run_tool(run);
  if (!outcome)
    return std::unexpected(outcome.error());
  const launch::Ending ending = outcome->status.ending;
  if (ending != launch::Ending::exited && ending != launch::Ending::signalled)
    return fail(
        fmt::format("the linker {} ended with {}", linker, launch::describe(outcome->status)));
  return outcome->status;
}

} // namespace culprit::build
