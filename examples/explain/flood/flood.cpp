// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong moment, in C++. Cells of a map are counted from a start; the newer version marks a cell
// when it is taken out of the queue, by which time it may be in it twice.
#include <cstdio>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace {

class Map {
public:
  explicit Map(std::vector<std::string> rows) : rows_(std::move(rows)) {
    for (const std::string &row : rows_)
      seen_.emplace_back(row.size(), 0);
  }

  int flood(int x, int y) {
    std::deque<std::pair<int, int>> queue;
    queue.emplace_back(x, y);
    int cells = 0;
    while (!queue.empty()) {
      auto [cx, cy] = queue.front();
      queue.pop_front();
      seen_[cy][cx] = 1;
      ++cells;
      visit(queue, cx + 1, cy);
      visit(queue, cx - 1, cy);
      visit(queue, cx, cy + 1);
      visit(queue, cx, cy - 1);
    }
    return cells;
  }

private:
  void visit(std::deque<std::pair<int, int>> &queue, int x, int y) {
    if (y < 0 || x < 0 || y >= static_cast<int>(rows_.size()) ||
        x >= static_cast<int>(rows_[y].size()) || rows_[y][x] == '#' || seen_[y][x])
      return;
    // culprit: cause seen_
    queue.emplace_back(x, y);
  }

  std::vector<std::string> rows_;
  std::vector<std::vector<char>> seen_;
};

} // namespace

int main() {
  Map map({"..#.", ".#..", "....", "#..."});
  std::printf("%d cells\n", map.flood(0, 0));
  return 0;
}
