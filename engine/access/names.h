// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of objects, as they are the same in every run: what the paper calls an object's name, with
// the member where the type is known.
//
// A key is a hash of what identifies the name, its identity: a global's symbol (with its file if
// only that sees it, with its function if it is static there), a block's chain of call sites, a
// local's function and variable, a return slot's function; memory of no object by the block or
// local in front of it; all blocks that were freed are one; and the path of the member. Keys never
// come from addresses or from the numbers of one run. A block is named by up to four call sites;
// how many of them count is decided when keys are made (access.call_chain), not when runs are
// stored. Two names may have one key, if never by chance in practice: whoever judges compares
// identities, so that no outlier is taken for a normal access.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::access {

enum class NameKind : uint8_t { global, heap, local, return_slot, outside, freed };
constexpr int kNameKinds = 6;
std::string_view
kind_word(NameKind kind); // "global", "heap", "local", "return address", "outside"…

// Memory that is no object's, or no part of one that the program writes: that nobody ever wrote
// there says something, since it was there in every run.
bool is_nobodys(NameKind kind);

constexpr size_t kMaxChain = 4; // call sites of a block's name

// The member of a return slot: what the function keeps of its caller's in front of it.
constexpr std::string_view kSavedRegisters = "saved registers";

struct Name {
  NameKind kind = NameKind::global;
  std::string symbol; // of globals and locals: the variable; of memory behind a local: the local
  std::string
      function;     // linkage name: of locals and return slots; of blocks: of the allocation site
  std::string file; // where the variable is declared; of blocks: the allocation site
  unsigned line = 0;
  std::string type;            // of the variable or block, if known
  std::string member;          // path in the type; empty: the whole object is one name
  std::vector<uint64_t> chain; // of blocks: static ids of the call sites, newest first; 0: unknown
  bool internal = false;       // a global that only its file sees
  auto operator<=>(const Name &) const = default;
};

// `depth`: how many call sites of a block count, 1 to 4.
std::string identity_of(const Name &name, size_t depth = kMaxChain);
uint64_t key_of(const Name &name, size_t depth = kMaxChain);
// The same without the member: the object.
uint64_t object_key(const Name &name, size_t depth = kMaxChain);
extern uint64_t g_key_mask; // all ones; less to make keys collide in tests

// Type and member as the source would have them: of what a node of a C++ container holds, not of
// the node; and without the array that is inside std::array.
struct Shown {
  std::string type;
  std::string member;
};
Shown shown(const Name &name);

// "global 'table', member 'head.next'", "block of struct node allocated at list.c:52 in insert",
// "local 'buf' of main", "return address of main", "memory behind a block of …",
// "memory behind local 'buf' of main", "a freed block".
std::string display(const Name &name);
// "table.head.next", "struct node (list.c:52).next", "main:buf", "return address of main"
std::string short_display(const Name &name);

} // namespace culprit::access
