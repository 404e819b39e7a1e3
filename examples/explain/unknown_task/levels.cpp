// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Levels of tasks that need each other, read from standard input. A name that nobody has defined is
// no task.
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

struct Task {
  std::string name;
  std::vector<std::string> needs;
  int level = -1;
};

class Plan {
public:
  void read(std::istream &in) {
    std::string line;
    while (std::getline(in, line)) {
      std::istringstream words(line);
      auto task = std::make_unique<Task>();
      words >> task->name;
      for (std::string each; words >> each;)
        task->needs.push_back(each);
      tasks_[task->name] = std::move(task);
    }
  }
  int level(const std::string &name) {
    Task *task = find(name); // culprit: cause task
    if (task->level >= 0)    // culprit: failure
      return task->level;
    int highest = 0;
    for (const std::string &each : task->needs)
      highest = std::max(highest, level(each) + 1);
    return task->level = highest;
  }
  void print() {
    for (auto &[name, task] : tasks_)
      std::cout << name << " " << level(name) << "\n";
  }

private:
  Task *find(const std::string &name) {
    auto found = tasks_.find(name);
    return found == tasks_.end() ? nullptr : found->second.get();
  }
  std::map<std::string, std::unique_ptr<Task>> tasks_;
};

int main() {
  Plan plan;
  plan.read(std::cin);
  plan.print();
}
