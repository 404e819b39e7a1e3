// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libstdc++'s containers on our tree and list functions, which this binary links in their place.
#include <gtest/gtest.h>

#include <list>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

// The node and the header as the headers declare them.
using Node = std::_Rb_tree_node_base;

// Black height of the subtree; -1: not a red-black tree.
int black_height(const Node *node, const Node *parent) {
  if (!node)
    return 0;
  if (node->_M_parent != parent)
    return -1;
  if (node->_M_color == std::_S_red &&
      ((node->_M_left && node->_M_left->_M_color == std::_S_red) ||
       (node->_M_right && node->_M_right->_M_color == std::_S_red)))
    return -1;
  int left = black_height(node->_M_left, node);
  int right = black_height(node->_M_right, node);
  if (left < 0 || left != right)
    return -1;
  return left + (node->_M_color == std::_S_black);
}

bool is_valid(const std::set<int> &set) {
  const Node *header = set.end()._M_node;
  const Node *root = header->_M_parent;
  if (!root)
    return set.empty() && header->_M_left == header && header->_M_right == header;
  const Node *first = root;
  const Node *last = root;
  while (first->_M_left)
    first = first->_M_left;
  while (last->_M_right)
    last = last->_M_right;
  return root->_M_color == std::_S_black && header->_M_color == std::_S_red &&
         header->_M_left == first && header->_M_right == last && black_height(root, header) >= 0;
}

TEST(Tree, StaysRedBlackAndInOrderThroughInsertsAndErases) {
  for (int range : {5, 40, 3000}) {
    std::mt19937 random(static_cast<unsigned>(range));
    std::set<int> set;
    std::vector<bool> model(static_cast<size_t>(range));
    for (int step = 0; step < 6000; ++step) {
      int value = static_cast<int>(random() % static_cast<unsigned>(range));
      if (random() % 2) {
        ASSERT_EQ(set.insert(value).second, !model[static_cast<size_t>(value)]);
        model[static_cast<size_t>(value)] = true;
      } else {
        ASSERT_EQ(set.erase(value), model[static_cast<size_t>(value)] ? 1u : 0u);
        model[static_cast<size_t>(value)] = false;
      }
      ASSERT_TRUE(is_valid(set)) << range << " " << step;
      if (step % 50)
        continue;
      std::vector<int> expected;
      for (int i = 0; i < range; ++i)
        if (model[static_cast<size_t>(i)])
          expected.push_back(i);
      ASSERT_EQ(std::vector<int>(set.begin(), set.end()), expected);
      std::vector<int> back(set.rbegin(), set.rend());
      ASSERT_TRUE(std::equal(expected.rbegin(), expected.rend(), back.begin(), back.end()));
    }
  }
}

bool is_ring(const std::list<int> &list) {
  auto *header = list.end()._M_node;
  auto *node = header;
  for (size_t i = 0; i <= list.size(); ++i) {
    if (node->_M_next->_M_prev != node)
      return false;
    node = node->_M_next;
  }
  return node == header;
}

TEST(List, LinksSplicesReversesAndSwapsAsAList) {
  std::list<int> a;
  std::list<int> b;
  for (int i = 0; i < 10; ++i)
    i % 2 ? a.push_back(i) : a.push_front(i);
  EXPECT_EQ(a, (std::list<int>{8, 6, 4, 2, 0, 1, 3, 5, 7, 9}));
  a.reverse();
  EXPECT_EQ(a, (std::list<int>{9, 7, 5, 3, 1, 0, 2, 4, 6, 8}));
  b.splice(b.begin(), a, std::next(a.begin(), 2), std::next(a.begin(), 5));
  EXPECT_EQ(b, (std::list<int>{5, 3, 1}));
  EXPECT_EQ(a, (std::list<int>{9, 7, 0, 2, 4, 6, 8}));
  swap(a, b);
  EXPECT_EQ(a, (std::list<int>{5, 3, 1}));
  EXPECT_TRUE(is_ring(a) && is_ring(b));
  std::list<int> none;
  swap(none, a);
  EXPECT_TRUE(a.empty() && is_ring(a) && is_ring(none));
  swap(a, a);
  std::list<int> other;
  swap(a, other);
  EXPECT_TRUE(is_ring(a) && is_ring(other));
  b.sort();
  EXPECT_EQ(b, (std::list<int>{0, 2, 4, 6, 7, 8, 9}));
  b.remove_if([](int value) { return value % 2 == 0; });
  EXPECT_EQ(b, (std::list<int>{7, 9}));
  b.splice(b.begin(), b, std::next(b.begin()));
  EXPECT_EQ(b, (std::list<int>{9, 7}));
  EXPECT_TRUE(is_ring(b));
}

TEST(String, GrowsThroughOurBuffers) {
  std::string text;
  for (int i = 0; i < 100'000; ++i)
    text += static_cast<char>('a' + i % 26);
  EXPECT_EQ(text.size(), 100'000u);
  EXPECT_EQ(text.substr(26, 3), "abc");
  EXPECT_THROW(text.reserve(text.max_size() + 1), std::length_error);
}

} // namespace
