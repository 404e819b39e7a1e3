// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/carried.h"

#include "abi/pass_options.h"
#include "engine/build/elf_view.h"
#include "engine/build/file_bytes.h"
#include "engine/build/frames.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace culprit::build {

namespace {

using nlohmann::json;

constexpr const char *kRebuild = "build the program again with `culprit cc`";

std::string text_at(const json &metadata, const char *key) {
  const auto found = metadata.find(key);
  return found != metadata.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Result<Module> module_of(const FrameView &frame, const json &metadata) {
  auto bitcode = payload_of(frame);
  if (!bitcode)
    return std::unexpected(bitcode.error());
  Module module{text_at(metadata, CULPRIT_META_SOURCE),
                text_at(metadata, CULPRIT_META_DIRECTORY),
                {},
                metadata.value(CULPRIT_META_DEBUG_STRIPPED, json(false)) == json(true),
                text_at(metadata, CULPRIT_META_LANGUAGE) == "c++",
                std::move(*bitcode)};
  if (const auto arguments = metadata.find(CULPRIT_META_ARGUMENTS);
      arguments != metadata.end() && arguments->is_array())
    for (const json &argument : *arguments)
      if (argument.is_string())
        module.arguments.push_back(argument.get<std::string>());
  return module;
}

Result<void> add_frame(Carried &carried, const FrameView &frame) {
  const json metadata = json::parse(frame.metadata, nullptr, /*allow_exceptions=*/false);
  if (!metadata.is_object())
    return fail("a carried frame's metadata is not readable", kRebuild);
  switch (frame.kind) {
  case CULPRIT_FRAME_BITCODE: {
    auto module = module_of(frame, metadata);
    if (!module)
      return std::unexpected(module.error());
    carried.units.emplace_back(std::move(*module));
    return {};
  }
  case CULPRIT_FRAME_NATIVE_OBJECT: {
    auto bytes = payload_of(frame);
    if (!bytes)
      return std::unexpected(bytes.error());
    carried.units.emplace_back(NativeObject{text_at(metadata, "name"), std::move(*bytes)});
    return {};
  }
  case CULPRIT_FRAME_LINK_RECORD: {
    auto record = link_record_from_json(frame.metadata);
    if (!record)
      return std::unexpected(record.error());
    if (carried.link)
      return fail("two link records are carried", kRebuild);
    carried.link = std::move(*record);
    return {};
  }
  case CULPRIT_FRAME_LINKER_INPUT: {
    auto bytes = payload_of(frame);
    if (!bytes)
      return std::unexpected(bytes.error());
    const auto number = metadata.find("number");
    carried.linker_inputs.push_back(
        {number != metadata.end() && number->is_number_unsigned() ? number->get<unsigned>() : 0U,
         text_at(metadata, "name"), std::move(*bytes)});
    return {};
  }
  default:
    return fail(fmt::format("a carried frame is of the unknown kind {}", frame.kind),
                "it was written by a newer culprit; build the program again with this one");
  }
}

struct Layout {
  FileType type = FileType::executable;
  std::string_view section; // the frames' section; empty: none
  size_t section_offset = 0;
  bool has_frames = false; // clang's own command lines in a section of this name are not aligned
};

Result<Layout> layout_of(std::string_view bytes) {
  const auto file = read_elf(bytes);
  if (!file)
    return std::unexpected(file.error());
  Layout layout;
  for (const ElfSection &section : file->sections)
    if (section.name == CULPRIT_FRAME_SECTION) {
      layout.section = section.contents;
      layout.section_offset = section.offset;
      layout.has_frames = section.alignment >= CULPRIT_FRAME_ALIGNMENT && !section.contents.empty();
    }
  const bool is_pie = std::ranges::any_of(file->dynamic, [](const DynamicEntry &entry) {
    return entry.tag == llvm::ELF::DT_FLAGS_1 && (entry.value & llvm::ELF::DF_1_PIE) != 0;
  });
  switch (file->type) {
  case llvm::ELF::ET_EXEC:
    layout.type = FileType::executable;
    break;
  case llvm::ELF::ET_DYN:
    layout.type = is_pie || file->has_segment(llvm::ELF::PT_INTERP) ? FileType::executable
                                                                    : FileType::shared_object;
    break;
  case llvm::ELF::ET_REL:
    layout.type = FileType::object;
    break;
  default:
    return fail("neither an executable nor a shared object");
  }
  return layout;
}

// What the link record says about the file must be what the file is: the header alone has no
// checksum.
Result<void> check_against_record(const Carried &carried) {
  if (!carried.link)
    return {};
  size_t objects = 0;
  bool is_shared = false;
  for (const LinkItem &item : carried.link->items) {
    objects += item.kind == LinkItem::Kind::object ? 1 : 0;
    is_shared |= item.kind == LinkItem::Kind::argument &&
                 (item.text == "-shared" || item.text == "--shared" || item.text == "-Bshareable");
  }
  const FileType linked = is_shared ? FileType::shared_object : FileType::executable;
  if (carried.type != linked)
    return fail("damaged ELF file: it was linked as another type of file", kRebuild);
  if (carried.units.size() < objects)
    return fail(fmt::format("{} of its {} objects are no longer carried",
                            objects - carried.units.size(), objects),
                kRebuild);
  return {};
}

} // namespace

std::vector<const Module *> Carried::modules() const {
  std::vector<const Module *> found;
  for (const Unit &unit : units)
    if (const auto *module = std::get_if<Module>(&unit))
      found.push_back(module);
  return found;
}

std::vector<const NativeObject *> Carried::natives() const {
  std::vector<const NativeObject *> found;
  for (const Unit &unit : units)
    if (const auto *native = std::get_if<NativeObject>(&unit))
      found.push_back(native);
  return found;
}

Result<Carried> read_carried_bytes(std::string_view bytes, const std::filesystem::path &path) {
  auto named = [&](const Error &error) {
    return fail(fmt::format("{}: {}", path.string(), error.what), error.hint);
  };
  auto layout = layout_of(bytes);
  if (!layout)
    return named(layout.error());
  auto frames = read_section(layout->section);
  if (!frames)
    return named(frames.error());
  if (layout->has_frames && frames->empty())
    return named({"all carried frames are damaged", kRebuild});

  // A damaged section table could hide frames: every whole frame in the file must be one of the
  // section's.
  for (const size_t offset : find_frames(bytes)) {
    const bool known =
        !layout->section.empty() && std::ranges::any_of(*frames, [&](const FrameView &frame) {
          return layout->section_offset + frame.offset <= offset &&
                 offset < layout->section_offset + frame.offset + sizeof(culprit_frame_header) +
                              frame.metadata.size() + frame.stored.size();
        });
    if (!known && layout->type != FileType::object)
      return named({"holds carried frames outside the section " CULPRIT_FRAME_SECTION
                    ": its section table is damaged",
                    kRebuild});
  }

  if (frames->empty() && layout->type != FileType::object && holds_start_of_frame(bytes))
    return named({"all carried frames are damaged, and so is its section table", kRebuild});

  Carried carried;
  carried.path = path;
  carried.type = layout->type;
  for (const FrameView &frame : *frames)
    if (auto added = add_frame(carried, frame); !added)
      return named(added.error());
  if (auto checked = check_against_record(carried); !checked)
    return named(checked.error());
  carried.content_hash =
      llvm::xxh3_64bits(llvm::StringRef(layout->section.data(), layout->section.size()));
  return carried;
}

Result<Carried> read_carried(const std::filesystem::path &path) {
  auto file = FileBytes::map(path);
  if (!file)
    return std::unexpected(file.error());
  return read_carried_bytes(file->view(), path);
}

} // namespace culprit::build
