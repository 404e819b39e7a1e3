// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A player's tag is copied letter by letter into a member that is too short: the loop goes on over
// the members behind it, and a list of things is lost.
#include <cstdio>
#include <cstring>

namespace {

class Player {
public:
  Player(const char *const *things, int count) : things_(things), count_(count) {}

  void set_tag(const char *text) {
    int at = 0;
    for (; text[at] != '\0'; ++at)
      tag_[at] = text[at]; // culprit: first corruption
    tag_[at] = '\0';
  }
  int lives() const { return lives_; }
  size_t weight() const {
    size_t sum = 0;
    for (int i = 0; i < count_; ++i)
      sum += std::strlen(things_[i]);
    return sum;
  }

private:
  char tag_[8] = "";
  int lives_ = 3;
  const char *const *things_;
  int count_;
};

const char *const kThings[] = {"sword", "lamp", "rope"};
Player hero(kThings, 3);

} // namespace

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    hero.set_tag(argv[i]);
    std::printf("%d lives, %zu\n", hero.lives(), hero.weight());
  }
}
