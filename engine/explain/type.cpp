// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See type.h.
#include "engine/explain/type.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace culprit::explain {
namespace {

constexpr unsigned kDeepest = 64; // tables may be hostile
constexpr uint64_t kLongestText = 64;

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

// The member that holds the offset; of several (a union, bit fields) the first.
const Type::Member *member_at(const Types &types, const Type &record, uint64_t offset) {
  const Type::Member *found = nullptr;
  for (const Type::Member &each : record.members)
    if (each.offset <= offset && offset - each.offset < size_of(types, each) &&
        (found == nullptr || each.offset > found->offset))
      found = &each;
  return found;
}

struct Descent {
  const Types &types;
  Leaf leaf = {};
  std::string reserved = {}; // what was left out last

  void enter(const std::string &name) {
    reserved.clear();
    if (is_reserved(name))
      reserved = name;
    else if (!name.empty())
      leaf.path += "." + name;
  }

  Leaf finish(uint64_t start, uint64_t size, uint32_t type) {
    if (!reserved.empty())
      leaf.path += "." + reserved;
    leaf.start = start;
    leaf.size = size;
    leaf.type = type;
    return std::move(leaf);
  }
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

Leaf leaf_at(const Types &types, uint32_t number, uint64_t offset) {
  Descent descent{.types = types};
  uint64_t start = 0;
  for (unsigned depth = 0; depth < kDeepest; ++depth) {
    const Type *type = types.find(number);
    if (type == nullptr || offset - start >= type->size)
      break;
    if (is_record(*type)) {
      const Type::Member *member = member_at(types, *type, offset - start);
      if (member == nullptr)
        break; // padding
      descent.enter(member->name);
      start += member->offset;
      number = member->type;
    } else if (type->kind == Type::Kind::array) {
      const Type *element = types.find(type->of);
      if (element == nullptr || element->size == 0)
        break;
      if (element->kind == Type::Kind::character && element->size == 1 &&
          type->size <= kLongestText) {
        descent.leaf.is_text = true;
        return descent.finish(start, type->size, number);
      }
      const uint64_t at = (offset - start) / element->size;
      descent.leaf.path += fmt::format("[{}]", at);
      start += at * element->size;
      number = type->of;
    } else {
      return descent.finish(start, type->size, number);
    }
  }
  return {};
}

Leaf leaf_behind(const Types &types, uint32_t number, uint64_t offset) {
  const Type *type = types.find(number);
  if (type == nullptr || type->size == 0)
    return {};
  const uint64_t skipped = offset / type->size;
  Leaf leaf = leaf_at(types, number, offset % type->size);
  leaf.start += skipped * type->size;
  if (skipped != 0 && leaf.size != 0)
    leaf.path = fmt::format("[{}]", skipped) + leaf.path;
  return leaf;
}

} // namespace culprit::explain
