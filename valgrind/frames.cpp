// SPDX-License-Identifier: GPL-2.0-or-later
#include "valgrind/frames.h"

#include "valgrind/described.h"
#include "valgrind/memory.h"
#include "valgrind/modules.h"
#include "valgrind/names.h"
#include "valgrind/table.h"
#include "valgrind/variable.h"

namespace culprit::deep {
namespace {

constexpr Long kReturnAddress = 8;

Map<Frame *> g_frames; // by the function's first instruction

UInt saved_name(Variable &slot) {
  if (slot.saved == 0) {
    slot.saved = new_name();
    facts_of(slot.saved) = {
        .variable = &slot, .member = kSaved, .chain = 0, .system = false, .told = false};
  }
  return slot.saved;
}

void make_words(Frame &frame, Variable &slot) {
  const culprit_names_function &function = *frame.function;
  const culprit_names_variable *locals = described_locals(function);
  const auto depth = (static_cast<SizeT>(-locals[0].place) + kGranule - 1) / kGranule * kGranule;
  frame.count = static_cast<UInt>(depth / kGranule);
  frame.words = static_cast<UInt *>(VG_(calloc)("culprit.frame", frame.count, sizeof(UInt)));
  for (UInt i = 0; i < function.variables; ++i) {
    Variable *variable = new_variable({.address = frame.entry,
                                       .size = locals[i].size,
                                       .symbol = described_text(locals[i].name),
                                       .name = 0,
                                       .internal = true,
                                       .kind = VariableKind::local,
                                       .described = &locals[i],
                                       .layout = described_layout(locals[i]),
                                       .members = nullptr,
                                       .saved = 0});
    number_names(*variable);
    put_names(*variable, frame.words, depth - static_cast<SizeT>(-locals[i].place));
  }
  if (function.saved != 0)
    name_bytes(frame.words, depth - kReturnAddress - function.saved, function.saved,
               saved_name(slot));
  frame.words[frame.count - 1] = frame.return_name;
}

} // namespace

Frame *frame_around(Addr instruction, Addr &low, Addr &high) {
  const Module *module = module_at(instruction);
  if (module == nullptr || module->described == nullptr || module->system)
    return nullptr;
  const culprit_names_code *code = described_code(*module->described, instruction - module->base);
  if (code == nullptr)
    return nullptr;
  low = code->low + module->base;
  high = code->high + module->base;
  const culprit_names_function &function = described_function(*code);
  const Addr entry = function.entry + module->base;
  Frame *&frame = g_frames[entry];
  if (frame == nullptr || frame->function != &function) { // another file may lie there now
    frame = static_cast<Frame *>(VG_(calloc)("culprit.frame", 1, sizeof(Frame)));
    frame->function = &function;
    frame->base = module->base;
    frame->entry = entry;
    frame->return_name = return_name(entry);
    if (frame->return_name != 0 && function.variables != 0)
      make_words(*frame, *return_slot(entry));
  }
  return frame;
}

bool has_code_at(const Frame &frame, Addr instruction) {
  Addr low = 0;
  Addr high = 0;
  return frame_around(instruction, low, high) == &frame;
}

VG_REGPARM(2) void name_frame(Addr slot, const Frame *frame) {
  if (slot >= limit() || slot / kGranule < frame->count)
    return;
  UInt *last = &word_at(slot);
  const UInt count = frame->count;
  for (UInt i = 0; i < count; ++i)
    last[static_cast<Word>(i) + 1 - static_cast<Word>(count)] = frame->words[i];
}

VG_REGPARM(2) void clear_frame(Addr slot, const Frame *frame) {
  if (slot >= limit() || slot / kGranule < frame->count)
    return;
  UInt *last = &word_at(slot);
  for (UInt i = 0; i < frame->count; ++i)
    *(last - i) = 0;
}

VG_REGPARM(3) void jump_out(Addr slot, const Frame *frame, Addr target) {
  if (!has_code_at(*frame, target))
    clear_frame(slot, frame);
}

VG_REGPARM(3) void exchange_frames(Addr stack, const Frame *left, const Frame *entered) {
  if (left->return_name == 0)
    return;
  constexpr Addr kFar = 2ul * CULPRIT_NATIVE_DEEPEST;
  for (Addr slot = stack & ~static_cast<Addr>(kGranule - 1); slot < stack + kFar && slot < limit();
       slot += kGranule) {
    if (word_at(slot) != left->return_name)
      continue;
    if (left->count != 0)
      clear_frame(slot, left);
    if (entered != nullptr && entered->count != 0)
      name_frame(slot, entered);
    else
      word_at(slot) = left->return_name; // it is still a return address
    return;
  }
}

} // namespace culprit::deep
