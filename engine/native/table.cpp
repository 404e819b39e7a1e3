// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes what names.h has read as abi/native_names.h lays it out.
#include "abi/native_names.h"
#include "abi/run_file.h"
#include "engine/native/names.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace culprit::native {

namespace {

constexpr size_t kLongestText = CULPRIT_NATIVE_TEXT; // names of C++ templates have no end

class Writer {
public:
  Writer() { text(""); }

  void add(const FileNames &names) {
    culprit_names_module module{};
    module.path = text(names.path.string(), /*whole=*/true);
    const auto first_layout = static_cast<uint32_t>(layouts_.size());
    for (const Layout &layout : names.layouts)
      add_layout(layout);
    module.first_global = static_cast<uint32_t>(variables_.size());
    module.globals = static_cast<uint32_t>(names.globals.size());
    for (const Variable &global : names.globals)
      add_variable(global, first_layout);
    module.first_code = static_cast<uint32_t>(codes_.size());
    std::vector<culprit_names_code> codes;
    for (const Function &function : names.functions)
      add_function(function, first_layout, codes);
    std::ranges::sort(codes, {}, &culprit_names_code::low);
    for (const culprit_names_code &code : codes)
      if (codes_.size() == module.first_code || code.low >= codes_.back().high)
        codes_.push_back(code); // functions made one by the linker
    module.codes = static_cast<uint32_t>(codes_.size()) - module.first_code;
    module.first_call = static_cast<uint32_t>(calls_.size());
    module.calls = static_cast<uint32_t>(names.calls.size());
    for (const CallResult &call : names.calls)
      calls_.push_back({.address = call.address,
                        .type = text(call.type),
                        .layout = call.layout == 0 ? 0 : first_layout + call.layout,
                        .flags = call.handed_out ? CULPRIT_NAMES_HANDED_OUT : 0u,
                        .padding = 0});
    modules_.push_back(module);
  }

  std::string bytes() const {
    culprit_native_names head{};
    head.magic = CULPRIT_NATIVE_NAMES_MAGIC;
    head.version = CULPRIT_NATIVE_NAMES_VERSION;
    head.header_size = sizeof head;
    std::string content(sizeof head, '\0');
    const auto put = [&](culprit_names_table which, const auto &table) {
      content.resize((content.size() + 7) / 8 * 8);
      head.part[which] = {content.size(), static_cast<uint32_t>(table.size()),
                          static_cast<uint32_t>(sizeof table[0])};
      content.append(reinterpret_cast<const char *>(table.data()), table.size() * sizeof table[0]);
    };
    put(CULPRIT_NAMES_MODULES, modules_);
    put(CULPRIT_NAMES_VARIABLES, variables_);
    put(CULPRIT_NAMES_FUNCTIONS, functions_);
    put(CULPRIT_NAMES_CODES, codes_);
    put(CULPRIT_NAMES_CALLS, calls_);
    put(CULPRIT_NAMES_LAYOUTS, layouts_);
    put(CULPRIT_NAMES_RANGES, ranges_);
    put(CULPRIT_NAMES_MEMBERS, members_);
    put(CULPRIT_NAMES_TEXTS, texts_);
    head.size = content.size();
    content.replace(0, sizeof head, reinterpret_cast<const char *>(&head), sizeof head);
    return content;
  }

private:
  uint32_t text(std::string_view words, bool whole = false) {
    std::string kept(words.substr(0, whole ? words.size() : kLongestText));
    const auto [known, is_new] =
        known_texts_.try_emplace(kept, static_cast<uint32_t>(texts_.size()));
    if (is_new)
      texts_.append(kept.c_str(), kept.size() + 1);
    return known->second;
  }

  void add_layout(const Layout &layout) {
    layouts_.push_back({.size = layout.size,
                        .rest = layout.rest,
                        .first_range = static_cast<uint32_t>(ranges_.size()),
                        .ranges = static_cast<uint32_t>(layout.ranges.size()),
                        .first_member = static_cast<uint32_t>(members_.size()),
                        .members = static_cast<uint32_t>(layout.members.size())});
    for (const MemberRange &range : layout.ranges)
      ranges_.push_back({range.start, range.member});
    for (const std::string &member : layout.members)
      members_.push_back(text(member));
  }

  void add_variable(const Variable &variable, uint32_t first_layout) {
    culprit_names_variable raw{};
    raw.place = variable.place;
    raw.size = variable.size;
    raw.name = text(variable.name);
    raw.function = text(variable.function);
    raw.file = text(variable.file);
    raw.line = variable.line;
    raw.type = text(variable.type);
    raw.layout = variable.layout == 0 ? 0 : first_layout + variable.layout;
    raw.internal = variable.internal ? 1 : 0;
    variables_.push_back(raw);
  }

  void add_function(const Function &function, uint32_t first_layout,
                    std::vector<culprit_names_code> &codes) {
    const auto number = static_cast<uint32_t>(functions_.size());
    functions_.push_back({.entry = function.entry,
                          .first_variable = static_cast<uint32_t>(variables_.size()),
                          .variables = static_cast<uint32_t>(function.variables.size()),
                          .saved = function.saved,
                          .flags = function.has_frame_pointer ? CULPRIT_NAMES_FRAME_POINTER : 0u});
    for (const Variable &variable : function.variables)
      add_variable(variable, first_layout);
    for (const Code &code : function.code)
      codes.push_back({.low = code.low, .high = code.high, .function = number, .padding = 0});
  }

  std::vector<culprit_names_module> modules_;
  std::vector<culprit_names_variable> variables_;
  std::vector<culprit_names_function> functions_;
  std::vector<culprit_names_code> codes_;
  std::vector<culprit_names_call> calls_;
  std::vector<culprit_names_layout> layouts_;
  std::vector<culprit_names_range> ranges_;
  std::vector<culprit_names_member> members_;
  std::string texts_;
  std::map<std::string, uint32_t> known_texts_;
};

} // namespace

std::string table_of(std::span<const FileNames> files) {
  if (files.empty())
    return {};
  Writer writer;
  for (const FileNames &names : files)
    writer.add(names);
  return writer.bytes();
}

} // namespace culprit::native
