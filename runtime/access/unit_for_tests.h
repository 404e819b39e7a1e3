// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A unit for tests that need some rows, variables and one layout.
#pragma once

#include "runtime/access/checks_for_tests.h"

#include <vector>

namespace culprit::access {

class TestUnit {
public:
  // Rows of these sizes, naturally aligned, each a site of its own. `starts`: of the members of the
  // one layout, which every site of the unit has if `for_blocks`.
  TestUnit(uint64_t id, const std::vector<unsigned> &row_sizes, uint32_t layout_size,
           std::vector<uint32_t> starts, bool for_blocks)
      : starts_(std::move(starts)) {
    for (unsigned size : row_sizes)
      infos_.push_back({static_cast<uint8_t>(size), 0, static_cast<uint16_t>(size),
                        static_cast<uint32_t>(infos_.size())});
    for (uint32_t i = 0; i < starts_.size(); ++i)
      members_.push_back(i);
    auto count = static_cast<uint32_t>(starts_.size());
    layout_ = {layout_size, count, count, 0, starts_.data(), members_.data()};
    sites_.assign(kSites, for_blocks ? 1 : 0);
    unit_ = {id, kSites, 0};
    __culprit_register_unit(&unit_);
    access_.id = id;
    access_.unit = &unit_;
    access_.rows = static_cast<uint32_t>(infos_.size());
    access_.row = infos_.data();
    access_.layouts = count ? 1 : 0;
    access_.layout = &layout_;
    access_.site_layouts = kSites;
    access_.site_layout = sites_.data();
  }

  // The last `gaps` are what lies behind others.
  void add_globals(std::vector<culprit_variable> globals, uint32_t gaps = 0) {
    access_.gaps = gaps;
    globals_ = std::move(globals);
    access_.global = globals_.data();
    access_.globals = static_cast<uint32_t>(globals_.size());
    for (uint32_t i = 0; i < globals_.size(); ++i) {
      globals_[i].unit = &access_;
      globals_[i].index = i;
    }
  }

  void enter() { __culprit_register_access(&access_); }

  uint32_t row(uint32_t number) const { return access_.row_base + number; }
  uint64_t site(uint32_t number) const { return unit_.base + number; }

  culprit_variable local(uint32_t index, uint64_t size, bool with_layout = false) {
    return {nullptr, size, &access_, index, with_layout ? 1u : 0u, 0, 0, nullptr};
  }

private:
  static constexpr uint32_t kSites = 64;
  std::vector<culprit_row_info> infos_;
  std::vector<uint32_t> starts_;
  std::vector<uint32_t> members_;
  std::vector<uint32_t> sites_;
  std::vector<culprit_variable> globals_;
  culprit_layout layout_{};
  culprit_unit unit_{};
  culprit_access_unit access_{};
};

inline uintptr_t number(const void *address) { return reinterpret_cast<uintptr_t>(address); }

} // namespace culprit::access
