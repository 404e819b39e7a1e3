// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables and crashes written by hand, for tests.
#pragma once

#include "abi/run_file.h"
#include "engine/locate/tables.h"

#include <initializer_list>
#include <string>
#include <utility>

namespace culprit::locate {

inline uint64_t id_at(uint64_t time, uint32_t definition) {
  return time << CULPRIT_ID_TIME_SHIFT | definition;
}

struct TableBuilder {
  Tables tables;

  TableBuilder() { tables.strings.emplace_back(); }

  uint32_t text(const std::string &text) {
    tables.strings.push_back(text);
    return static_cast<uint32_t>(tables.strings.size() - 1);
  }
  // A definition on this line of "/src/p.c"; its number.
  uint32_t definition(DefinitionKind kind, uint32_t line, const std::string &variable = "",
                      const std::string &callee = "",
                      std::initializer_list<const char *> leaves = {}) {
    const auto first = static_cast<uint32_t>(tables.leaf_names.size());
    for (const char *leaf : leaves)
      tables.leaf_names.push_back(text(leaf));
    tables.definitions.push_back({kind, text("/src/p.c"), line, 3, text("f"), text(variable),
                                  text(callee), first, static_cast<uint32_t>(leaves.size())});
    return static_cast<uint32_t>(tables.definitions.size());
  }
  // A store of so many bytes.
  uint32_t store(uint32_t line, const std::string &variable, uint32_t size,
                 const std::string &object = "", bool update = false) {
    const uint32_t number = definition(DefinitionKind::store, line, variable);
    tables.definitions.back().size = size;
    tables.definitions.back().object = text(object);
    tables.definitions.back().update = update;
    return number;
  }
  uint32_t place(PlaceKind kind, uint32_t line,
                 std::initializer_list<std::pair<const char *, Role>> leaves,
                 const std::string &callee = "") {
    const auto first = static_cast<uint32_t>(tables.place_leaves.size());
    for (const auto &[name, role] : leaves)
      tables.place_leaves.push_back({text(name), role});
    tables.places.push_back({kind, text("/src/p.c"), line, 5, text("g"), text(callee), 8, first,
                             static_cast<uint32_t>(leaves.size())});
    return static_cast<uint32_t>(tables.places.size());
  }
};

inline culprit_record_crash crash_at(uint32_t kind, int signal, uint32_t place,
                                     std::initializer_list<uint64_t> leaves = {}) {
  culprit_record_crash crash{};
  crash.kind = kind;
  crash.signal = signal;
  crash.place = place;
  crash.address = 0x123456789;
  size_t i = 0;
  for (const uint64_t leaf : leaves)
    crash.leaves[i++] = leaf;
  return crash;
}

} // namespace culprit::locate
