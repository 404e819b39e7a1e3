// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list of things to do, in a container of ours: "add PRIORITY TEXT", "done TEXT", "sweep N" drops
// everything below a priority. The iterator goes on from the element that was dropped.
#include <cstdio>
#include <cstring>

namespace {

struct Item {
  Item *next;
  Item *previous;
  int priority;
  char text[24];
};

class Iterator {
public:
  explicit Iterator(Item *at) : at_(at) {}
  Item &operator*() const { return *at_; }
  Iterator &operator++() {
    at_ = at_->next;
    return *this;
  }
  bool operator!=(const Iterator &other) const { return at_ != other.at_; }
  Item *item() const { return at_; }

private:
  Item *at_;
};

class List {
public:
  List() { end_.next = end_.previous = &end_; }
  ~List() {
    while (end_.next != &end_)
      erase(begin());
  }
  List(const List &) = delete;
  List &operator=(const List &) = delete;
  Iterator begin() { return Iterator(end_.next); }
  Iterator end() { return Iterator(&end_); }
  void add(int priority, const char *text) {
    auto *item = new Item{&end_, end_.previous, priority, {}};
    std::snprintf(item->text, sizeof item->text, "%s", text);
    end_.previous->next = item;
    end_.previous = item;
  }
  void erase(Iterator at) {
    Item *item = at.item();
    item->previous->next = item->next;
    item->next->previous = item->previous;
    delete item; // culprit: first corruption
  }

private:
  Item end_{};
};

void sweep(List &list, int limit) {
  for (Iterator at = list.begin(); at != list.end(); ++at) // culprit: the error
    if ((*at).priority < limit)
      list.erase(at);
}

void done(List &list, const char *text) {
  for (Iterator at = list.begin(); at != list.end(); ++at) {
    if (std::strcmp((*at).text, text) == 0) {
      list.erase(at);
      return;
    }
  }
}

} // namespace

int main() {
  List list;
  char line[128], verb[16], text[64];
  int priority = 0;
  while (std::fgets(line, sizeof line, stdin)) {
    if (std::sscanf(line, "add %d %63s", &priority, text) == 2)
      list.add(priority, text);
    else if (std::sscanf(line, "sweep %d", &priority) == 1)
      sweep(list, priority);
    else if (std::sscanf(line, "%15s %63s", verb, text) == 2 && std::strcmp(verb, "done") == 0)
      done(list, text);
  }
  for (const Item &item : list)
    std::printf("%d %s\n", item.priority, item.text);
  return 0;
}
