// SPDX-License-Identifier: GPL-2.0-or-later
// The check before an access at `a` by site `s`, of up to 4 bytes:
//     word = words[a % limit() / 8]
//     slot = s->slots[slot_of(word)]
//     if ((word << kKeyShift ^ slot.key) >> a % 8 & ~kOtherStarts, or a >= limit())
//     touch(s, a, size)
// One of 8 bytes or more must begin with a granule, and compares the words of all of them, unless
// the site's table is_wide: then the word of the last byte is compared with that of last time, and
// of accesses of 16 bytes the one between, too. In
// training slot.count goes up; touch takes that back. System code has one more condition, where the
// word is not 0: that the call on whose behalf it runs is the same, and not over. All conditions
// are numbers that are 0 or not, since truth values take the processor longer: one test is at the
// end.
//
// Rules: where the program is (its instruction pointer) is kept up to date within a translation
// only if the program can ask for it, which takes a handler for faults: a tenth of the time.
// touch() is told the instruction. What is stored at a place that is the stack pointer and a
// constant belongs to the frame and cannot go astray; it gets no check. The same holds for the
// frame pointer in functions that are known to have one (frames.h). A call's return address is such
// a store, and by it a call is known, also where a translation goes on into the function that is
// called.
#include "valgrind/instrument.h"

#include "valgrind/caller.h"
#include "valgrind/flags.h"
#include "valgrind/frames.h"
#include "valgrind/memory.h"
#include "valgrind/modules.h"
#include "valgrind/registers.h"
#include "valgrind/sites.h"
#include "valgrind/stack.h"

#include <stddef.h>

namespace culprit::deep {
namespace {

VG_REGPARM(2) void touch_looked_at(Slots *slots, Addr address) { touch_after_look(slots, address); }
VG_REGPARM(2) void touch_site(Site *site, Addr address) { touch(site, address, site->size); }
VG_REGPARM(3) void touch_part(Site *site, Addr address, SizeT size) { touch(site, address, size); }

struct Instruction {
  Addr address;
  UInt length;
  bool system;
};

class Writer {
public:
  Writer(IRSB *out, const VexGuestLayout &layout, UInt temporaries)
      : out_(out), stack_offset_(layout.offset_SP), frame_offset_(layout.offset_FP),
        temporaries_(temporaries) {
    origins_ = static_cast<Origin *>(VG_(calloc)("culprit.origins", temporaries + 1, 1));
  }
  ~Writer() { VG_(free)(origins_); }

  void add(IRStmt *statement) { addStmtToIRSB(out_, statement); }
  void begin(const Instruction &instruction) {
    now_ = instruction;
    before_ = here_.frame;
    if (instruction.address < here_.low || instruction.address >= here_.high) {
      here_ = {.frame = nullptr, .low = 1, .high = 0};
      if (g_options.returns)
        here_.frame = frame_around(instruction.address, here_.low, here_.high);
    }
  }
  void note(IRTemp temporary, const IRExpr *value);
  bool is_on_stack(const IRExpr *address) const { return origin(address) == Origin::stack; }
  // Does the address belong to the frame of the function, whatever values there are?
  bool is_in_frame(const IRExpr *address) const {
    return is_on_stack(address) || (origin(address) == Origin::pointer && here_.frame != nullptr &&
                                    here_.frame->has_frame_pointer());
  }
  // Before an instruction: a function may begin with it.
  void enter(Addr instruction);
  // Before the stack pointer gets a value.
  void move_stack(IRExpr *to);
  // Behind all of a translation that ends with a return.
  void leave();
  // Behind all of one that ends with a jump.
  void jump(IRExpr *to);
  // Before a conditional jump.
  void jump_if(IRExpr *guard, Addr to);
  // Behind a store: is it the return address of a call by the program's own code?
  void after_store(const IRStmt *store);
  void access(IRExpr *address, UInt size, bool read, IRExpr *guard = nullptr);

private:
  enum class Origin : UChar {
    other,
    frame,   // made of the stack pointer or the frame pointer, and of constants
    pointer, // the frame pointer and a constant
    stack,   // the stack pointer and a constant
  };
  Origin origin(const IRExpr *value) const {
    return value->tag == Iex_RdTmp ? origins_[value->Iex.RdTmp.tmp] : Origin::other;
  }
  IRExpr *number(ULong value) { return IRExpr_Const(IRConst_U64(value)); }
  IRExpr *place(const void *where) { return number(reinterpret_cast<ULong>(where)); }
  IRExpr *keep(IRType type, IRExpr *value) {
    const IRTemp temporary = newIRTemp(out_->tyenv, type);
    add(IRStmt_WrTmp(temporary, value));
    return IRExpr_RdTmp(temporary);
  }
  IRExpr *two(IROp operation, IRType type, IRExpr *a, IRExpr *b) {
    return keep(type, IRExpr_Binop(operation, a, b));
  }
  IRExpr *load(IRType type, IRExpr *from) { return keep(type, IRExpr_Load(Iend_LE, type, from)); }
  // Where the word of an address is.
  IRExpr *word_of(IRExpr *address) {
    const UInt above = 64 - g_address_bits;
    IRExpr *granule = shift(Iop_Shr64, shift(Iop_Shl64, address, above), above + kGranuleShift);
    return sum(place(g_words), shift(Iop_Shl64, granule, 2));
  }
  IRExpr *stack_pointer() { return keep(Ity_I64, IRExpr_Get(stack_offset_, Ity_I64)); }
  // The word's place in a table beside the slots.
  IRExpr *beside(const void *table, IRExpr *word, const Site *site) {
    IRExpr *bits = two(Iop_And64, Ity_I64, word, number(site->slots->bits));
    return sum(place(table), shift(Iop_Shl64, bits, kPlaceShift));
  }
  IRExpr *one(IROp operation, IRExpr *a) { return keep(Ity_I64, IRExpr_Unop(operation, a)); }
  IRExpr *shift(IROp operation, IRExpr *a, UInt bits) {
    return two(operation, Ity_I64, a, IRExpr_Const(IRConst_U8(static_cast<UChar>(bits))));
  }
  IRExpr *either(IRExpr *a, IRExpr *b) { return two(Iop_Or64, Ity_I64, a, b); }
  IRExpr *sum(IRExpr *a, IRExpr *b) { return two(Iop_Add64, Ity_I64, a, b); }

  struct Look {
    IRExpr *word;    // of the granule, 64 bits
    IRExpr *slot;    // address of its slot
    IRExpr *unknown; // not 0: touch() is needed
  };
  Look look(IRExpr *address, UInt size, Site *site);
  Look look_at_fixed(Addr address, UInt size, Site *site);
  IRExpr *other_caller(IRExpr *word, Site *site);
  void call(Site *site, IRExpr *address, UInt size, bool looked, IRExpr *guard);
  void count(IRExpr *slot, IRExpr *when);

  IRSB *out_;
  Int stack_offset_;
  Int frame_offset_;
  UInt temporaries_;
  Origin *origins_; // by temporary of the original
  template <typename... Words>
  void ask(const HChar *name, void *function, IRExpr *guard, Words... words) {
    IRExpr **arguments = nullptr;
    if constexpr (sizeof...(words) == 2)
      arguments = mkIRExprVec_2(words...);
    else
      arguments = mkIRExprVec_3(words...);
    IRDirty *dirty =
        unsafeIRDirty_0_N(sizeof...(words), name, VG_(fnptr_to_fnentry)(function), arguments);
    if (guard != nullptr)
      dirty->guard = guard;
    add(IRStmt_Dirty(dirty));
  }
  // Names for all of the frame, or none, where the return address is at `slot`.
  void put_frame(IRExpr *slot, const Frame &frame, bool named);

  // The function that an instruction belongs to, if something is known of it.
  struct Around {
    const Frame *frame = nullptr;
    Addr low = 1; // of its code around there: nothing
    Addr high = 0;
  };
  Around here_;
  const Frame *before_ = nullptr; // of the instruction before

  Instruction now_{};
  bool begun_ = false;
  IRExpr *called_ = nullptr; // where the last instruction, a call, put its return address
};

void Writer::note(IRTemp temporary, const IRExpr *value) {
  Origin made = Origin::other;
  if (value->tag == Iex_Get && value->Iex.Get.ty == Ity_I64) {
    made = value->Iex.Get.offset == stack_offset_   ? Origin::stack
           : value->Iex.Get.offset == frame_offset_ ? Origin::pointer
                                                    : Origin::other;
  } else if (value->tag == Iex_RdTmp) {
    made = origin(value);
  } else if (value->tag == Iex_Binop) {
    const IROp operation = value->Iex.Binop.op;
    // By how much frames are left that an exception passes is no constant.
    if (value->Iex.Binop.arg2->tag == Iex_Const)
      made = origin(value->Iex.Binop.arg1);
    if (made != Origin::other && operation != Iop_Add64 && operation != Iop_Sub64)
      made = Origin::frame;
  }
  if (temporary < temporaries_)
    origins_[temporary] = made;
}

void Writer::put_frame(IRExpr *slot, const Frame &frame, bool named) {
  constexpr UInt kFew = 16; // words that the translation writes itself
  if (frame.count > kFew) {
    ask(named ? "name_frame" : "clear_frame",
        reinterpret_cast<void *>(named ? &name_frame : &clear_frame), nullptr, slot, place(&frame));
    return;
  }
  IRExpr *last = word_of(slot);
  const auto at = [&](UInt word) {
    const UInt back = frame.count - 1 - word;
    return back == 0 ? last : two(Iop_Sub64, Ity_I64, last, number(back * sizeof(UInt)));
  };
  UInt word = 0;
  if (frame.count % 2 != 0) {
    add(IRStmt_Store(Iend_LE, at(0), IRExpr_Const(IRConst_U32(named ? frame.words[0] : 0))));
    word = 1;
  }
  for (; word < frame.count; word += 2) {
    const ULong both =
        named ? static_cast<ULong>(frame.words[word + 1]) << 32 | frame.words[word] : 0;
    add(IRStmt_Store(Iend_LE, at(word), number(both)));
  }
}

// Within a translation the stack pointer may be behind: what is written twice is written once. So a
// function that is jumped to there is told by the name that the slot has.
void Writer::enter(Addr instruction) {
  IRExpr *slot = called_;
  called_ = nullptr;
  const bool is_first = !begun_;
  begun_ = true;
  if (!g_options.returns)
    return;
  const bool enters = here_.frame != nullptr && here_.frame->entry == instruction;
  if (!is_first && slot == nullptr) {
    if (before_ == nullptr || before_ == here_.frame)
      return;
    if (before_->count != 0 || (enters && here_.frame->count != 0))
      ask("exchange_frames", reinterpret_cast<void *>(&exchange_frames), nullptr, stack_pointer(),
          place(before_), place(enters ? here_.frame : nullptr));
    return;
  }
  const UInt name = return_name(instruction);
  if (name == 0)
    return;
  if (is_first)
    slot = stack_pointer();
  if (enters && here_.frame->count != 0)
    put_frame(slot, *here_.frame, true);
  else
    add(IRStmt_Store(Iend_LE, word_of(slot), IRExpr_Const(IRConst_U32(name))));
}

void Writer::leave() {
  if (!g_options.returns)
    return;
  IRExpr *slot = two(Iop_Sub64, Ity_I64, stack_pointer(), number(sizeof(Addr)));
  if (here_.frame != nullptr && here_.frame->count != 0)
    put_frame(slot, *here_.frame, false);
  else
    add(IRStmt_Store(Iend_LE, word_of(slot), IRExpr_Const(IRConst_U32(0))));
}

// Nothing of the frame is left there but the return address, if it is a jump to another function.
void Writer::jump(IRExpr *to) {
  if (here_.frame == nullptr || here_.frame->count == 0)
    return;
  if (to->tag == Iex_Const) {
    if (!has_code_at(*here_.frame, to->Iex.Const.con->Ico.U64))
      ask("clear_frame", reinterpret_cast<void *>(&clear_frame), nullptr, stack_pointer(),
          place(here_.frame));
    return;
  }
  // Mostly a table of cases.
  IRExpr *inside = two(Iop_CmpLT64U, Ity_I1, two(Iop_Sub64, Ity_I64, to, number(here_.low)),
                       number(here_.high - here_.low));
  ask("jump_out", reinterpret_cast<void *>(&jump_out), keep(Ity_I1, IRExpr_Unop(Iop_Not1, inside)),
      stack_pointer(), place(here_.frame), to);
}

void Writer::jump_if(IRExpr *guard, Addr to) {
  if (here_.frame != nullptr && here_.frame->count != 0 && !has_code_at(*here_.frame, to))
    ask("clear_frame", reinterpret_cast<void *>(&clear_frame), guard, stack_pointer(),
        place(here_.frame));
}

void Writer::move_stack(IRExpr *to) {
  if (!g_options.returns || to->tag != Iex_RdTmp || origin(to) != Origin::other)
    return;
  ask("leave_frames", reinterpret_cast<void *>(&leave_frames), nullptr, stack_pointer(), to);
}

void Writer::after_store(const IRStmt *store) {
  const IRExpr *data = store->Ist.Store.data;
  if (data->tag != Iex_Const || data->Iex.Const.con->tag != Ico_U64 ||
      data->Iex.Const.con->Ico.U64 != now_.address + now_.length ||
      !is_on_stack(store->Ist.Store.addr))
    return;
  called_ = store->Ist.Store.addr;
  if (now_.system)
    return;
  add(IRStmt_Store(Iend_LE, place(&g_caller.returns_to), number(now_.address + now_.length)));
  add(IRStmt_Store(Iend_LE, place(&g_caller.stack), store->Ist.Store.addr));
}

Writer::Look Writer::look(IRExpr *address, UInt size, Site *site) {
  IRExpr *at = word_of(address);
  IRExpr *word = one(Iop_32Uto64, load(Ity_I32, at));
  IRExpr *slot =
      sum(place(site->slots->slots),
          shift(Iop_Shl64, two(Iop_And64, Ity_I64, word, number(site->slots->bits)), kSlotShift));
  IRExpr *differs = two(Iop_Xor64, Ity_I64, shift(Iop_Shl64, word, kKeyShift), load(Ity_I64, slot));
  const bool is_wide = site->slots->is_wide;
  IRExpr *unknown = nullptr;
  if (size < kGranule || is_wide) {
    IRExpr *start = keep(
        Ity_I8, IRExpr_Unop(Iop_64to8, two(Iop_And64, Ity_I64, address, number(kGranule - 1))));
    IRExpr *here = two(Iop_Shr64, Ity_I64, differs, start);
    unknown = either(two(Iop_And64, Ity_I64, here, number(~kOtherStarts)),
                     shift(Iop_Shr64, address, g_address_bits));
  } else {
    unknown =
        either(differs, two(Iop_And64, Ity_I64, address, number(~(limit() - 1) | (kGranule - 1))));
  }
  const bool is_pair = is_wide && size == 2 * kGranule;
  if (size > kGranule && !is_pair) {
    IRExpr *twice = either(word, shift(Iop_Shl64, word, 32));
    for (UInt offset = 0; offset < size; offset += 2 * kGranule)
      unknown =
          either(unknown, two(Iop_Xor64, Ity_I64, twice,
                              load(Ity_I64, sum(at, number(offset / kGranule * sizeof(UInt))))));
  }
  if (is_wide) {
    IRExpr *last = one(Iop_32Uto64, load(Ity_I32, word_of(sum(address, number(size - 1)))));
    if (is_pair)
      last = either(shift(Iop_Shl64, last, 32),
                    one(Iop_32Uto64, load(Ity_I32, sum(at, number(sizeof(UInt))))));
    IRExpr *usual = load(Ity_I64, beside(site->slots->lasts, word, site));
    unknown = either(unknown, two(Iop_Xor64, Ity_I64, last, usual));
  }
  return {word, slot, unknown};
}

// A place that the code names has the same name as long as its file is loaded. Should it get
// another one all the same, the word is not the slot's.
Writer::Look Writer::look_at_fixed(Addr address, UInt size, Site *site) {
  const UInt is = word_at(address);
  IRExpr *word = one(Iop_32Uto64, load(Ity_I32, place(&word_at(address))));
  IRExpr *slot = place(&site->slots->slots[site->slots->slot_of(is)]);
  IRExpr *differs = two(Iop_Xor64, Ity_I64, shift(Iop_Shl64, word, kKeyShift), load(Ity_I64, slot));
  if (size < kGranule)
    differs = two(Iop_And64, Ity_I64, shift(Iop_Shr64, differs, address % kGranule),
                  number(~kOtherStarts));
  return {word, slot, differs};
}

IRExpr *Writer::other_caller(IRExpr *word, Site *site) {
  IRExpr *caller = load(Ity_I64, beside(site->slots->callers, word, site));
  IRExpr *differs = two(Iop_Xor64, Ity_I64, load(Ity_I64, place(&g_caller.returns_to)), caller);
  IRExpr *room = two(Iop_Sub64, Ity_I64, load(Ity_I64, place(&g_caller.stack)), stack_pointer());
  return two(Iop_And64, Ity_I64, either(differs, shift(Iop_Shr64, room, 63)),
             one(Iop_CmpwNEZ64, word));
}

void Writer::call(Site *site, IRExpr *address, UInt size, bool looked, IRExpr *guard) {
  const auto function = [](auto *pointer) {
    return VG_(fnptr_to_fnentry)(reinterpret_cast<void *>(pointer));
  };
  IRDirty *dirty = looked ? unsafeIRDirty_0_N(2, "touch_looked_at", function(&touch_looked_at),
                                              mkIRExprVec_2(place(site->slots), address))
                   : size == site->size
                       ? unsafeIRDirty_0_N(2, "touch_site", function(&touch_site),
                                           mkIRExprVec_2(place(site), address))
                       : unsafeIRDirty_0_N(3, "touch_part", function(&touch_part),
                                           mkIRExprVec_3(place(site), address, number(size)));
  if (guard != nullptr)
    dirty->guard = guard;
  add(IRStmt_Dirty(dirty));
}

void Writer::count(IRExpr *slot, IRExpr *when) {
  IRExpr *counter = sum(slot, number(offsetof(Slot, count)));
  IRExpr *more = when == nullptr ? number(1) : one(Iop_1Uto64, when);
  add(IRStmt_Store(Iend_LE, counter, sum(load(Ity_I64, counter), more)));
}

void Writer::access(IRExpr *address, UInt size, bool read, IRExpr *guard) {
  if (is_in_frame(address))
    return;
  const bool direct = address->tag == Iex_Const;
  Site *site = site_of(now_.address, size, read, direct);
  const Addr fixed = direct ? address->Iex.Const.con->Ico.U64 : 0;
  if (direct)
    address = keep(Ity_I64, address);
  if (!g_options.shortcuts || !is_looked_at(size))
    return call(site, address, size, false, guard);
  const bool is_fixed =
      direct && guard == nullptr && fixed % kGranule + size <= kGranule && fixed < limit();
  const Look found = is_fixed ? look_at_fixed(fixed, size, site) : look(address, size, site);
  IRExpr *unknown =
      site->system ? either(found.unknown, other_caller(found.word, site)) : found.unknown;
  if (guard != nullptr)
    unknown = two(Iop_And64, Ity_I64, unknown, one(Iop_1Sto64, guard));
  if (g_options.counts && is_fixed)
    count(found.slot, two(Iop_CmpEQ64, Ity_I1, unknown, number(0)));
  else if (g_options.counts)
    count(found.slot, guard);
  call(site, address, size, !is_fixed, keep(Ity_I1, IRExpr_Unop(Iop_CmpNEZ64, unknown)));
}

void check_dirty(Writer &writer, const IRDirty &dirty) {
  if (dirty.mFx == Ifx_None)
    return;
  if (dirty.mFx != Ifx_Read)
    writer.access(dirty.mAddr, static_cast<UInt>(dirty.mSize), false, dirty.guard);
  if (dirty.mFx != Ifx_Write && g_options.reads)
    writer.access(dirty.mAddr, static_cast<UInt>(dirty.mSize), true, dirty.guard);
}

UInt size_of(IRTypeEnv *types, const IRExpr *value) {
  return static_cast<UInt>(sizeofIRType(typeOfIRExpr(types, value)));
}

UInt loaded_size(const IRLoadG &load) {
  IRType result = Ity_INVALID;
  IRType loaded = Ity_INVALID;
  typeOfIRLoadGOp(load.cvt, &result, &loaded);
  return static_cast<UInt>(sizeofIRType(loaded));
}

// Does a function of Valgrind's that takes part in the instruction follow, which may read where the
// program is?
bool is_asked_for(const IRSB &block, Int put) {
  for (Int i = put + 1; i < block.stmts_used; ++i) {
    const IRStmt &statement = *block.stmts[i];
    if (statement.tag == Ist_Dirty)
      return true;
    if (statement.tag == Ist_Put && statement.Ist.Put.offset == block.stmts[put]->Ist.Put.offset)
      return false;
  }
  return false;
}

} // namespace

IRSB *instrument(VgCallbackClosure *, IRSB *in, const VexGuestLayout *layout,
                 const VexGuestExtents *, const VexArchInfo *, IRType, IRType) {
  IRSB *out = deepCopyIRSBExceptStmts(in);
  Writer writer(out, *layout, static_cast<UInt>(in->tyenv->types_used));
  Registers registers(out);
  for (Int i = 0; i < in->stmts_used; ++i) {
    IRStmt *statement = in->stmts[i];
    switch (statement->tag) {
    case Ist_IMark:
      writer.begin({statement->Ist.IMark.addr, statement->Ist.IMark.len,
                    is_system_code(statement->Ist.IMark.addr)});
      break;
    case Ist_Put:
      if (statement->Ist.Put.offset == layout->offset_SP)
        writer.move_stack(statement->Ist.Put.data);
      if (statement->Ist.Put.offset == layout->offset_IP && !g_options.faults &&
          !is_asked_for(*in, i))
        continue;
      if (g_options.shortcuts && is_needless_operand(*in, i))
        continue;
      break;
    case Ist_WrTmp: {
      const IRExpr *value = statement->Ist.WrTmp.data;
      if (value->tag == Iex_Load && g_options.reads)
        writer.access(value->Iex.Load.addr, static_cast<UInt>(sizeofIRType(value->Iex.Load.ty)),
                      true);
      writer.note(statement->Ist.WrTmp.tmp, value);
      break;
    }
    case Ist_Store:
      writer.access(statement->Ist.Store.addr, size_of(in->tyenv, statement->Ist.Store.data),
                    false);
      break;
    case Ist_StoreG: {
      const IRStoreG *store = statement->Ist.StoreG.details;
      writer.access(store->addr, size_of(in->tyenv, store->data), false, store->guard);
      break;
    }
    case Ist_LoadG: {
      const IRLoadG *load = statement->Ist.LoadG.details;
      if (g_options.reads)
        writer.access(load->addr, loaded_size(*load), true, load->guard);
      break;
    }
    case Ist_CAS: {
      const IRCAS *swap = statement->Ist.CAS.details;
      const UInt size = size_of(in->tyenv, swap->dataLo) * (swap->dataHi == nullptr ? 1 : 2);
      writer.access(swap->addr, size, false);
      if (g_options.reads)
        writer.access(swap->addr, size, true);
      break;
    }
    case Ist_Dirty:
      check_dirty(writer, *statement->Ist.Dirty.details);
      break;
    case Ist_Exit:
      if (statement->Ist.Exit.jk == Ijk_Boring)
        writer.jump_if(statement->Ist.Exit.guard, statement->Ist.Exit.dst->Ico.U64);
      break;
    default:
      break;
    }
    writer.add(g_options.shortcuts ? registers.rewritten(statement) : statement);
    if (statement->tag == Ist_IMark)
      writer.enter(statement->Ist.IMark.addr);
    if (statement->tag == Ist_Store)
      writer.after_store(statement);
  }
  if (in->jumpkind == Ijk_Ret)
    writer.leave();
  else if (in->jumpkind == Ijk_Boring)
    writer.jump(in->next);
  return out;
}

} // namespace culprit::deep
