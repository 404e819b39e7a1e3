// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every execution of a statement has an index of its own: recursion, exceptions through frames with
// and without cleanups, longjmp in and out of loops, a loop with two entries, callbacks of the C
// library's. And the program does what it does without them.
// RUN: rm -rf %t && mkdir %t && culprit c++ -O2 %s -o %t/points && %t/points > %t/plain
// RUN: culprit flavour explain %t/points > %t/path
// RUN: env CULPRIT_RUNTIME=trace=%t/trace $(cat %t/path) > %t/explained
// RUN: diff %t/plain %t/explained
// RUN: /usr/bin/python3 -B %S/Inputs/unique_points.py %t/trace 500
#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

static jmp_buf environment;

static int deep(int n) {
  if (n == 0)
    throw std::runtime_error("deep");
  const std::string held(30, 'x'); // a cleanup on the way
  return deep(n - 1) + static_cast<int>(held.size());
}

static int by_value(const void *a, const void *b) {
  return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

static int two_entries(int x) {
  int steps = 0;
  if ((x & 1) != 0)
    goto inside;
outside:
  steps++;
  x -= 2;
inside:
  steps += 10;
  x--;
  if (x > 0)
    goto outside;
  return steps;
}

struct Wide {
  int numbers[10];
};

static int sum(Wide wide) { // by value: in the caller's memory
  int all = 0;
  for (int &number : wide.numbers)
    all += number++;
  return all;
}

static void jump(int times) {
  for (int i = 0; i < 3; i++)
    if (i == times)
      longjmp(environment, i + 1);
}

// What the index flavours look at.
static void allocate(int n) {
  static void *volatile made;
  made = malloc(static_cast<size_t>(n) + 1);
  free(made);
}

static jmp_buf in_loop;
static jmp_buf in_inner;

// Back into a loop from inside it, from an inner one, and when it has been left.
static int loops() {
  volatile int rounds = 0;
  volatile int late = 0;
  for (volatile int i = 0; i < 4; i = i + 1) {
    if (setjmp(in_loop) != 0)
      rounds = rounds + 1;
    for (volatile int j = 0; j < 3; j = j + 1) {
      if (setjmp(in_inner) != 0)
        continue;
      allocate(i);
      if (i == 1 && j == 1 && rounds < 2)
        longjmp(in_loop, 1);
      if (j == 1)
        longjmp(in_inner, 1);
    }
  }
  allocate(late);
  if (late == 0) {
    late = 1;
    longjmp(in_inner, 1);
  }
  if (late == 1) {
    late = 2;
    longjmp(in_loop, 1);
  }
  return rounds;
}

int main() {
  std::map<std::string, std::vector<int>> caught;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < i; j++) {
      try {
        deep(j);
      } catch (const std::exception &error) {
        caught[error.what()].push_back(i * j);
      }
    }
  volatile int jumps = 0;
  int code = setjmp(environment);
  for (int k = 0; k < 4; k++)
    if (k == 2 && jumps < 3) {
      jumps = jumps + 1;
      jump(jumps - 1);
    }
  int values[] = {5, 3, 9, 1, 7};
  qsort(values, 5, sizeof *values, by_value);
  std::sort(values, values + 5, [](int a, int b) { return a > b; });
  Wide wide{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
  const int a = sum(wide) + sum(wide) * two_entries(9);
  printf("%d\n", loops());
  printf("%d %zu %d %d %d %d %d\n", code, caught["deep"].size(), jumps, values[0], two_entries(8),
         a, wide.numbers[0]);
  return 0;
}
