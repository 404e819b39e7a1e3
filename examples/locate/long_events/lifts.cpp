// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lifts of a house: calls are events in a queue ordered by time, a binary heap that moves events by
// value. "lifts N", "alarm TIME", "run ROUNDS". An event made for an alarm has no lift, and nobody
// says so in it; when it is due, it is given to its lift like all others.
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct Lift {
  int floor = 0;
  unsigned long travelled = 0;
};

struct Event {
  unsigned long time;
  int floor;
  Lift *lift;
};

class Queue {
public:
  ~Queue() { std::free(events_); }
  Queue() = default;
  Queue(const Queue &) = delete;
  Queue &operator=(const Queue &) = delete;
  bool empty() const { return used_ == 0; }
  void push(const Event &event) {
    if (used_ == room_) {
      room_ = room_ ? 2 * room_ : 16;
      events_ = static_cast<Event *>(std::realloc(events_, room_ * sizeof *events_));
    }
    unsigned at = used_++;
    while (at > 0 && event.time < events_[(at - 1) / 2].time) {
      events_[at] = events_[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    events_[at] = event;
  }
  Event pop() {
    const Event first = events_[0];
    const Event last = events_[--used_];
    unsigned at = 0;
    for (unsigned below = 1; below < used_; below = 2 * at + 1) {
      if (below + 1 < used_ && events_[below + 1].time < events_[below].time)
        ++below;
      if (last.time <= events_[below].time)
        break;
      events_[at] = events_[below];
      at = below;
    }
    events_[at] = last;
    return first;
  }

private:
  Event *events_ = nullptr;
  unsigned used_ = 0, room_ = 0;
};

class House {
public:
  ~House() { delete[] lifts_; }
  void lifts(unsigned count) {
    delete[] lifts_;
    lifts_ = new Lift[count];
    count_ = count;
    for (unsigned i = 0; i < count; ++i)
      call(next() % 50, &lifts_[i], static_cast<int>(next() % 20));
  }
  void alarm(unsigned long time) {
    auto *event = static_cast<Event *>(std::malloc(sizeof(Event))); // culprit: first corruption
    event->time = time;
    event->floor = 0;
    queue_.push(*event); // culprit: also right
    std::free(event);
  }
  void run(unsigned long rounds) {
    for (unsigned long i = 0; i < rounds && !queue_.empty(); ++i) {
      const Event event = queue_.pop();
      Lift *lift = event.lift;
      lift->travelled += static_cast<unsigned long>(std::abs(lift->floor - event.floor));
      lift->floor = event.floor;
      call(event.time + 1 + next() % 40, lift, static_cast<int>(next() % 20));
    }
  }
  void report() const {
    for (unsigned i = 0; i < count_; ++i)
      std::printf("lift %u at %d, %lu floors\n", i, lifts_[i].floor, lifts_[i].travelled);
  }
  // Calls of yesterday, which are not made any more.
  void forget(unsigned calls) {
    for (unsigned i = 0; i < calls; ++i) {
      void *old = std::malloc(sizeof(Event));
      std::memset(old, 0x5f, sizeof(Event));
      std::free(old);
    }
  }

private:
  void call(unsigned long time, Lift *lift, int floor) { queue_.push({time, floor, lift}); }
  unsigned next() {
    seed_ = seed_ * 1664525u + 1013904223u;
    return seed_ >> 10;
  }

  Lift *lifts_ = nullptr;
  unsigned count_ = 0, seed_ = 3;
  Queue queue_;
};

} // namespace

int main() {
  House house;
  char line[64];
  unsigned long number = 0;
  while (std::fgets(line, sizeof line, stdin)) {
    if (std::sscanf(line, "lifts %lu", &number) == 1 && number > 0 && number < 1000)
      house.lifts(static_cast<unsigned>(number));
    else if (std::sscanf(line, "alarm %lu", &number) == 1)
      house.alarm(number);
    else if (std::sscanf(line, "forget %lu", &number) == 1)
      house.forget(static_cast<unsigned>(number));
    else if (std::sscanf(line, "run %lu", &number) == 1)
      house.run(number);
  }
  house.report();
  return 0;
}
