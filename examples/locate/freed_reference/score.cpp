// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A board of scores in an array of ours that grows: each line is "NAME POINTS"; the leader is held
// by a reference while the others are added.
#include <cstdio>
#include <cstring>
#include <utility>

namespace {

class Name {
public:
  explicit Name(const char *text = "") : text_(new char[std::strlen(text) + 1]) {
    std::strcpy(text_, text);
  }
  ~Name() { delete[] text_; }
  Name(const Name &) = delete;
  Name &operator=(const Name &) = delete;
  Name(Name &&other) noexcept : text_(std::exchange(other.text_, nullptr)) {}
  Name &operator=(Name &&other) noexcept {
    std::swap(text_, other.text_);
    return *this;
  }
  const char *text() const { return text_; }

private:
  char *text_;
};

struct Score {
  Name name;
  long points = 0;
};

class Board {
public:
  ~Board() { delete[] scores_; }
  Score &add(const char *name, long points) {
    if (used_ == room_)
      grow();
    scores_[used_].name = Name(name);
    scores_[used_].points = points;
    return scores_[used_++];
  }
  unsigned size() const { return used_; }

private:
  void grow() {
    room_ = room_ ? 2 * room_ : 4;
    auto *larger = new Score[room_];
    for (unsigned i = 0; i < used_; ++i)
      larger[i] = std::move(scores_[i]);
    delete[] scores_; // culprit: first corruption
    scores_ = larger;
  }

  Score *scores_ = nullptr;
  unsigned used_ = 0, room_ = 0;
};

} // namespace

int main() {
  Board board;
  char name[64];
  long points = 0;
  if (std::scanf("%63s %ld", name, &points) != 2)
    return 2;
  const Score &leader = board.add(name, points); // culprit: the error
  long sum = points;
  while (std::scanf("%63s %ld", name, &points) == 2)
    sum += board.add(name, points).points;
  std::printf("%u players, %ld points\n", board.size(), sum);
  std::printf("leader: %s, %zu letters\n", leader.name.text(), std::strlen(leader.name.text()));
  return 0;
}
