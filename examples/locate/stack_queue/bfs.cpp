// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps of a knight between two fields of a board: "knight SIZE FROM TO". The fields to visit are
// kept in a local ring whose length was enough for the usual board.
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int kFields = 64;

struct Board {
  int size;
  short distance[400];
};

int steps(Board *given, int from, int to) {
  Board *board = given;
  int waiting[kFields];
  int head = 0, tail = 0;
  Board **at = &board;
  std::memset((*at)->distance, -1, sizeof(*at)->distance);
  (*at)->distance[from] = 0;
  waiting[tail++] = from;
  while (head < tail) {
    const int field = waiting[head++];
    const int size = (*at)->size;
    static constexpr int kMoves[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                         {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    for (const auto &move : kMoves) {
      const int x = field % size + move[0], y = field / size + move[1];
      if (x < 0 || y < 0 || x >= size || y >= size || (*at)->distance[y * size + x] >= 0)
        continue;
      (*at)->distance[y * size + x] = static_cast<short>((*at)->distance[field] + 1);
      waiting[tail++] = y * size + x; // culprit: first corruption
    }
  }
  return (*at)->distance[to];
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  static Board board;
  board.size = std::atoi(argv[1]);
  if (board.size < 3 || board.size > 20)
    return 2;
  const int fields = board.size * board.size;
  std::printf("%d\n", steps(&board, std::atoi(argv[2]) % fields, std::atoi(argv[3]) % fields));
  return 0;
}
