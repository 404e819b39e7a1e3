// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jobs of equal priority are to be taken in the order in which they came.
#include <cstdio>
#include <queue>
#include <string>
#include <vector>

namespace {

struct Job {
  std::string name;
  int priority;
  int ticket;
};

struct Later {
  bool operator()(const Job &a, const Job &b) const {
    if (a.priority != b.priority)
      return a.priority < b.priority;
    return a.ticket > b.ticket;
  }
};

class Scheduler {
public:
  void submit(const std::string &name, int priority) {
    const int ticket = tickets_++;
    if (priority < 0)
      return;
    jobs_.push({name, priority, ticket});
  }

  std::string next() {
    std::string name = jobs_.top().name;
    jobs_.pop();
    return name;
  }

  bool empty() const { return jobs_.empty(); }

private:
  std::priority_queue<Job, std::vector<Job>, Later> jobs_;
  int tickets_ = 0;
};

} // namespace

int main() {
  Scheduler scheduler;
  scheduler.submit("wash", 2);
  scheduler.submit("dry", 2);
  scheduler.submit("skip", -1);
  scheduler.submit("fold", 1);
  scheduler.submit("iron", 2);
  std::string order;
  while (!scheduler.empty())
    order += scheduler.next() + " ";
  std::printf("%s\n", order.c_str());
  return 0;
}
