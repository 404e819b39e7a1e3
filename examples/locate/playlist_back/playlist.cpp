// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A playlist: "+title" adds a song, "<" goes back by one, ">" on by one. Going back from the first
// song leads to none, and the songs that are added after it make nothing of that.
#include <cstdio>
#include <string>
#include <vector>

namespace {

struct Song {
  std::string title;
  int seconds;
};

class Playlist {
public:
  void add(const char *title) { songs_.push_back({title, 100 + static_cast<int>(songs_.size())}); }
  void back() { current_ = current_ - 1; } // culprit: first corruption
  void on() {
    if (current_ + 1 < static_cast<int>(songs_.size()))
      current_ = current_ + 1;
  }
  const Song &current() const { return songs_.at(static_cast<size_t>(current_)); }

private:
  std::vector<Song> songs_;
  int current_ = 0;
};

} // namespace

int main(int argc, char **argv) {
  Playlist list;
  for (int i = 1; i < argc; ++i) {
    const char command = argv[i][0];
    if (command == '+')
      list.add(argv[i] + 1);
    else if (command == '<')
      list.back();
    else
      list.on();
  }
  const Song &song = list.current();
  std::printf("%s, %d s\n", song.title.c_str(), song.seconds);
  return 0;
}
