// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every order of two adds one of its halves, in the loop that goes over them.
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

namespace {

struct Order {
  std::string what;
  int number;
};

} // namespace

int main() {
  std::vector<Order> orders;
  std::string what;
  int number = 0;
  while (std::cin >> what >> number)
    orders.push_back({what, number});
  for (Order &order : orders)
    if (order.number > 1) {
      orders.push_back({"half of " + order.what, order.number / 2}); // culprit: first corruption
      order.number -= order.number / 2;
    }
  std::size_t letters = 0;
  for (const Order &order : orders)
    letters += order.what.size();
  std::printf("%zu orders, %zu letters\n", orders.size(), letters);
  return 0;
}
