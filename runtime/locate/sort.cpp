// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See sort.h. A merge sort: both halves in place, merged into a copy, the copy back.
#include "runtime/locate/sort.h"

#include "runtime/locate/ids.h"
#include "runtime/os/memory.h"

namespace culprit::locate {
namespace {

constexpr size_t kLargestMoved = 32;
constexpr size_t kOnStack = 1024;

struct Order {
  Compare compare;
  void *context;
  bool holds(const void *a, const void *b) const { return compare(a, b, context) <= 0; }
};

// Where merged elements wait. Its cells are nobody's again at the end.
class Borrowed {
public:
  Borrowed(char *small, size_t bytes)
      : start_(bytes <= kOnStack ? small : os::map_sparse(0, bytes)), bytes_(bytes),
        is_mapped_(bytes > kOnStack) {}
  Borrowed(const Borrowed &) = delete;
  Borrowed &operator=(const Borrowed &) = delete;
  ~Borrowed() {
    if (!start_)
      return;
    clear_cells(cells_of(reinterpret_cast<uintptr_t>(start_), bytes_));
    if (is_mapped_)
      os::release(start_, bytes_);
  }
  char *start() const { return start_; }

private:
  char *start_;
  size_t bytes_;
  bool is_mapped_;
};

void move(char *to, const char *from, size_t size, Id id) {
  __builtin_memcpy(to, from, size);
  copy_ids(reinterpret_cast<uintptr_t>(to), reinterpret_cast<uintptr_t>(from), size, id);
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the logarithm of the count
void merge_elements(char *elements, size_t count, size_t size, const Order &order, char *merged,
                    Id id) {
  if (count <= 1)
    return;
  size_t left = count / 2;
  size_t right = count - left;
  char *first = elements;
  char *second = elements + left * size;
  merge_elements(first, left, size, order, merged, id);
  merge_elements(second, right, size, order, merged, id);
  char *next = merged;
  while (left && right) {
    bool is_first = order.holds(first, second);
    char *&taken = is_first ? first : second;
    move(next, taken, size, id);
    taken += size;
    next += size;
    --(is_first ? left : right);
  }
  // What is left of the second half lies where it belongs.
  move(next, first, left * size, id);
  move(elements, merged, (count - right) * size, id);
}

// NOLINTNEXTLINE(misc-no-recursion)
void merge_pointers(char **pointers, size_t count, const Order &order, char **merged) {
  if (count <= 1)
    return;
  size_t left = count / 2;
  size_t right = count - left;
  char **first = pointers;
  char **second = pointers + left;
  merge_pointers(first, left, order, merged);
  merge_pointers(second, right, order, merged);
  char **next = merged;
  while (left && right) {
    bool is_first = order.holds(*first, *second);
    *next++ = *(is_first ? first : second)++;
    --(is_first ? left : right);
  }
  __builtin_memcpy(static_cast<void *>(next), static_cast<const void *>(first),
                   left * sizeof *first);
  __builtin_memcpy(static_cast<void *>(pointers), static_cast<const void *>(merged),
                   (count - right) * sizeof *first);
}

// pointers[i]: the element that belongs in i's place. Each cycle of them needs one place aside.
void permute(char *elements, size_t count, size_t size, char **pointers, char *aside, Id id) {
  for (size_t i = 0; i < count; ++i) {
    char *hole = elements + i * size;
    if (pointers[i] == hole)
      continue;
    move(aside, hole, size, id);
    size_t at = i;
    while (pointers[at] != elements + i * size) {
      char *from = pointers[at];
      move(hole, from, size, id);
      pointers[at] = hole;
      hole = from;
      at = static_cast<size_t>(from - elements) / size;
    }
    move(hole, aside, size, id);
    pointers[at] = hole;
  }
}

} // namespace

void sort(void *elements, size_t count, size_t size, Compare compare, void *context, Id id) {
  size_t bytes = 0;
  if (count <= 1 || __builtin_mul_overflow(count, size, &bytes))
    return;
  auto *first = static_cast<char *>(elements);
  Order order{compare, context};
  alignas(16) char small[kOnStack];
  if (size <= kLargestMoved) {
    Borrowed merged(small, bytes);
    if (merged.start())
      merge_elements(first, count, size, order, merged.start(), id);
    return;
  }
  size_t table = 0;
  size_t all = 0;
  if (__builtin_mul_overflow(count, 2 * sizeof(char *), &table) ||
      __builtin_add_overflow(table, size, &all))
    return;
  Borrowed borrowed(small, all);
  if (!borrowed.start())
    return;
  auto *pointers = reinterpret_cast<char **>(borrowed.start());
  for (size_t i = 0; i < count; ++i)
    pointers[i] = first + i * size;
  merge_pointers(pointers, count, order, pointers + count);
  permute(first, count, size, pointers, borrowed.start() + table, id);
}

} // namespace culprit::locate
