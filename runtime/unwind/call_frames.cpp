// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See call_frames.h. Names and numbers are those of the DWARF standard and of the x86-64 psABI.
#include "runtime/unwind/call_frames.h"

#include "runtime/unwind/frame_expression.h"
#include "runtime/unwind/table_reader.h"

#include <elf.h>
#include <link.h>

#pragma weak _dl_find_object // another C library may not have it

namespace culprit::unwind {
namespace {

constexpr uint64_t kFrame = 6; // %rbp
constexpr uint64_t kStack = 7; // %rsp
constexpr uint64_t kReturn = 16;

// What holds at one place of a function.
struct State {
  Place cfa;
  Place frame_saved; // relative to the CFA (base cfa), to %rbp, or unknown
  Rule::Saved saved;
  bool outermost; // no return address
};

struct Common { // a CIE
  uint64_t code_alignment;
  int64_t data_alignment;
  uint8_t address_encoding;
  bool has_augmentation;
  bool is_signal;
  TableReader program;
};

bool read_common(TableReader at, Common &common) {
  const auto version = at.number<uint8_t>();
  if (version != 1 && version != 3)
    return false;
  const char *text = at.text();
  common.code_alignment = at.unsigned_number();
  common.data_alignment = at.signed_number();
  if (version == 1)
    at.number<uint8_t>();
  else
    at.unsigned_number();
  common.address_encoding = kAbsolute;
  if (!text || at.is_damaged())
    return false;
  if (*text == 'z') {
    common.has_augmentation = true;
    const uint64_t length = at.unsigned_number();
    TableReader data = at.part(length);
    for (++text; *text; ++text) {
      if (*text == 'R')
        common.address_encoding = data.number<uint8_t>();
      else if (*text == 'P')
        data.skip_encoded(data.number<uint8_t>());
      else if (*text == 'L')
        data.number<uint8_t>();
      else if (*text == 'S')
        common.is_signal = true;
      else if (*text != 'B')
        return false;
    }
    if (data.is_damaged())
      return false;
  } else if (*text) {
    return false; // another augmentation may mean anything
  }
  common.program = at;
  return !at.is_damaged();
}

struct Machine {
  const Common &common;
  uintptr_t pc; // whose rule is wanted
  State state;
  State initial; // after the common part
  uintptr_t at;  // up to here the state holds

  static constexpr size_t kRemembered = 8;
  State remembered[kRemembered];
  size_t depth = 0;

  void set_register(uint64_t number, Rule::Saved saved, Place place) {
    if (number == kFrame) {
      state.saved = saved;
      state.frame_saved = place;
    } else if (number == kReturn) {
      // Nowhere but below the CFA, or there is no caller.
      if (saved != Rule::at_cfa || place.offset != -8)
        state.outermost = true;
    }
  }
  void restore(uint64_t number) {
    if (number == kFrame) {
      state.saved = initial.saved;
      state.frame_saved = initial.frame_saved;
    } else if (number == kReturn) {
      state.outermost = initial.outermost;
    }
  }
  void offset(uint64_t number, int64_t factored) {
    set_register(number, Rule::at_cfa, {Place::cfa, factored * common.data_alignment});
  }
  static Place place_in(uint64_t number, int64_t offset) {
    return {number == kStack   ? Place::stack
            : number == kFrame ? Place::frame
                               : Place::unknown,
            offset};
  }
  void expression(uint64_t number, TableReader code, bool is_value) {
    Place place = evaluate(code, pc);
    if (number == kFrame && !is_value && place.base == Place::frame)
      set_register(number, Rule::at_own_frame, place);
    else
      set_register(number, Rule::lost, {});
  }

  // False: something not understood. Ends before what lies beyond the place.
  bool run(TableReader code);
  bool step(uint8_t operation, TableReader &code);
};

bool Machine::step(uint8_t operation, TableReader &code) {
  const uint64_t low = operation & 0x3f;
  switch (operation & 0xc0) {
  case 0x40: // advance_loc
    at += low * common.code_alignment;
    return true;
  case 0x80: // offset
    offset(low, static_cast<int64_t>(code.unsigned_number()));
    return true;
  case 0xc0: // restore
    restore(low);
    return true;
  default:
    break;
  }
  switch (operation) {
  case 0x00: // nop
    return true;
  case 0x01: // set_loc
    at = code.encoded(common.address_encoding, 0);
    return true;
  case 0x02:
    at += code.number<uint8_t>() * common.code_alignment;
    return true;
  case 0x03:
    at += code.number<uint16_t>() * common.code_alignment;
    return true;
  case 0x04:
    at += code.number<uint32_t>() * common.code_alignment;
    return true;
  case 0x05: { // offset_extended
    const uint64_t number = code.unsigned_number();
    offset(number, static_cast<int64_t>(code.unsigned_number()));
    return true;
  }
  case 0x06:
    restore(code.unsigned_number());
    return true;
  case 0x07: // undefined
    set_register(code.unsigned_number(), Rule::lost, {});
    return true;
  case 0x08: { // same_value
    const uint64_t number = code.unsigned_number();
    set_register(number, number == kFrame ? Rule::same : Rule::lost, {});
    return true;
  }
  case 0x09: { // register
    const uint64_t number = code.unsigned_number();
    code.unsigned_number();
    set_register(number, Rule::lost, {});
    return true;
  }
  case 0x0a: // remember_state
    if (depth == kRemembered)
      return false;
    remembered[depth++] = state;
    return true;
  case 0x0b: // restore_state
    if (!depth)
      return false;
    state = remembered[--depth];
    return true;
  case 0x0c: { // def_cfa
    const uint64_t number = code.unsigned_number();
    state.cfa = place_in(number, static_cast<int64_t>(code.unsigned_number()));
    return true;
  }
  case 0x0d: // def_cfa_register
    state.cfa = place_in(code.unsigned_number(), state.cfa.offset);
    return true;
  case 0x0e: // def_cfa_offset
    state.cfa.offset = static_cast<int64_t>(code.unsigned_number());
    return true;
  case 0x0f: // def_cfa_expression
    state.cfa = evaluate(code.part(code.unsigned_number()), pc);
    return true;
  case 0x10:   // expression
  case 0x16: { // val_expression
    const uint64_t number = code.unsigned_number();
    expression(number, code.part(code.unsigned_number()), operation == 0x16);
    return true;
  }
  case 0x11: { // offset_extended_sf
    const uint64_t number = code.unsigned_number();
    offset(number, code.signed_number());
    return true;
  }
  case 0x12: { // def_cfa_sf
    const uint64_t number = code.unsigned_number();
    state.cfa = place_in(number, code.signed_number() * common.data_alignment);
    return true;
  }
  case 0x13: // def_cfa_offset_sf
    state.cfa.offset = code.signed_number() * common.data_alignment;
    return true;
  case 0x14: // val_offset
  case 0x15: {
    const uint64_t number = code.unsigned_number();
    code.unsigned_number();
    set_register(number, Rule::lost, {});
    return true;
  }
  case 0x2e: // GNU_args_size
    code.unsigned_number();
    return true;
  default:
    return false;
  }
}

bool Machine::run(TableReader code) {
  while (!code.is_at_end()) {
    const uintptr_t before = at;
    const State then = state;
    if (!step(code.number<uint8_t>(), code) || code.is_damaged())
      return false;
    if (at != before && at > pc) {
      state = then;
      return true;
    }
  }
  return true;
}

// The words of the rule, if they fit.
bool to_words(int64_t bytes, unsigned bits, int64_t &words) {
  words = bytes / 8;
  const int64_t limit = int64_t{1} << (bits - 1);
  return bytes % 8 == 0 && words >= -limit && words < limit;
}

Rule rule_of(const State &state, bool is_signal) {
  Rule rule{};
  rule.made = 1;
  rule.known = 1;
  rule.signal = is_signal;
  rule.bottom = !is_signal && state.outermost;
  int64_t words = 0;
  if (is_signal || state.outermost || !to_words(state.cfa.offset, 24, words))
    return rule;
  rule.base = state.cfa.base == Place::stack      ? Rule::from_stack
              : state.cfa.base == Place::frame    ? Rule::from_frame
              : state.cfa.base == Place::at_frame ? Rule::at_frame
                                                  : Rule::outermost;
  rule.cfa = words;
  rule.saved = state.saved;
  if (state.saved == Rule::at_cfa || state.saved == Rule::at_own_frame) {
    if (to_words(state.frame_saved.offset, 14, words))
      rule.saved_at = words;
    else
      rule.saved = Rule::lost;
  }
  return rule;
}

// What handlers return to may have no description (os/signal.cpp): it is known by its bytes.
bool is_signal_return(const FrameTables &tables, uintptr_t return_address) {
  constexpr uint8_t kBytes[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05}; // rt_sigreturn
  return return_address < tables.high && tables.high - return_address >= sizeof kBytes &&
         __builtin_memcmp(reinterpret_cast<const void *>(return_address), kBytes, sizeof kBytes) ==
             0;
}

// Code without a description.
Rule by_frame_pointer() {
  Rule rule{};
  rule.made = 1;
  rule.known = 1;
  rule.base = Rule::from_frame;
  rule.cfa = 2;
  rule.saved = Rule::at_cfa;
  rule.saved_at = -2;
  return rule;
}

// The table of .eh_frame_hdr: pairs of distances from the header, sorted, of a function's start and
// its description. Null: the function has none.
const uint8_t *search(const FrameTables &tables, uintptr_t pc) {
  constexpr uint8_t kTable = 0x3b; // 4 bytes each, signed, from the header
  TableReader reader(tables.header, reinterpret_cast<const uint8_t *>(tables.high));
  const auto version = reader.number<uint8_t>();
  const auto pointer_encoding = reader.number<uint8_t>();
  const auto count_encoding = reader.number<uint8_t>();
  const auto table_encoding = reader.number<uint8_t>();
  if (version != 1 || table_encoding != kTable)
    return nullptr;
  const auto base = reinterpret_cast<uintptr_t>(tables.header);
  reader.encoded(pointer_encoding, base);
  const uint64_t count = reader.encoded(count_encoding, base);
  struct Row {
    int32_t start;
    int32_t description;
  };
  if (reader.is_damaged() || !count || count > reader.left() / sizeof(Row))
    return nullptr;
  const auto *rows = reinterpret_cast<const Row *>(reader.here());
  const auto wanted = static_cast<int64_t>(pc - base);
  uint64_t low = 0;
  for (uint64_t high = count; low < high;) {
    const uint64_t middle = low + (high - low) / 2;
    if (rows[middle].start <= wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? tables.header + rows[low - 1].description : nullptr;
}

struct Search {
  uintptr_t pc;
  FrameTables *tables;
};

int look_at(dl_phdr_info *info, size_t, void *data) {
  const auto &search = *static_cast<Search *>(data);
  FrameTables found{nullptr, ~uintptr_t{0}, 0};
  for (ElfW(Half) i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &header = info->dlpi_phdr[i];
    const uintptr_t start = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD) {
      found.low = start < found.low ? start : found.low;
      found.high = start + header.p_memsz > found.high ? start + header.p_memsz : found.high;
    } else if (header.p_type == PT_GNU_EH_FRAME) {
      found.header = reinterpret_cast<const uint8_t *>(start);
    }
  }
  if (search.pc < found.low || search.pc >= found.high)
    return 0;
  *search.tables = found;
  return 1;
}

} // namespace

bool find_tables(uintptr_t pc, FrameTables &tables) {
  if (_dl_find_object) {
    dl_find_object found{};
    if (_dl_find_object(reinterpret_cast<void *>(pc), &found) != 0)
      return false;
    tables = {static_cast<const uint8_t *>(found.dlfo_eh_frame),
              reinterpret_cast<uintptr_t>(found.dlfo_map_start),
              reinterpret_cast<uintptr_t>(found.dlfo_map_end)};
    return true;
  }
  Search search{pc, &tables};
  return dl_iterate_phdr(look_at, &search) != 0;
}

Rule describe_by(const FrameTables &tables, uintptr_t pc) {
  const uint8_t *start = tables.header ? search(tables, pc) : nullptr;
  const auto *low = reinterpret_cast<const uint8_t *>(tables.low);
  const auto *high = reinterpret_cast<const uint8_t *>(tables.high);
  if (!start || start < low || start >= high)
    return by_frame_pointer();
  TableReader description = TableReader(start, high).sized();
  const uint8_t *here = description.here();
  const uint8_t *common_start = here - description.number<uint32_t>();
  if (description.is_damaged() || common_start < low || common_start >= high)
    return by_frame_pointer();
  TableReader common_part = TableReader(common_start, high).sized();
  Common common{};
  if (common_part.number<uint32_t>() != 0 || !read_common(common_part, common))
    return by_frame_pointer();
  const uintptr_t begin = description.encoded(common.address_encoding, 0);
  const uintptr_t length = description.encoded(common.address_encoding & kFormat, 0);
  if (description.is_damaged() || pc - begin >= length)
    return by_frame_pointer();
  if (common.has_augmentation)
    description.part(description.unsigned_number());
  Machine machine{common, pc, {}, {}, 0, {}};
  if (!machine.run(common.program))
    return by_frame_pointer();
  machine.initial = machine.state;
  machine.at = begin;
  if (!machine.run(description))
    return by_frame_pointer();
  return rule_of(machine.state, common.is_signal);
}

Rule describe(uintptr_t pc) {
  FrameTables tables{};
  if (!find_tables(pc, tables)) {
    Rule nowhere{};
    nowhere.made = 1;
    return nowhere;
  }
  Rule rule = describe_by(tables, pc);
  if (!rule.signal && is_signal_return(tables, pc + 1)) {
    rule.base = Rule::outermost;
    rule.signal = 1;
  }
  return rule;
}

} // namespace culprit::unwind
