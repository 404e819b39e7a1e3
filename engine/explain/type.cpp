// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See type.h.
#include "engine/explain/type.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace culprit::explain {
namespace {

constexpr size_t kMostSteps = 1000; // tables may be hostile
constexpr uint64_t kLongestText = 4096;
constexpr uint32_t kMostBits = 64;

bool is_record(const Type &type) {
  return type.kind == Type::Kind::record || type.kind == Type::Kind::one_of;
}

// Names that only the compiler's library may use say nothing to its users: of
// "queue._M_impl._M_cur" the last is kept, so that two parts have two names.
bool is_reserved(const std::string &name) {
  return name.size() >= 2 && name[0] == '_' &&
         (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

uint64_t size_of(const Types &types, const Type::Member &member) {
  const Type *type = types.find(member.type);
  return type == nullptr ? 0 : type->size;
}

// Of the members that hold the offset the one that begins last is tried first, then the others: an
// empty base class lies where the first member does.
class Descent {
public:
  Descent(const Types &types, Holds holds) : types_(types), holds_(holds) {}

  // False: nothing is known of the place. `path` is that of the whole, `reserved` the last name
  // that was left out of it.
  bool find(uint32_t number, uint64_t start, uint64_t offset, const std::string &path,
            const std::string &reserved) {
    const Type *type = types_.find(number);
    if (type == nullptr || offset - start >= type->size || ++steps_ > kMostSteps)
      return false;
    if (is_record(*type))
      return find_member(*type, start, offset, path, reserved);
    if (type->kind == Type::Kind::array)
      return find_element(*type, number, start, offset, path, reserved);
    return found(path, reserved, start, type->size, number);
  }

  Leaf leaf = {};

private:
  bool find_member(const Type &record, uint64_t start, uint64_t offset, const std::string &path,
                   const std::string &reserved) {
    if (find_bits(record, start, offset, path))
      return true;
    std::vector<const Type::Member *> candidates;
    for (const Type::Member &each : record.members)
      if (each.bits == 0 && start + each.offset <= offset &&
          offset - start - each.offset < size_of(types_, each))
        candidates.push_back(&each);
    std::ranges::sort(candidates, [](const Type::Member *x, const Type::Member *y) {
      return x->offset != y->offset ? x->offset > y->offset : x < y;
    });
    const auto find_in = [&](const Type::Member *each) {
      const bool hidden = is_reserved(each->name);
      const bool named = !hidden && !each->name.empty();
      return find(each->type, start + each->offset, offset, named ? path + "." + each->name : path,
                  hidden ? each->name : (named ? std::string() : reserved));
    };
    // Of a union the first member that can hold what is there.
    if (record.kind == Type::Kind::one_of && holds_ != Holds::anything)
      for (const Type::Member *each : candidates) {
        if (find_in(each) && fits())
          return true;
        leaf = {};
      }
    return std::ranges::any_of(candidates, find_in);
  }

  bool fits() const {
    const Type *type = types_.find(leaf.type);
    return type != nullptr && (type->kind == Type::Kind::pointer) == (holds_ == Holds::address);
  }

  // All that have a bit in this byte.
  bool find_bits(const Type &record, uint64_t start, uint64_t offset, const std::string &path) {
    for (const Type::Member &each : record.members) {
      if (each.bits == 0 || each.bits > kMostBits || start + each.offset > offset)
        continue;
      const uint64_t first = (start + each.offset) * 8 + each.first_bit;
      if (first < offset * 8 + 8 && first + each.bits > offset * 8)
        leaf.bits.push_back({path + "." + each.name, first, each.bits, each.type});
    }
    return !leaf.bits.empty() && found(leaf.bits.front().path, "", offset, 1, 0);
  }

  bool find_element(const Type &array, uint32_t number, uint64_t start, uint64_t offset,
                    const std::string &path, const std::string &reserved) {
    const Type *element = types_.find(array.of);
    if (element == nullptr || element->size == 0)
      return false;
    if (element->kind == Type::Kind::character && element->size == 1 &&
        array.size <= kLongestText) {
      leaf.is_text = true;
      return found(path, reserved, start, array.size, number);
    }
    const uint64_t at = (offset - start) / element->size;
    return find(array.of, start + at * element->size, offset, fmt::format("{}[{}]", path, at),
                reserved);
  }

  bool found(const std::string &path, const std::string &reserved, uint64_t start, uint64_t size,
             uint32_t type) {
    leaf.path = reserved.empty() ? path : path + "." + reserved;
    leaf.start = start;
    leaf.size = size;
    leaf.type = type;
    return true;
  }

  const Types &types_;
  Holds holds_;
  size_t steps_ = 0;
};

} // namespace

const Type *Types::find(uint32_t number) const {
  return number == 0 || number > all_.size() ? nullptr : &all_[number - 1];
}

void Types::complete() {
  std::unordered_map<std::string, size_t> whole;
  for (size_t i = 0; i < all_.size(); ++i)
    if (is_record(all_[i]) && all_[i].size != 0 && !all_[i].name.empty())
      whole.try_emplace(all_[i].name, i);
  for (Type &each : all_)
    if (is_record(each) && each.size == 0)
      if (const auto found = whole.find(each.name); found != whole.end())
        each = all_[found->second];
}

Leaf leaf_at(const Types &types, uint32_t number, uint64_t offset, Holds holds) {
  Descent descent(types, holds);
  return descent.find(number, 0, offset, "", "") ? std::move(descent.leaf) : Leaf{};
}

Leaf leaf_behind(const Types &types, uint32_t number, uint64_t offset, Holds holds) {
  const Type *type = types.find(number);
  if (type == nullptr || type->size == 0)
    return {};
  const uint64_t skipped = offset / type->size;
  Leaf leaf = leaf_at(types, number, offset % type->size, holds);
  leaf.start += skipped * type->size;
  if (skipped != 0 && leaf.size != 0)
    leaf.path = fmt::format("[{}]", skipped) + leaf.path;
  for (Leaf::Bits &each : leaf.bits) {
    each.first += skipped * type->size * 8;
    if (skipped != 0)
      each.path = fmt::format("[{}]", skipped) + each.path;
  }
  return leaf;
}

} // namespace culprit::explain
