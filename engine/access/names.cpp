// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See names.h.
#include "engine/access/names.h"

#include "engine/heap/sites.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>

namespace culprit::access {

uint64_t g_key_mask = ~uint64_t{0};

namespace {

// Length and bytes, so that no two different names give the same text.
void add(std::string &text, std::string_view part) {
  text += fmt::format("{} ", part.size());
  text += part;
}

std::string file_alone(const Name &name) {
  return std::filesystem::path(name.file).filename().string();
}

std::string object_text(const Name &name, size_t depth) {
  std::string text(1, static_cast<char>('0' + static_cast<int>(name.kind)));
  // Memory of no object goes by what it lies behind: a block, a local, or nothing.
  if (name.kind == NameKind::heap || (name.kind == NameKind::outside && name.symbol.empty())) {
    for (size_t i = 0; i < std::min({depth, kMaxChain, name.chain.size()}); ++i)
      add(text, heap::id_text(name.chain[i]));
    return text;
  }
  add(text, name.symbol);
  add(text, name.function);
  // A symbol the linker sees is one thing wherever it is declared. A tree that is built in another
  // folder has the same objects, so the folder is no part of their names, as it is none of a site's
  // (pass/sites.cpp).
  if (name.kind != NameKind::global || name.internal || !name.function.empty())
    add(text, file_alone(name));
  return text;
}

uint64_t hash_of(std::string_view text) {
  return llvm::xxh3_64bits(llvm::StringRef(text)) & g_key_mask;
}

// Of memory behind a variable. A variable inside a function that is internal is a static one.
bool is_behind_global(const Name &name) {
  return !name.symbol.empty() && (name.function.empty() || name.internal);
}

std::string place(const Name &name) {
  if (name.file.empty())
    return {};
  const std::string file = file_alone(name);
  return name.line == 0 ? file : fmt::format("{}:{}", file, name.line);
}

} // namespace

std::string_view kind_word(NameKind kind) {
  switch (kind) {
  case NameKind::global:
    return "global";
  case NameKind::heap:
    return "heap";
  case NameKind::local:
    return "local";
  case NameKind::return_slot:
    return "return address";
  case NameKind::outside:
    return "outside";
  case NameKind::freed:
    return "freed";
  }
  return "";
}

bool is_nobodys(NameKind kind) {
  return kind == NameKind::return_slot || kind == NameKind::outside || kind == NameKind::freed;
}

uint64_t object_key(const Name &name, size_t depth) { return hash_of(object_text(name, depth)); }

std::string identity_of(const Name &name, size_t depth) {
  std::string text = object_text(name, depth);
  if (!name.member.empty()) {
    text += '.';
    add(text, name.member);
  }
  return text;
}

uint64_t key_of(const Name &name, size_t depth) { return hash_of(identity_of(name, depth)); }

Shown shown(const Name &name) {
  constexpr std::string_view kElements = "_M_elems";
  constexpr std::string_view kEach = "[].";
  constexpr std::string_view kHeld = "_M_storage";
  Shown text{name.type, name.member};
  for (size_t at = text.member.find(kElements); at != std::string::npos;
       at = text.member.find(kElements, at)) {
    size_t length = kElements.size();
    if (at == 0 && std::string_view(text.member).substr(length).starts_with(kEach))
      length += kEach.size(); // as the members of an array of structs are
    if (at != 0 && text.member[at - 1] == '.') {
      --at;
      ++length;
    }
    text.member.erase(at, length);
  }
  for (const std::string_view node : {"_Rb_tree_node<", "_List_node<", "_Hash_node<"}) {
    if (!text.type.starts_with(node) || !text.member.starts_with(kHeld))
      continue;
    size_t end = node.size(); // of the first argument
    for (size_t depth = 0; end < text.type.size(); ++end) {
      const char sign = text.type[end];
      if (depth == 0 && (sign == ',' || sign == '>'))
        break;
      depth += sign == '<' ? 1 : 0;
      depth -= sign == '>' ? 1 : 0;
    }
    text.type = text.type.substr(node.size(), end - node.size());
    text.type.erase(text.type.find_last_not_of(' ') + 1);
    text.member.erase(0, std::min(kHeld.size() + 1, text.member.size())); // with the dot behind it
    break;
  }
  return text;
}

std::string display(const Name &name) {
  const auto [type, member] = shown(name);
  std::string text;
  switch (name.kind) {
  case NameKind::outside: {
    Name front = name;
    front.kind = name.symbol.empty()      ? NameKind::heap
                 : is_behind_global(name) ? NameKind::global
                                          : NameKind::local;
    if (front.kind != NameKind::heap)
      return fmt::format("memory behind {}", display(front));
    return name.chain.empty() ? "memory of no object"
                              : fmt::format("memory behind a {}", display(front));
  }
  case NameKind::freed:
    return "a freed block";
  case NameKind::global:
    text = fmt::format("global '{}'", heap::display_function(name.symbol));
    if (!name.function.empty())
      text += fmt::format(" of {}", heap::short_function(name.function));
    break;
  case NameKind::heap: {
    text = type.empty() ? "block" : fmt::format("block of {}", type);
    const std::string where = place(name);
    if (where.empty() && name.function.empty())
      text += " allocated by unknown code";
    else if (where.empty())
      text += fmt::format(" allocated in {}", heap::short_function(name.function));
    else
      text += fmt::format(" allocated at {} in {}", where, heap::short_function(name.function));
    break;
  }
  case NameKind::local:
    text = fmt::format("local '{}' of {}", name.symbol, heap::short_function(name.function));
    break;
  case NameKind::return_slot:
    if (!name.member.empty())
      return fmt::format("{} beside the return address of {}", name.member,
                         heap::short_function(name.function));
    text = fmt::format("return address of {}", heap::short_function(name.function));
    break;
  }
  if (!member.empty())
    text += fmt::format(", member '{}'", member);
  return text;
}

std::string short_display(const Name &name) {
  const auto [type, member] = shown(name);
  std::string text;
  switch (name.kind) {
  case NameKind::global:
    text = heap::display_function(name.symbol);
    break;
  case NameKind::heap:
    text = fmt::format("{} ({})", type.empty() ? "block" : type,
                       place(name).empty() ? "unknown code" : place(name));
    break;
  case NameKind::local:
    text = fmt::format("{}:{}", heap::short_function(name.function), name.symbol);
    break;
  case NameKind::return_slot:
    return fmt::format("{}{} of {}", name.member, name.member.empty() ? "return address" : "",
                       heap::short_function(name.function));
  case NameKind::freed:
    return "freed block";
  case NameKind::outside:
    if (is_behind_global(name))
      return fmt::format("behind {}", heap::display_function(name.symbol));
    if (!name.symbol.empty())
      return fmt::format("behind {}:{}", heap::short_function(name.function), name.symbol);
    return name.chain.empty()
               ? "no object"
               : fmt::format("behind {} ({})", name.type.empty() ? "block" : name.type,
                             place(name).empty() ? "unknown code" : place(name));
  }
  return member.empty() ? text : fmt::format("{}.{}", text, member);
}

} // namespace culprit::access
