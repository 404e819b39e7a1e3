// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: memory as the paper's figures have it, which are reconstructed from its prose.
#pragma once

#include "engine/explain/simulated.h"
#include "engine/explain/snapshot.h"

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace culprit::explain {

// A list of nodes {int val; node *next}: node i has index 10 + i.
struct Node {
  uint64_t index;
  int val;
  uint64_t next; // index; 0: none
};

inline Snapshot memory(const std::vector<std::pair<uint64_t, uint64_t>> &variables,
                       const std::vector<Node> &nodes, uint64_t base) {
  std::unordered_map<uint64_t, uint64_t> address = {{0, 0}};
  for (const Node &node : nodes)
    address[node.index] = base += 32;
  Snapshot snapshot;
  for (const auto &[name, to] : variables) {
    Region region = explain::region(name, 0x1000 + name * 8, 8, CULPRIT_REGION_GLOBAL);
    put_word(region, 0, address.at(to));
    snapshot.add(region);
  }
  for (const Node &node : nodes) {
    Region region = explain::region(node.index, address.at(node.index), 16);
    put(region, 0, &node.val, sizeof node.val);
    put_word(region, 8, address.at(node.next));
    snapshot.add(region);
  }
  return snapshot;
}

inline constexpr uint64_t kP = 1;
inline constexpr uint64_t kT = 2;

inline int value_of(const Snapshot &snapshot, uint64_t index) {
  int value = 0;
  std::memcpy(&value, snapshot.find(index)->bytes->data(), sizeof value);
  return value;
}

// What a program reads that follows the pointer in this variable.
inline int value_behind(const Snapshot &snapshot, uint64_t variable) {
  return value_of(snapshot, snapshot.place_of(Snapshot::word(*snapshot.find(variable), 0))->region);
}

struct Figure {
  Snapshot passing;
  Snapshot failing;
};

// Figure 1 (a): both lists are the same, only p has moved on.
inline Figure figure_1a() {
  const std::vector<Node> list = {{10, 1, 11}, {11, 2, 12}, {12, 3, 0}};
  return {memory({{kP, 10}}, list, 0x20000), memory({{kP, 11}}, list, 0x80000)};
}

// Figure 1 (b): p is the same, the value in its node is not.
inline Figure figure_1b() {
  return {memory({{kP, 10}}, {{10, 1, 11}, {11, 2, 0}}, 0x20000),
          memory({{kP, 10}}, {{10, 5, 11}, {11, 2, 0}}, 0x80000)};
}

// Figure 2: p points to the first node in one run and to the second in the other, t to the first.
inline Figure figure_2() {
  const std::vector<Node> list = {{10, 1, 11}, {11, 2, 12}, {12, 3, 13}, {13, 4, 0}};
  return {memory({{kP, 10}, {kT, 10}}, list, 0x20000), memory({{kP, 11}, {kT, 10}}, list, 0x80000)};
}

// Figure 3: p and t are aliases in one run; in the other t points to a node that only this run has,
// and the node of p has another value. The failure is the sum of both.
inline Figure figure_3() {
  return {memory({{kP, 10}, {kT, 10}}, {{10, 0, 0}}, 0x20000),
          memory({{kP, 10}, {kT, 11}}, {{10, 2, 0}, {11, 1, 0}}, 0x80000)};
}

// Figure 4: the same below a root (10); by index the roots and p's nodes (11) correspond, and the
// one t points to (12) is the failing run's own.
inline constexpr uint64_t kRoot = 3;
inline Figure figure_4() {
  return {
      memory({{kP, 11}, {kT, 11}, {kRoot, 10}}, {{10, 7, 11}, {11, 0, 0}}, 0x20000),
      memory({{kP, 11}, {kT, 12}, {kRoot, 10}}, {{10, 7, 11}, {11, 2, 0}, {12, 1, 0}}, 0x80000)};
}

// Figure 5: every node's value is one more.
inline Figure figure_5() {
  const auto list = [](int from) {
    return std::vector<Node>{
        {10, from, 11}, {11, from + 1, 12}, {12, from + 2, 13}, {13, from + 3, 0}};
  };
  return {memory({{kP, 10}}, list(1), 0x20000), memory({{kP, 10}}, list(2), 0x80000)};
}

} // namespace culprit::explain
