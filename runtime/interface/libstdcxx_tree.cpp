// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The red-black trees of std::map and std::set: their headers call these functions of libstdc++,
// which link nodes where no pass sees it. Ours do the same on the same layout, and mark the cards.
// All functions of libstdc++'s file are here, so that a static link never takes that one beside
// ours.
//
// Layout, fixed by libstdc++'s ABI: a node is {colour, parent, left, right}; the header is a red
// node whose parent is the root, left the leftmost and right the rightmost node; the root's parent
// is the header. The algorithms are the textbook's, with the header in place of a sentinel and null
// for black leaves.
#include "runtime/interface/marked_store.h"

using namespace culprit;

// NOLINTBEGIN(cert-dcl58-cpp,readability-identifier-naming): libstdc++'s names
namespace std {

enum _Rb_tree_color : unsigned { red = 0, black = 1 };

struct _Rb_tree_node_base {
  _Rb_tree_color color;
  _Rb_tree_node_base *parent;
  _Rb_tree_node_base *left;
  _Rb_tree_node_base *right;
};

} // namespace std

namespace {

using Node = std::_Rb_tree_node_base;
using monitor::put;
using std::black;
using std::red;

bool is_red(const Node *node) { return node && node->color == red; }

Node *leftmost(Node *node) {
  while (node->left)
    node = node->left;
  return node;
}

Node *rightmost(Node *node) {
  while (node->right)
    node = node->right;
  return node;
}

// `now` takes the place of `old` below old's parent.
void replace_child(Node *old, Node *now, Node &header) {
  if (header.parent == old)
    put(header.parent, now);
  else if (old->parent->left == old)
    put(old->parent->left, now);
  else
    put(old->parent->right, now);
}

void rotate_left(Node *node, Node &header) {
  Node *up = node->right;
  put(node->right, up->left);
  if (up->left)
    put(up->left->parent, node);
  put(up->parent, node->parent);
  replace_child(node, up, header);
  put(up->left, node);
  put(node->parent, up);
}

void rotate_right(Node *node, Node &header) {
  Node *up = node->left;
  put(node->left, up->right);
  if (up->right)
    put(up->right->parent, node);
  put(up->parent, node->parent);
  replace_child(node, up, header);
  put(up->right, node);
  put(node->parent, up);
}

// `node` is red; so may be its parent. Restores: no red node has a red child.
void balance_after_insert(Node *node, Node &header) {
  while (node != header.parent && node->parent->color == red) {
    Node *parent = node->parent;
    Node *grand = parent->parent;
    bool on_left = parent == grand->left;
    Node *uncle = on_left ? grand->right : grand->left;
    if (is_red(uncle)) {
      parent->color = black;
      uncle->color = black;
      grand->color = red;
      node = grand;
      continue;
    }
    if (node == (on_left ? parent->right : parent->left)) {
      node = parent;
      on_left ? rotate_left(node, header) : rotate_right(node, header);
      parent = node->parent;
    }
    parent->color = black;
    grand->color = red;
    on_left ? rotate_right(grand, header) : rotate_left(grand, header);
  }
  header.parent->color = black;
}

// One black node too few on every way through `node` (null allowed), whose parent is `parent`.
void balance_after_erase(Node *node, Node *parent, Node &header) {
  while (node != header.parent && !is_red(node)) {
    bool on_left = node == parent->left;
    Node *sibling = on_left ? parent->right : parent->left; // not null: it has a black height
    if (sibling->color == red) {
      sibling->color = black;
      parent->color = red;
      on_left ? rotate_left(parent, header) : rotate_right(parent, header);
      sibling = on_left ? parent->right : parent->left;
    }
    if (!is_red(sibling->left) && !is_red(sibling->right)) {
      sibling->color = red;
      node = parent;
      parent = node->parent;
      continue;
    }
    if (!is_red(on_left ? sibling->right : sibling->left)) {
      (on_left ? sibling->left : sibling->right)->color = black;
      sibling->color = red;
      on_left ? rotate_right(sibling, header) : rotate_left(sibling, header);
      sibling = on_left ? parent->right : parent->left;
    }
    sibling->color = parent->color;
    parent->color = black;
    (on_left ? sibling->right : sibling->left)->color = black;
    on_left ? rotate_left(parent, header) : rotate_right(parent, header);
    break;
  }
  if (node)
    node->color = black;
}

Node *next(Node *node) {
  if (node->right)
    return leftmost(node->right);
  Node *parent = node->parent;
  while (node == parent->right) {
    node = parent;
    parent = parent->parent;
  }
  // From the header of a tree with one node, the walk ends at the header itself.
  return node->right == parent ? node : parent;
}

Node *previous(Node *node) {
  if (node->color == red && node->parent->parent == node)
    return node->right; // the header: its right is the last node
  if (node->left)
    return rightmost(node->left);
  Node *parent = node->parent;
  while (node == parent->left) {
    node = parent;
    parent = parent->parent;
  }
  return parent;
}

} // namespace

#define CULPRIT_PUBLIC __attribute__((visibility("default")))

namespace std {

CULPRIT_PUBLIC void _Rb_tree_insert_and_rebalance(bool insert_left, _Rb_tree_node_base *node,
                                                  _Rb_tree_node_base *parent,
                                                  _Rb_tree_node_base &header) noexcept {
  put(node->parent, parent);
  put<Node>(node->left, nullptr);
  put<Node>(node->right, nullptr);
  node->color = red;
  if (insert_left) {
    put(parent->left, node); // of the header too: then it is the leftmost
    if (parent == &header) {
      put(header.parent, node);
      put(header.right, node);
    } else if (parent == header.left) {
      put(header.left, node);
    }
  } else {
    put(parent->right, node);
    if (parent == header.right)
      put(header.right, node);
  }
  balance_after_insert(node, header);
}

CULPRIT_PUBLIC _Rb_tree_node_base *
_Rb_tree_rebalance_for_erase(_Rb_tree_node_base *const node, _Rb_tree_node_base &header) noexcept {
  // The ends first, while the tree is whole.
  if (header.left == node)
    put(header.left, node->right ? leftmost(node->right) : node->parent);
  if (header.right == node)
    put(header.right, node->left ? rightmost(node->left) : node->parent);
  _Rb_tree_color removed = node->color;
  Node *child;
  Node *parent; // of child, which may be null
  if (!node->left || !node->right) {
    child = node->left ? node->left : node->right;
    parent = node->parent;
    if (child)
      put(child->parent, parent);
    replace_child(node, child, header);
  } else {
    // The next node, which has no left child, takes the place and the colour.
    Node *heir = leftmost(node->right);
    removed = heir->color;
    child = heir->right;
    if (heir->parent == node) {
      parent = heir;
    } else {
      parent = heir->parent;
      if (child)
        put(child->parent, parent);
      put(parent->left, child);
      put(heir->right, node->right);
      put(heir->right->parent, heir);
    }
    replace_child(node, heir, header);
    put(heir->parent, node->parent);
    put(heir->left, node->left);
    put(heir->left->parent, heir);
    heir->color = node->color;
    node->color = removed;
  }
  if (removed == black && header.parent)
    balance_after_erase(child, parent, header);
  return node;
}

CULPRIT_PUBLIC _Rb_tree_node_base *_Rb_tree_increment(_Rb_tree_node_base *node) noexcept {
  return next(node);
}
CULPRIT_PUBLIC const _Rb_tree_node_base *
_Rb_tree_increment(const _Rb_tree_node_base *node) noexcept {
  return next(const_cast<_Rb_tree_node_base *>(node));
}
CULPRIT_PUBLIC _Rb_tree_node_base *_Rb_tree_decrement(_Rb_tree_node_base *node) noexcept {
  return previous(node);
}
CULPRIT_PUBLIC const _Rb_tree_node_base *
_Rb_tree_decrement(const _Rb_tree_node_base *node) noexcept {
  return previous(const_cast<_Rb_tree_node_base *>(node));
}

CULPRIT_PUBLIC unsigned _Rb_tree_black_count(const _Rb_tree_node_base *node,
                                             const _Rb_tree_node_base *root) noexcept {
  unsigned count = 0;
  for (; node; node = node == root ? nullptr : node->parent)
    count += node->color == black;
  return count;
}

// Of the oldest ABI; nothing but old code calls them.
CULPRIT_PUBLIC void _Rb_tree_rotate_left(_Rb_tree_node_base *const node,
                                         _Rb_tree_node_base *&root) {
  _Rb_tree_node_base header{red, root, nullptr, nullptr};
  rotate_left(node, header);
  put(root, header.parent);
}
CULPRIT_PUBLIC void _Rb_tree_rotate_right(_Rb_tree_node_base *const node,
                                          _Rb_tree_node_base *&root) {
  _Rb_tree_node_base header{red, root, nullptr, nullptr};
  rotate_right(node, header);
  put(root, header.parent);
}

} // namespace std
// NOLINTEND(cert-dcl58-cpp,readability-identifier-naming)
