// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the pass would have made of the tests' accesses: the hooks as instrumented code declares
// them, and an access with its checks.
#pragma once

#include "abi/access.h"
#include "abi/features.h"
#include "runtime/monitor/hooks_for_tests.h"

#include <cstddef>

extern "C" {
void __culprit_access(const void *, uint32_t) __attribute__((preserve_all));
void __culprit_join(const void *, const culprit_joined_set *, uint32_t)
    __attribute__((preserve_all));
void __culprit_access_range(const void *, uint64_t, uint32_t);
void __culprit_event(const void *, uint64_t, uint32_t) __attribute__((preserve_all));
void __culprit_local_on(const void *, culprit_variable *);
void __culprit_local_sized_on(const void *, uint64_t, culprit_variable *);
void __culprit_local_off(const void *, uint64_t);
void __culprit_local_owns(const void *, culprit_variable *, culprit_variable *)
    __attribute__((preserve_all));
void __culprit_local_owned(const void *, uint64_t) __attribute__((preserve_all));
void __culprit_unwound(const void *);
void __culprit_register_access(culprit_access_unit *);
extern const unsigned char __culprit_features;
}

namespace culprit::access {

inline bool counts_here() { return __culprit_features & CULPRIT_FEATURE_COUNTS; }

inline uint16_t tag_for_check(uintptr_t address) {
  return __atomic_load_n(reinterpret_cast<const uint16_t *>(CULPRIT_TAG_BASE) +
                             (address >> CULPRIT_GRANULE_SHIFT),
                         __ATOMIC_RELAXED);
}

inline bool has_bit(uintptr_t address, uint32_t row) {
  uint32_t bits = __atomic_load_n(
      reinterpret_cast<const uint32_t *>(culprit_row(row) + uint64_t{tag_for_check(address)} * 8),
      __ATOMIC_RELAXED);
  return bits >> address % 32 & 1;
}

// `times`: what a counting flavour adds.
inline void check_byte(uintptr_t address, uint32_t row, uint64_t times = 1) {
  if (counts_here())
    *reinterpret_cast<uint64_t *>(culprit_count(row) + uint64_t{tag_for_check(address)} * 8) +=
        times;
  if (!has_bit(address, row))
    __culprit_access(reinterpret_cast<const void *>(address), row);
}

// An access of `size` bytes (at most 16): `row` for it and, if it may lie across two granules,
// row + 1 for its tail.
inline void check_access(uintptr_t address, unsigned size, unsigned alignment, uint32_t row) {
  check_byte(address, row);
  uintptr_t last = address + size - 1;
  if (size > alignment)
    check_byte(last, row + 1, last % CULPRIT_GRANULE < size - 1);
}

// A set of accesses with one check, as the pass describes it, behind its first access.
struct TestSet {
  explicit TestSet(uint32_t row, uint32_t joint) : of{row, joint, 0, 0} {}
  void add(int64_t distance, uint32_t row) { other[of.others++] = {distance, row, 0}; }

  culprit_joined_set of;
  culprit_joined other[4];
};
static_assert(offsetof(TestSet, other) == sizeof(culprit_joined_set));

// True: one check did for all of the set. Otherwise each was to be checked before, by `apart`.
template <typename Apart>
bool check_joint(uintptr_t address, const TestSet &set, uint32_t first_row, Apart apart) {
  uint32_t joint = first_row + set.of.joint;
  if (has_bit(address, joint))
    return true;
  apart();
  if (!has_bit(address, joint + 1))
    __culprit_join(reinterpret_cast<const void *>(address), &set.of, first_row);
  return false;
}

} // namespace culprit::access
