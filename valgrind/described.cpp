// SPDX-License-Identifier: GPL-2.0-or-later
#include "valgrind/described.h"

namespace culprit::deep {
namespace {

constexpr ULong kLargestFile = 1ul << 31;
constexpr ULong kLargestVariable = 1ul << 40;
constexpr UInt kMostSaved = 128;
constexpr Long kReturnAddress = 8;

const UChar *g_bytes; // null: there is no table
const culprit_native_names *g_head;

template <typename T> const T *table(culprit_names_table which) {
  return reinterpret_cast<const T *>(g_bytes + g_head->part[which].offset);
}
UInt count_of(culprit_names_table which) { return g_head->part[which].count; }

bool is_inside(UInt first, UInt count, culprit_names_table which) {
  return first <= count_of(which) && count <= count_of(which) - first;
}
bool is_text(UInt text) { return text < count_of(CULPRIT_NAMES_TEXTS); }

const UChar *read_file(const HChar *path, ULong &size) {
  const SysRes opened = VG_(open)(path, VKI_O_RDONLY, 0);
  if (sr_isError(opened))
    return nullptr;
  const Int file = static_cast<Int>(sr_Res(opened));
  const Off64T length = VG_(lseek)(file, 0, VKI_SEEK_END);
  VG_(lseek)(file, 0, VKI_SEEK_SET);
  UChar *bytes = nullptr;
  if (length > 0 && static_cast<ULong>(length) < kLargestFile) {
    size = static_cast<ULong>(length);
    bytes = static_cast<UChar *>(VG_(malloc)("culprit.descriptions", size));
    for (ULong got = 0; got < size;) {
      const Int count = VG_(read)(file, bytes + got, static_cast<Int>(size - got));
      if (count <= 0) {
        VG_(free)(bytes);
        bytes = nullptr;
        break;
      }
      got += static_cast<ULong>(count);
    }
  }
  VG_(close)(file);
  return bytes;
}

bool has_sound_parts(ULong size) {
  constexpr UInt kEntries[] = {
      sizeof(culprit_names_module), sizeof(culprit_names_variable), sizeof(culprit_names_function),
      sizeof(culprit_names_code),   sizeof(culprit_names_call),     sizeof(culprit_names_layout),
      sizeof(culprit_names_range),  sizeof(culprit_names_member),   sizeof(HChar)};
  static_assert(sizeof kEntries / sizeof *kEntries == CULPRIT_NAMES_TABLES);
  for (UInt i = 0; i < CULPRIT_NAMES_TABLES; ++i) {
    const culprit_names_part &part = g_head->part[i];
    if (part.offset % 8 != 0 || part.offset > size || part.entry != kEntries[i] ||
        ULong{part.count} * part.entry > size - part.offset)
      return false;
  }
  const UInt texts = count_of(CULPRIT_NAMES_TEXTS);
  return texts != 0 && table<HChar>(CULPRIT_NAMES_TEXTS)[texts - 1] == 0;
}

bool is_sound(const culprit_names_layout &layout) {
  if (layout.size == 0 || layout.ranges == 0 || layout.members == 0 ||
      layout.rest > layout.members ||
      !is_inside(layout.first_range, layout.ranges, CULPRIT_NAMES_RANGES) ||
      !is_inside(layout.first_member, layout.members, CULPRIT_NAMES_MEMBERS))
    return false;
  const culprit_names_range *ranges = described_ranges(layout);
  for (UInt i = 0; i < layout.ranges; ++i)
    if (ranges[i].member >= layout.members || ranges[i].start >= layout.size ||
        (i == 0 ? ranges[i].start != 0 : ranges[i].start <= ranges[i - 1].start))
      return false;
  for (UInt i = 0; i < layout.members; ++i)
    if (!is_text(table<culprit_names_member>(CULPRIT_NAMES_MEMBERS)[layout.first_member + i]))
      return false;
  return true;
}

bool is_sound(const culprit_names_variable &variable) {
  return variable.size != 0 && variable.size < kLargestVariable && is_text(variable.name) &&
         is_text(variable.function) && is_text(variable.file) && is_text(variable.type) &&
         variable.layout <= count_of(CULPRIT_NAMES_LAYOUTS);
}

bool is_sound(const culprit_names_function &function) {
  if (!is_inside(function.first_variable, function.variables, CULPRIT_NAMES_VARIABLES) ||
      function.saved % 8 != 0 || function.saved > kMostSaved)
    return false;
  Long end = -Long{CULPRIT_NATIVE_DEEPEST};
  const culprit_names_variable *locals = described_locals(function);
  for (UInt i = 0; i < function.variables; ++i) {
    if (locals[i].place < end || locals[i].size > CULPRIT_NATIVE_DEEPEST)
      return false;
    end = locals[i].place + static_cast<Long>(locals[i].size);
  }
  return end <= -kReturnAddress - static_cast<Long>(function.saved);
}

bool is_sound(const culprit_names_call &call) {
  return is_text(call.type) && call.layout <= count_of(CULPRIT_NAMES_LAYOUTS);
}

bool is_sound(const culprit_names_module &module) {
  if (!is_text(module.path) ||
      !is_inside(module.first_global, module.globals, CULPRIT_NAMES_VARIABLES) ||
      !is_inside(module.first_code, module.codes, CULPRIT_NAMES_CODES) ||
      !is_inside(module.first_call, module.calls, CULPRIT_NAMES_CALLS))
    return false;
  const auto *calls = table<culprit_names_call>(CULPRIT_NAMES_CALLS) + module.first_call;
  for (UInt i = 1; i < module.calls; ++i)
    if (calls[i].address <= calls[i - 1].address)
      return false;
  const auto *codes = table<culprit_names_code>(CULPRIT_NAMES_CODES) + module.first_code;
  for (UInt i = 0; i < module.codes; ++i)
    if (codes[i].low >= codes[i].high || codes[i].function >= count_of(CULPRIT_NAMES_FUNCTIONS) ||
        (i != 0 && codes[i].low < codes[i - 1].high))
      return false;
  const auto *globals =
      table<culprit_names_variable>(CULPRIT_NAMES_VARIABLES) + module.first_global;
  for (UInt i = 1; i < module.globals; ++i)
    if (globals[i].place <= globals[i - 1].place)
      return false;
  return true;
}

template <typename T> bool all_sound(culprit_names_table which) {
  for (UInt i = 0; i < count_of(which); ++i)
    if (!is_sound(table<T>(which)[i]))
      return false;
  return true;
}

// The last entry whose place is not behind `key`; null: none.
template <typename T, typename Key>
const T *last_until(const T *first, UInt count, ULong key, Key of) {
  UInt low = 0;
  UInt high = count;
  while (low < high) {
    const UInt middle = (low + high) / 2;
    if (of(first[middle]) <= key)
      low = middle + 1;
    else
      high = middle;
  }
  return low == 0 ? nullptr : first + low - 1;
}

} // namespace

const HChar *open_descriptions(const HChar *path) {
  ULong size = 0;
  const UChar *bytes = read_file(path, size);
  if (bytes == nullptr)
    return "cannot be read";
  if (size < sizeof(culprit_native_names))
    return "is cut short";
  g_bytes = bytes;
  g_head = reinterpret_cast<const culprit_native_names *>(bytes);
  const HChar *wrong = nullptr;
  if (g_head->magic != CULPRIT_NATIVE_NAMES_MAGIC)
    wrong = "is no table of names";
  else if (g_head->version != CULPRIT_NATIVE_NAMES_VERSION ||
           g_head->header_size != sizeof(culprit_native_names))
    wrong = "was written by another version of culprit";
  else if (g_head->size != size)
    wrong = "is cut short";
  else if (!has_sound_parts(size) || !all_sound<culprit_names_layout>(CULPRIT_NAMES_LAYOUTS) ||
           !all_sound<culprit_names_variable>(CULPRIT_NAMES_VARIABLES) ||
           !all_sound<culprit_names_function>(CULPRIT_NAMES_FUNCTIONS) ||
           !all_sound<culprit_names_call>(CULPRIT_NAMES_CALLS) ||
           !all_sound<culprit_names_module>(CULPRIT_NAMES_MODULES))
    wrong = "is damaged";
  if (wrong != nullptr)
    g_bytes = nullptr;
  return wrong;
}

const culprit_names_module *described_module(const HChar *path) {
  if (g_bytes == nullptr)
    return nullptr;
  const auto *modules = table<culprit_names_module>(CULPRIT_NAMES_MODULES);
  for (UInt i = 0; i < count_of(CULPRIT_NAMES_MODULES); ++i)
    if (VG_(strcmp)(described_text(modules[i].path), path) == 0)
      return &modules[i];
  return nullptr;
}

const culprit_names_variable *described_global(const culprit_names_module &module, Addr address) {
  const auto *found =
      last_until(table<culprit_names_variable>(CULPRIT_NAMES_VARIABLES) + module.first_global,
                 module.globals, address, [](const culprit_names_variable &variable) {
                   return static_cast<ULong>(variable.place);
                 });
  return found != nullptr && static_cast<Addr>(found->place) == address ? found : nullptr;
}

const culprit_names_code *described_code(const culprit_names_module &module, Addr address) {
  const auto *found =
      last_until(table<culprit_names_code>(CULPRIT_NAMES_CODES) + module.first_code, module.codes,
                 address, [](const culprit_names_code &code) { return code.low; });
  return found != nullptr && address < found->high ? found : nullptr;
}

const culprit_names_call *described_call(const culprit_names_module &module, Addr address) {
  const auto *found =
      last_until(table<culprit_names_call>(CULPRIT_NAMES_CALLS) + module.first_call, module.calls,
                 address, [](const culprit_names_call &call) { return call.address; });
  return found != nullptr && found->address == address ? found : nullptr;
}

const culprit_names_function &described_function(const culprit_names_code &code) {
  return table<culprit_names_function>(CULPRIT_NAMES_FUNCTIONS)[code.function];
}

const culprit_names_variable *described_locals(const culprit_names_function &function) {
  return table<culprit_names_variable>(CULPRIT_NAMES_VARIABLES) + function.first_variable;
}

const HChar *described_text(UInt text) { return table<HChar>(CULPRIT_NAMES_TEXTS) + text; }

namespace {

const culprit_names_layout *layout_at(UInt position) {
  return position == 0 ? nullptr
                       : table<culprit_names_layout>(CULPRIT_NAMES_LAYOUTS) + position - 1;
}

} // namespace

const culprit_names_layout *described_layout(const culprit_names_variable &variable) {
  return layout_at(variable.layout);
}

const culprit_names_layout *described_layout(const culprit_names_call &call) {
  return layout_at(call.layout);
}

const culprit_names_range *described_ranges(const culprit_names_layout &layout) {
  return table<culprit_names_range>(CULPRIT_NAMES_RANGES) + layout.first_range;
}

const HChar *described_member(const culprit_names_layout &layout, UInt member) {
  return described_text(
      table<culprit_names_member>(CULPRIT_NAMES_MEMBERS)[layout.first_member + member]);
}

} // namespace culprit::deep
