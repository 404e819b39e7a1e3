// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/explain/index_tree.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace culprit::explain {
namespace {

using Path = std::vector<uint64_t>;

uint32_t plant(const Path &path) {
  uint32_t node = kTreeRoot;
  for (const uint64_t label : path)
    node = tree_child(node, label);
  use_node(node);
  return node;
}

Path spelled(uint32_t node) {
  Path path(tree_node(node).depth);
  for (size_t i = path.size(); i-- > 0; node = tree_node(node).parent)
    path[i] = tree_node(node).label;
  return path;
}

// What the tree must have: every beginning of every live path, once.
size_t beginnings(const std::map<Path, uint32_t> &live) {
  std::set<Path> all;
  for (const auto &[path, node] : live)
    for (size_t length = 0; length <= path.size(); ++length)
      all.insert(Path(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(length)));
  return std::max<size_t>(all.size(), 1); // the root is always there
}

TEST(IndexTree, HasTheBeginningsOfLivePathsAndNothingElse) {
  ASSERT_TRUE(create_tree());
  std::mt19937 random(3); // NOLINT(cert-msc32-c,cert-msc51-cpp): the same in every run
  std::map<Path, uint32_t> live;
  std::map<NodeName, Path> remembered; // of all nodes that were ever planted
  size_t most = 0;
  for (int step = 0; step < 4000; ++step) {
    const bool is_growing = step / 500 % 2 == 0; // and shrinking, so that numbers are used again
    if (live.empty() || random() % 10 < (is_growing ? 8U : 2U)) {
      Path path;
      for (size_t length = 1 + random() % 6; length > 0; --length)
        path.push_back(random() % 4);
      if (live.contains(path))
        continue;
      live[path] = plant(path);
      remembered[name_of(live[path])] = path;
    } else {
      auto chosen = std::next(live.begin(), static_cast<std::ptrdiff_t>(random() % live.size()));
      release_node(chosen->second);
      live.erase(chosen);
    }
    const size_t expected = beginnings(live);
    most = std::max(most, expected);
    ASSERT_EQ(tree_counts().nodes, expected) << step;
    for (const auto &[path, node] : live)
      ASSERT_EQ(spelled(node), path);
  }
  EXPECT_EQ(tree_counts().most_nodes, most);
  EXPECT_EQ(tree_counts().deepest, 6U);
  // Who remembers a node is never given another one for it.
  for (const auto &[name, path] : remembered)
    if (const uint32_t node = node_of(name))
      EXPECT_EQ(spelled(node), path);
  for (const auto &[path, node] : live)
    release_node(node);
  EXPECT_EQ(tree_counts().nodes, 1U);
}

TEST(IndexTree, ANodeOfManyChildrenKeepsThemApart) {
  ASSERT_TRUE(create_tree());
  const uint32_t loop = tree_child(kTreeRoot, 7);
  std::vector<uint32_t> nodes;
  for (uint64_t i = 0; i < 20'000; ++i) { // more than there are buckets at first
    nodes.push_back(tree_child(loop, i));
    use_node(nodes.back());
  }
  for (uint64_t i = 0; i < nodes.size(); ++i) {
    ASSERT_EQ(tree_child(loop, i), nodes[i]);
    ASSERT_EQ(tree_node(nodes[i]).label, i);
  }
  EXPECT_EQ(tree_counts().nodes, 20'002U);
}

} // namespace
} // namespace culprit::explain
