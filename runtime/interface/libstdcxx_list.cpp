// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The links of std::list: as libstdcxx_tree.cpp. A list is a ring through its header; a node is
// {next, previous}. `this` may be the header of an empty list, which is linked with itself.
#include "runtime/interface/marked_store.h"

using culprit::monitor::put;

#define CULPRIT_PUBLIC __attribute__((visibility("default")))

// NOLINTBEGIN(cert-dcl58-cpp,readability-identifier-naming): libstdc++'s names
namespace std::__detail {

struct CULPRIT_PUBLIC _List_node_base {
  _List_node_base *next;
  _List_node_base *previous;

  static void swap(_List_node_base &one, _List_node_base &other) noexcept;
  void _M_transfer(_List_node_base *first, _List_node_base *last) noexcept;
  void _M_reverse() noexcept;
  void _M_hook(_List_node_base *position) noexcept;
  void _M_unhook() noexcept;
};

namespace {

// The nodes of `from`'s ring become those of `to`'s.
void adopt(_List_node_base &to, _List_node_base *next, _List_node_base *previous,
           const _List_node_base &from) {
  if (next == &from) {
    put(to.next, &to);
    put(to.previous, &to);
    return;
  }
  put(to.next, next);
  put(to.previous, previous);
  put(next->previous, &to);
  put(previous->next, &to);
}

} // namespace

void _List_node_base::swap(_List_node_base &one, _List_node_base &other) noexcept {
  _List_node_base *next = one.next;
  _List_node_base *previous = one.previous;
  if (&one == &other)
    return;
  adopt(one, other.next, other.previous, other);
  adopt(other, next, previous, one);
}

// Moves [first, last) before this node.
void _List_node_base::_M_transfer(_List_node_base *first, _List_node_base *last) noexcept {
  if (this == last)
    return;
  _List_node_base *final = last->previous;
  _List_node_base *before = first->previous;
  put(before->next, last);
  put(last->previous, before);
  _List_node_base *end = this->previous;
  put(end->next, first);
  put(first->previous, end);
  put(final->next, this);
  put(this->previous, final);
}

void _List_node_base::_M_reverse() noexcept {
  _List_node_base *node = this;
  do {
    _List_node_base *next = node->next;
    put(node->next, node->previous);
    put(node->previous, next);
    node = next;
  } while (node != this);
}

void _List_node_base::_M_hook(_List_node_base *position) noexcept {
  put(this->next, position);
  put(this->previous, position->previous);
  put(position->previous->next, this);
  put(position->previous, this);
}

void _List_node_base::_M_unhook() noexcept {
  put(this->previous->next, this->next);
  put(this->next->previous, this->previous);
}

} // namespace std::__detail
// NOLINTEND(cert-dcl58-cpp,readability-identifier-naming)
