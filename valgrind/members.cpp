// SPDX-License-Identifier: GPL-2.0-or-later
#include "valgrind/members.h"

#include "valgrind/described.h"
#include "valgrind/memory.h"
#include "valgrind/modules.h"
#include "valgrind/names.h"
#include "valgrind/walks.h"

namespace culprit::deep {
namespace {

constexpr UInt kMostCalls = 4; // as many as name a block

void make_words(Variable &members) {
  const culprit_names_layout &layout = *members.layout;
  Variable part = members;
  part.size = layout.rest == 0 ? period_of(layout.size)
                               : (layout.size + SizeT{kGranule} - 1) / kGranule * kGranule;
  members.count = static_cast<UInt>(part.size / kGranule);
  members.words = static_cast<UInt *>(VG_(calloc)("culprit.members", members.count, sizeof(UInt)));
  put_names(part, members.words, 0);
}

} // namespace

Variable *members_of(const Walk &walk, UInt block) {
  for (UInt i = 1; i < walk.depth && i <= kMostCalls; ++i) { // the first is Valgrind's malloc
    const Module *module = module_at(walk.instructions[i]);
    if (module == nullptr || module->system || module->described == nullptr)
      return nullptr;
    // The core has subtracted one, to be inside the call.
    const culprit_names_call *call =
        described_call(*module->described, walk.instructions[i] + 1 - module->base);
    if (call == nullptr)
      return nullptr;
    if (call->layout != 0)
      return new_variable({.address = reinterpret_cast<Addr>(call),
                           .size = 0,
                           .symbol = described_text(call->type),
                           .name = 0,
                           .internal = false,
                           .kind = VariableKind::block,
                           .described = nullptr,
                           .layout = described_layout(*call),
                           .members = nullptr,
                           .saved = 0,
                           .block = block,
                           .words = nullptr,
                           .count = 0});
    if ((call->flags & CULPRIT_NAMES_HANDED_OUT) == 0)
      return nullptr;
  }
  return nullptr;
}

bool put_members(Variable &members, UInt *words, SizeT size) {
  const culprit_names_layout &layout = *members.layout;
  if (size == 0 || (layout.rest == 0 && size % layout.size != 0))
    return false;
  if (members.words == nullptr) {
    number_names(members);
    make_words(members);
  }
  const SizeT whole = (size + kGranule - 1) / kGranule;
  for (SizeT done = 0; done < whole;) {
    if (layout.rest != 0 && done != 0) {
      words[done++] = members.members[layout.rest - 1];
      continue;
    }
    for (UInt i = 0; i < members.count && done < whole; ++i)
      words[done++] = members.words[i];
  }
  if (size % kGranule != 0) // the end of the last granule is behind the block
    name_bytes(words, size, kGranule - size % kGranule, members.block + 1);
  return true;
}

} // namespace culprit::deep
