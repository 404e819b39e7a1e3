// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See pairing.h.
#include "engine/locate/pairing.h"

#include <algorithm>
#include <map>

namespace culprit::locate {
namespace {

class Order {
public:
  bool add(const Pair &pair) {
    if (behind_.contains(pair.buffer) || before_.contains(pair.address))
      return false;
    // Does the chain that the address variable begins end in this buffer?
    size_t last = pair.address;
    for (auto next = behind_.find(last); next != behind_.end(); next = behind_.find(last))
      last = next->second;
    if (last == pair.buffer)
      return false;
    behind_[pair.buffer] = pair.address;
    before_[pair.address] = pair.buffer;
    pairs_.push_back(pair);
    return true;
  }
  bool empty() const { return pairs_.empty(); }
  Pairs take() { return std::move(pairs_); }

private:
  std::map<size_t, size_t> behind_;
  std::map<size_t, size_t> before_;
  Pairs pairs_;
};

} // namespace

std::vector<Pairs> pair_up(const std::vector<size_t> &buffers, const std::vector<size_t> &addresses,
                           size_t most) {
  std::vector<Pairs> orders;
  if (buffers.empty() || addresses.empty())
    return orders;
  const size_t rounds = std::max(buffers.size(), addresses.size());
  Pairs left;
  for (size_t round = 0; round < rounds && orders.size() < most; ++round) {
    Order order;
    for (size_t i = 0; i < buffers.size(); ++i) {
      const size_t partner = (i + round) % rounds;
      if (partner >= addresses.size() || addresses[partner] == buffers[i])
        continue;
      if (const Pair pair{buffers[i], addresses[partner]}; !order.add(pair))
        left.push_back(pair);
    }
    std::erase_if(left, [&](const Pair &pair) { return order.add(pair); });
    if (!order.empty())
      orders.push_back(order.take());
  }
  while (!left.empty() && orders.size() < most) {
    Order order;
    std::erase_if(left, [&](const Pair &pair) { return order.add(pair); });
    orders.push_back(order.take());
  }
  return orders;
}

} // namespace culprit::locate
