// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See locals.h.
#include "runtime/access/locals.h"

#include "runtime/access/joining.h"
#include "runtime/access/naming_lock.h"
#include "runtime/access/variables.h"
#include "runtime/os/stack.h"

extern "C" {
__thread uintptr_t __culprit_lowest_local = ~uintptr_t{0};
}

namespace culprit::access {
namespace {

constexpr uintptr_t kNone = ~uintptr_t{0}; // no local of the thread yet

// The tags of a local variable where nothing else has a name: what most calls of its function find.
// Kept for the first variable that comes to a place of the table, for good. Those of large
// variables lie in a pool, as long as there is room.
struct Picture {
  static constexpr size_t kGranules = 28; // without the pool
  uint64_t of; // its number, where in its first granule it begins, how many there are; 0: nobody's
  union {
    Tag tags[kGranules];
    Tag *in_pool;
  };
};
constexpr size_t kPictures = size_t{1} << 10;
constexpr uint64_t kBeingDrawn = ~uint64_t{0};
alignas(64) Picture g_pictures[kPictures];

constexpr size_t kPool = size_t{1} << 17;
constexpr size_t kMostGranules = kPool / 16;
Tag g_pool[kPool];
size_t g_pool_used;

Tag *tags_of_picture(Picture &picture, size_t granules) {
  return granules > Picture::kGranules ? picture.in_pool : picture.tags;
}

// Null: there is no room.
Tag *take_from_pool(size_t granules) {
  size_t used = __atomic_load_n(&g_pool_used, __ATOMIC_RELAXED);
  do
    if (granules > kPool - used)
      return nullptr;
  while (!__atomic_compare_exchange_n(&g_pool_used, &used, used + granules, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED));
  return g_pool + used;
}

struct LocalPlace {
  Tag *tags;
  size_t granules;
  unsigned start;   // in the first granule
  bool shares_tail; // does not end where a granule ends

  LocalPlace(uintptr_t address, uint64_t size)
      : tags(tags_of(address)), granules(((address + size + kInGranule) >> CULPRIT_GRANULE_SHIFT) -
                                         (address >> CULPRIT_GRANULE_SHIFT)),
        start(static_cast<unsigned>(address & kInGranule)),
        shares_tail((address + size) & kInGranule) {}
  uint64_t key(uint32_t number) const { return uint64_t{number} << 32 | start << 16 | granules; }
  // Whole granules are the variable's, whatever was there.
  bool is_alone() const {
    return (!start || __atomic_load_n(tags, __ATOMIC_RELAXED) == kUnwatched) &&
           (!shares_tail || __atomic_load_n(tags + granules - 1, __ATOMIC_RELAXED) == kUnwatched);
  }
};

void draw(Picture &picture, const LocalPlace &place, uint64_t key) {
  uint64_t nobody = 0;
  for (size_t i = 0; i < place.granules; ++i)
    if (__atomic_load_n(place.tags + i, __ATOMIC_RELAXED) == kExact)
      return;
  if (!__atomic_compare_exchange_n(&picture.of, &nobody, kBeingDrawn, false, __ATOMIC_ACQUIRE,
                                   __ATOMIC_RELAXED))
    return;
  if (place.granules > Picture::kGranules)
    picture.in_pool = take_from_pool(place.granules);
  Tag *tags = tags_of_picture(picture, place.granules);
  if (!tags) // left for a smaller one
    return __atomic_store_n(&picture.of, 0, __ATOMIC_RELEASE);
  for (size_t i = 0; i < place.granules; ++i)
    tags[i] = __atomic_load_n(place.tags + i, __ATOMIC_RELAXED);
  __atomic_store_n(&picture.of, key, __ATOMIC_RELEASE);
}

// Of the variable's own size.
void put_local(uintptr_t address, uint64_t size, uint32_t number) {
  LocalPlace place(address, size);
  // A large one with one name is as quick without.
  size_t most = g_families[number].layout ? kMostGranules : Picture::kGranules;
  if (place.granules > most || !tags_are_free() || !place.is_alone()) {
    name_variable(address, size, number, true);
    return;
  }
  Picture &picture = g_pictures[number % kPictures];
  uint64_t key = place.key(number);
  uint64_t of = __atomic_load_n(&picture.of, __ATOMIC_ACQUIRE);
  if (of == key) [[likely]] {
    copy_tags(place.tags, tags_of_picture(picture, place.granules), place.granules);
    return;
  }
  name_variable(address, size, number, true);
  if (!of)
    draw(picture, place, key);
}

__thread os::StackLimits g_stack __attribute__((tls_model("initial-exec")));

[[gnu::noinline]] void begin_stack(uintptr_t address) {
  g_stack = os::find_stack(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  __culprit_lowest_local = g_stack.high;
  if (address >= g_stack.low && address < g_stack.high)
    __culprit_lowest_local = address;
}

culprit_variable *g_owners; // whose tags are kept

[[gnu::noinline]] void keep_tags(uintptr_t address, uint64_t size, culprit_variable &variable) {
  Naming naming;
  uintptr_t first = address & ~kInGranule;
  size_t granules = (address + size - first + kInGranule) / kGranule;
  if (!tags_are_free() || variable.tags || granules > CULPRIT_OWN_GRANULES)
    return;
  uint64_t tags = 0;
  for (size_t i = 0; i < granules; ++i)
    tags |= uint64_t{tag_at(first + i * kGranule)} << 16 * i;
  if (!tags)
    return; // no names were to be had
  variable.next_owner = g_owners;
  g_owners = &variable;
  __atomic_store_n(&variable.tags, tags, __ATOMIC_RELEASE);
}

} // namespace

void local_on(uintptr_t address, uint64_t size, culprit_variable &variable) {
  auto number = static_cast<uint32_t>(__atomic_load_n(&variable.first, __ATOMIC_ACQUIRE));
  if (!number) [[unlikely]]
    number = family_of_variable(variable, CULPRIT_NAME_LOCAL);
  if (!number || !size) [[unlikely]]
    return;
  uintptr_t lowest = __culprit_lowest_local;
  if (address - lowest >= g_stack.high - lowest) [[unlikely]] {
    if (lowest == kNone)
      begin_stack(address);
    else if (address >= g_stack.low && address < lowest)
      __culprit_lowest_local = address;
  }
  if (variable.size == size) [[likely]] {
    put_local(address, size, number);
  } else {
    see_if_ragged(g_families[number], size);
    name_variable(address, size, number, false);
  }
}

void local_off(uintptr_t address, uint64_t size) { remove_names(address, size); }

void local_owns(uintptr_t address, culprit_variable &variable, culprit_variable *gap) {
  uint64_t size = variable.size + (gap ? gap->size : 0);
  // What others have left in a granule that is shared with nobody.
  uintptr_t first = address & ~kInGranule;
  remove_names(first, (address + size - first + kInGranule) & ~kInGranule);
  local_on(address, variable.size, variable);
  if (gap)
    local_on(address + variable.size, gap->size, *gap);
  if (!__atomic_load_n(&variable.tags, __ATOMIC_RELAXED) && tags_are_free())
    keep_tags(address, size, variable);
}

void take_tags_back() {
  for (culprit_variable *variable = g_owners; variable; variable = variable->next_owner)
    __atomic_store_n(&variable->tags, 0, __ATOMIC_RELEASE);
  g_owners = nullptr;
}

void unwound(uintptr_t address) {
  uintptr_t lowest = __culprit_lowest_local;
  if (lowest == kNone || address <= lowest || address > g_stack.high)
    return;
  remove_names(lowest, address - lowest);
  __culprit_lowest_local = address;
}

void thread_ends() {
  if (__culprit_lowest_local < g_stack.high)
    remove_names(__culprit_lowest_local, g_stack.high - __culprit_lowest_local);
  __culprit_lowest_local = kNone;
  g_stack = {};
}

} // namespace culprit::access
