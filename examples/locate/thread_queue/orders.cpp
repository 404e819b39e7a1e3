// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders go from the counter to the kitchen through a queue. The counter keeps the last one, in
// case the guest wants more of it; the kitchen throws an order away when it is done.
#include <condition_variable>
#include <deque>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>

struct Order {
  int *portions;
  std::string dish;
};

class Queue {
public:
  void put(Order *order) {
    const std::lock_guard lock(mutex_);
    orders_.push_back(order);
    changed_.notify_all();
  }
  Order *take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !orders_.empty(); });
    Order *order = orders_.front();
    orders_.pop_front();
    return order;
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Order *> orders_;
};

static Queue to_kitchen;
static Queue to_counter;
static int portions[100];

static void cook() {
  while (Order *order = to_kitchen.take()) {
    Order *ready = new Order{order->portions, order->dish + " is ready"};
    delete order; // culprit: first corruption
    to_counter.put(ready);
  }
}

int main() {
  std::thread kitchen(cook);
  Order *last = nullptr;
  int orders = 0;
  std::string word;
  while (std::cin >> word) {
    if (word == "more") {
      ++*last->portions; // culprit: the error
      continue;
    }
    last = new Order{&portions[orders++ % 100], word};
    ++*last->portions;
    to_kitchen.put(last);
    Order *ready = to_counter.take();
    std::cout << ready->dish << '\n';
    delete ready;
  }
  to_kitchen.put(nullptr);
  kitchen.join();
  for (int i = 0; i < orders; ++i)
    std::cout << portions[i] << (i + 1 < orders ? " " : " portions\n");
}
