// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Frames as the tables for unwinding describe them: where the canonical frame address (CFA) is, and
// which registers of its caller a function keeps below the return address.
#pragma once

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugFrame.h"

#include <cstdint>
#include <map>
#include <optional>

namespace culprit::native {

struct Frame {
  // Most of the function's code has the CFA at this distance from the register.
  std::optional<int64_t> from_stack_pointer;
  std::optional<int64_t> from_frame_pointer;
  uint32_t saved = 0; // bytes of registers right below the return address
};

class Frames {
public:
  explicit Frames(llvm::DWARFContext &context);
  // Of the function that begins there.
  Frame of(uint64_t entry) const;

private:
  std::map<uint64_t, const llvm::dwarf::FDE *> by_start_;
};

} // namespace culprit::native
