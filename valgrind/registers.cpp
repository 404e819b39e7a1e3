// SPDX-License-Identifier: GPL-2.0-or-later
#include "valgrind/registers.h"

extern "C" {
#include <libvex_guest_amd64.h>
}

#include <stddef.h>

namespace culprit::deep {
namespace {

constexpr Int kFirst = offsetof(VexGuestAMD64State, guest_RAX);
constexpr Int kSize = sizeof(ULong);
static_assert(offsetof(VexGuestAMD64State, guest_R15) == kFirst + 15 * kSize);

// Of a place in the state; -1: no general register.
Int register_at(Int offset) {
  const Int number = (offset - kFirst) / kSize;
  return offset >= kFirst && number < 16 ? number : -1;
}

IRExpr *number(ULong value) { return IRExpr_Const(IRConst_U64(value)); }
IRExpr *shifted(IROp operation, IRExpr *value, UInt bits) {
  return IRExpr_Binop(operation, value, IRExpr_Const(IRConst_U8(static_cast<UChar>(bits))));
}

} // namespace

IRExpr *Registers::keep(IRExpr *value) {
  const IRTemp temporary = newIRTemp(out_->tyenv, Ity_I64);
  addStmtToIRSB(out_, IRStmt_WrTmp(temporary, value));
  return IRExpr_RdTmp(temporary);
}

void Registers::forget() {
  for (IRExpr *&value : values_)
    value = nullptr;
}

IRStmt *Registers::put(IRStmt *statement) {
  const Int offset = statement->Ist.Put.offset;
  const Int which = register_at(offset);
  if (which < 0)
    return statement;
  IRExpr *data = statement->Ist.Put.data;
  const IRType type = typeOfIRExpr(out_->tyenv, data);
  const auto part = static_cast<UInt>(offset - kFirst) % kSize;
  IRExpr *&value = values_[which];
  if (type == Ity_I64 && part == 0) {
    value = data;
    return statement;
  }
  if ((type != Ity_I8 && type != Ity_I16) || part > 1) {
    value = nullptr;
    return statement;
  }
  const Int whole = offset - static_cast<Int>(part);
  if (value == nullptr)
    value = keep(IRExpr_Get(whole, Ity_I64));
  const ULong mask = (type == Ity_I8 ? 0xfful : 0xfffful) << 8 * part;
  IRExpr *written = keep(IRExpr_Unop(type == Ity_I8 ? Iop_8Uto64 : Iop_16Uto64, data));
  if (part != 0)
    written = keep(shifted(Iop_Shl64, written, 8 * part));
  IRExpr *kept = keep(IRExpr_Binop(Iop_And64, value, number(~mask)));
  value = keep(IRExpr_Binop(Iop_Or64, kept, written));
  return IRStmt_Put(whole, value);
}

IRStmt *Registers::get(IRStmt *statement) {
  const IRExpr *data = statement->Ist.WrTmp.data;
  const Int which = register_at(data->Iex.Get.offset);
  if (which < 0)
    return statement;
  const IRTemp to = statement->Ist.WrTmp.tmp;
  const auto part = static_cast<UInt>(data->Iex.Get.offset - kFirst) % kSize;
  IRExpr *&value = values_[which];
  if (data->Iex.Get.ty == Ity_I64 && part == 0) {
    if (value != nullptr)
      return IRStmt_WrTmp(to, value);
    value = IRExpr_RdTmp(to);
  } else if (value != nullptr && (data->Iex.Get.ty == Ity_I8 || data->Iex.Get.ty == Ity_I16)) {
    IRExpr *from = part == 0 ? value : keep(shifted(Iop_Shr64, value, 8 * part));
    return IRStmt_WrTmp(to, IRExpr_Unop(data->Iex.Get.ty == Ity_I8 ? Iop_64to8 : Iop_64to16, from));
  }
  return statement;
}

IRStmt *Registers::rewritten(IRStmt *statement) {
  switch (statement->tag) {
  case Ist_Put:
    return put(statement);
  case Ist_WrTmp:
    return statement->Ist.WrTmp.data->tag == Iex_Get ? get(statement) : statement;
  case Ist_PutI:
  case Ist_Dirty: // a function of Valgrind's that may write registers
    forget();
    return statement;
  default:
    return statement;
  }
}

} // namespace culprit::deep
