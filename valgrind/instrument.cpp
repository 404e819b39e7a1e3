// SPDX-License-Identifier: GPL-2.0-or-later
// The check before an access at `a` by site `s`:
//     word = a < kLimit ? words[a / 8] : words[0]
//     slot = s->slots[slot_of(word)]
//     if (word != 0 && word != slot.name || a is not aligned to its size) touch(s, a, size)
// where words[0] is always 0: nobody's memory. In training, slot.count goes up where word is
// slot.name. System code has one more condition: that the call on whose behalf it runs is the same,
// and not over. An access of 16 or 32 bytes compares the words of all its granules.
//
// Rules: what is stored at a place that is the stack pointer and a constant belongs to the frame
// and cannot go astray; it gets no check. A call's return address is such a store, and by it a call
// is known, also where a translation goes on into the function that is called.
#include "valgrind/instrument.h"

#include "valgrind/caller.h"
#include "valgrind/memory.h"
#include "valgrind/modules.h"
#include "valgrind/sites.h"

#include <stddef.h>

namespace culprit::deep {
namespace {

VG_REGPARM(2) void touch_site(Site *site, Addr address) { touch(site, address, site->size); }
VG_REGPARM(3) void touch_part(Site *site, Addr address, SizeT size) { touch(site, address, size); }

struct Instruction {
  Addr address;
  UInt length;
  bool system;
};

class Writer {
public:
  Writer(IRSB *out, UInt stack_offset, UInt temporaries)
      : out_(out), stack_offset_(stack_offset), temporaries_(temporaries) {
    on_stack_ = static_cast<UChar *>(VG_(calloc)("culprit.on_stack", temporaries + 1, 1));
  }
  ~Writer() { VG_(free)(on_stack_); }

  void add(IRStmt *statement) { addStmtToIRSB(out_, statement); }
  void begin(const Instruction &instruction) { now_ = instruction; }
  void note(IRTemp temporary, const IRExpr *value);
  bool is_on_stack(const IRExpr *address) const {
    return address->tag == Iex_RdTmp && on_stack_[address->Iex.RdTmp.tmp] != 0;
  }
  // Behind a store: is it the return address of a call by the program's own code?
  void after_store(const IRStmt *store);
  void access(IRExpr *address, UInt size, bool read, IRExpr *guard = nullptr);

private:
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
  IRExpr *both(IRExpr *a, IRExpr *b) { return two(Iop_And1, Ity_I1, a, b); }
  IRExpr *either(IRExpr *a, IRExpr *b) { return two(Iop_Or1, Ity_I1, a, b); }
  IRExpr *no(IRExpr *a) { return keep(Ity_I1, IRExpr_Unop(Iop_Not1, a)); }

  struct Look {
    IRExpr *slot;    // address of the one for the name that is there
    IRExpr *differs; // from the name in the slot
    IRExpr *named;   // somebody's
  };
  Look look(IRExpr *address, UInt size, Site *site);
  IRExpr *other_caller(IRExpr *slot);
  void call(Site *site, IRExpr *address, UInt size, IRExpr *guard);
  void count(IRExpr *slot, IRExpr *when);
  IRExpr *field(IRExpr *slot, SizeT offset) {
    return two(Iop_Add64, Ity_I64, slot, number(offset));
  }

  IRSB *out_;
  UInt stack_offset_;
  UInt temporaries_;
  UChar *on_stack_; // by temporary of the original: the stack pointer and a constant
  Instruction now_{};
};

void Writer::note(IRTemp temporary, const IRExpr *value) {
  bool derived = false;
  if (value->tag == Iex_Get)
    derived =
        value->Iex.Get.offset == static_cast<Int>(stack_offset_) && value->Iex.Get.ty == Ity_I64;
  else if (value->tag == Iex_RdTmp)
    derived = is_on_stack(value);
  else if (value->tag == Iex_Binop &&
           (value->Iex.Binop.op == Iop_Add64 || value->Iex.Binop.op == Iop_Sub64))
    derived = is_on_stack(value->Iex.Binop.arg1) && value->Iex.Binop.arg2->tag == Iex_Const;
  if (temporary < temporaries_)
    on_stack_[temporary] = derived ? 1 : 0;
}

void Writer::after_store(const IRStmt *store) {
  const IRExpr *data = store->Ist.Store.data;
  if (now_.system || data->tag != Iex_Const || data->Iex.Const.con->tag != Ico_U64 ||
      data->Iex.Const.con->Ico.U64 != now_.address + now_.length ||
      !is_on_stack(store->Ist.Store.addr))
    return;
  add(IRStmt_Store(Iend_LE, place(&g_caller.returns_to), number(now_.address + now_.length)));
  add(IRStmt_Store(Iend_LE, place(&g_caller.stack), store->Ist.Store.addr));
}

Writer::Look Writer::look(IRExpr *address, UInt size, Site *site) {
  IRExpr *low = two(Iop_CmpLT64U, Ity_I1, address, number(kLimit));
  IRExpr *known = keep(Ity_I64, IRExpr_ITE(low, address, number(0)));
  IRExpr *index = two(Iop_And64, Ity_I64,
                      two(Iop_Shr64, Ity_I64, known, IRExpr_Const(IRConst_U8(1))), number(~3ul));
  IRExpr *word = two(Iop_Add64, Ity_I64, index, place(g_words));
  IRExpr *is = load(Ity_I32, word);
  IRExpr *wide = keep(Ity_I64, IRExpr_Unop(Iop_32Uto64, is));
  IRExpr *offset =
      two(Iop_Shl64, Ity_I64,
          two(Iop_And64, Ity_I64, two(Iop_Shr64, Ity_I64, wide, IRExpr_Const(IRConst_U8(1))),
              number(kSlots - 1)),
          IRExpr_Const(IRConst_U8(kSlotShift)));
  IRExpr *slot = two(Iop_Add64, Ity_I64, offset, place(site->slots));
  Look found{slot, two(Iop_CmpNE32, Ity_I1, is, load(Ity_I32, slot)),
             two(Iop_CmpNE32, Ity_I1, is, IRExpr_Const(IRConst_U32(0)))};
  if (size <= kGranule)
    return found;
  IRExpr *twice =
      two(Iop_Or64, Ity_I64, wide, two(Iop_Shl64, Ity_I64, wide, IRExpr_Const(IRConst_U8(32))));
  for (UInt at = 0; at < size; at += 2 * kGranule) {
    IRExpr *here = load(Ity_I64, field(word, at / kGranule * sizeof(UInt)));
    found.differs = either(found.differs, two(Iop_CmpNE64, Ity_I1, here, twice));
    found.named = either(found.named, two(Iop_CmpNE64, Ity_I1, here, number(0)));
  }
  return found;
}

IRExpr *Writer::other_caller(IRExpr *slot) {
  IRExpr *differs = two(Iop_CmpNE64, Ity_I1, load(Ity_I64, place(&g_caller.returns_to)),
                        load(Ity_I64, field(slot, offsetof(Slot, caller))));
  IRExpr *over = two(Iop_CmpLT64U, Ity_I1, load(Ity_I64, place(&g_caller.stack)),
                     keep(Ity_I64, IRExpr_Get(static_cast<Int>(stack_offset_), Ity_I64)));
  return either(differs, over);
}

void Writer::call(Site *site, IRExpr *address, UInt size, IRExpr *guard) {
  IRDirty *dirty =
      size == site->size
          ? unsafeIRDirty_0_N(2, "touch_site",
                              VG_(fnptr_to_fnentry)(reinterpret_cast<void *>(&touch_site)),
                              mkIRExprVec_2(place(site), address))
          : unsafeIRDirty_0_N(3, "touch_part",
                              VG_(fnptr_to_fnentry)(reinterpret_cast<void *>(&touch_part)),
                              mkIRExprVec_3(place(site), address, number(size)));
  if (guard != nullptr)
    dirty->guard = guard;
  add(IRStmt_Dirty(dirty));
}

void Writer::count(IRExpr *slot, IRExpr *when) {
  IRExpr *counter = field(slot, offsetof(Slot, count));
  IRExpr *more =
      two(Iop_Add64, Ity_I64, load(Ity_I64, counter), keep(Ity_I64, IRExpr_Unop(Iop_1Uto64, when)));
  add(IRStmt_Store(Iend_LE, counter, more));
}

void Writer::access(IRExpr *address, UInt size, bool read, IRExpr *guard) {
  if (is_on_stack(address))
    return;
  const bool direct = address->tag == Iex_Const;
  if (direct)
    address = keep(Ity_I64, address);
  Site *site = site_of(now_.address, size, read, direct);
  const bool fits = size == 1 || size == 2 || size == 4 || size == 8 || size == 16 || size == 32;
  if (!g_options.shortcuts || !fits)
    return call(site, address, size, guard);
  Look found = look(address, size, site);
  if (site->system)
    found.differs = either(found.differs, other_caller(found.slot));
  IRExpr *needed = both(found.differs, found.named);
  IRExpr *counted = no(found.differs);
  if (size > 1) {
    const ULong mask = (size < kGranule ? size : kGranule) - 1;
    IRExpr *astride =
        two(Iop_CmpNE64, Ity_I1, two(Iop_And64, Ity_I64, address, number(mask)), number(0));
    needed = either(needed, astride);
    if (g_options.counts)
      counted = both(counted, no(astride));
  }
  if (guard != nullptr) {
    needed = both(needed, guard);
    if (g_options.counts)
      counted = both(counted, guard);
  }
  if (g_options.counts)
    count(found.slot, counted);
  call(site, address, size, needed);
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

} // namespace

IRSB *instrument(VgCallbackClosure *, IRSB *in, const VexGuestLayout *layout,
                 const VexGuestExtents *, const VexArchInfo *, IRType, IRType) {
  IRSB *out = deepCopyIRSBExceptStmts(in);
  Writer writer(out, static_cast<UInt>(layout->offset_SP),
                static_cast<UInt>(in->tyenv->types_used));
  for (Int i = 0; i < in->stmts_used; ++i) {
    IRStmt *statement = in->stmts[i];
    switch (statement->tag) {
    case Ist_IMark:
      writer.begin({statement->Ist.IMark.addr, statement->Ist.IMark.len,
                    is_system_code(statement->Ist.IMark.addr)});
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
    default:
      break;
    }
    writer.add(statement);
    if (statement->tag == Ist_Store)
      writer.after_store(statement);
  }
  return out;
}

} // namespace culprit::deep
