// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Observers of a thermometer: each is called with every value. One of them is made in a function
// that adds it and returns; the list keeps its address.
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

class Observer {
public:
  virtual ~Observer() = default;
  virtual void see(int degrees) = 0;
};

std::vector<Observer *> observers;

class Highest : public Observer {
public:
  void see(int degrees) override {
    if (degrees > highest_)
      highest_ = degrees;
  }
  int highest() const { return highest_; }

private:
  int highest_ = -300;
};

class Alarm : public Observer {
public:
  explicit Alarm(int limit) : limit_(limit) {}
  void see(int degrees) override {
    if (degrees > limit_)
      std::printf("above %d: %d\n", limit_, degrees);
  }

private:
  int limit_;
};

void add_alarm(int limit) {
  Alarm alarm(limit); // culprit: first corruption
  observers.push_back(&alarm);
}

// The mean of the last values.
int smooth(int degrees) {
  static int last[16];
  static unsigned at;
  long sorted[16] = {};
  last[at++ % 16] = degrees;
  for (unsigned i = 0; i < 16; ++i)
    sorted[i] = last[i] * 3L + 7;
  long sum = 0;
  for (long one : sorted)
    sum += one - 7;
  return static_cast<int>(sum / 48);
}

} // namespace

int main(int count, char **words) {
  Highest highest;
  observers.push_back(&highest);
  int mean = 0;
  for (int i = 1; i < count; ++i) {
    const int number = std::atoi(words[i]);
    if (number > 1000) {
      add_alarm(number - 1000);
      continue;
    }
    mean += smooth(number);
    for (Observer *one : observers)
      one->see(number);
  }
  std::printf("%d %d\n", highest.highest(), mean);
  return 0;
}
