// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/native/frames.h"

#include <algorithm>
#include <set>
#include <utility>

namespace culprit::native {

namespace dw = llvm::dwarf;

namespace {

constexpr uint32_t kFramePointer = 6; // rbp
constexpr uint32_t kStackPointer = 7; // rsp
constexpr uint32_t kKept[] = {3, kFramePointer, 12, 13, 14, 15};
constexpr int64_t kWord = 8;

uint32_t saved_bytes(const std::set<int64_t> &offsets) {
  int64_t below = -2 * kWord; // the return address is the first word
  while (offsets.contains(below))
    below -= kWord;
  return static_cast<uint32_t>(-below - 2 * kWord);
}

} // namespace

Frames::Frames(llvm::DWARFContext &context) {
  auto take = [&](llvm::Expected<const llvm::DWARFDebugFrame *> table) {
    if (!table) {
      llvm::consumeError(table.takeError());
      return;
    }
    for (const dw::FrameEntry &entry : **table)
      if (const auto *fde = llvm::dyn_cast<dw::FDE>(&entry))
        by_start_.try_emplace(fde->getInitialLocation(), fde);
  };
  take(context.getEHFrame());
  take(context.getDebugFrame());
}

Frame Frames::of(uint64_t entry) const {
  Frame frame;
  const auto found = by_start_.find(entry);
  if (found == by_start_.end())
    return frame;
  auto table = dw::UnwindTable::create(found->second);
  if (!table) {
    llvm::consumeError(table.takeError());
    return frame;
  }
  // Bytes of code by rule. Behind the prologue one rule holds, but for arguments that are pushed.
  std::map<std::pair<uint32_t, int64_t>, uint64_t> rules;
  std::set<int64_t> saved;
  const uint64_t end = entry + found->second->getAddressRange();
  for (auto row = table->begin(); row != table->end(); ++row) {
    const uint64_t from = row->hasAddress() ? row->getAddress() : entry;
    const auto next = std::next(row);
    const uint64_t to = next != table->end() && next->hasAddress() ? next->getAddress() : end;
    const dw::UnwindLocation &cfa = row->getCFAValue();
    if (cfa.getLocation() == dw::UnwindLocation::RegPlusOffset)
      rules[{cfa.getRegister(), cfa.getOffset()}] += to > from ? to - from : 0;
    else
      rules[{UINT32_MAX, 0}] += to > from ? to - from : 0;
    for (const uint32_t kept : kKept)
      if (const auto place = row->getRegisterLocations().getRegisterLocation(kept);
          place && place->getLocation() == dw::UnwindLocation::CFAPlusOffset &&
          *place == dw::UnwindLocation::createAtCFAPlusOffset(place->getOffset()))
        saved.insert(place->getOffset());
  }
  const auto most =
      std::ranges::max_element(rules, {}, [](const auto &rule) { return rule.second; });
  if (most == rules.end())
    return frame;
  if (most->first.first == kStackPointer)
    frame.from_stack_pointer = most->first.second;
  if (most->first.first == kFramePointer)
    frame.from_frame_pointer = most->first.second;
  frame.saved = saved_bytes(saved);
  return frame;
}

} // namespace culprit::native
