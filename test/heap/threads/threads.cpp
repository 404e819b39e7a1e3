// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eight threads allocate, link, unlink and free, in containers and by hand; between the rounds,
// with all of them joined, the main thread walks what they left, which is where metric points are
// quiescent. Some lists change hands: what one thread linked, another cuts. Prints a checksum that
// no interleaving changes. Usage: threads [ROUNDS [STEPS]]
#include <array>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr unsigned kThreads = 8;

struct Node {
  Node *next;
  Node *previous;
  unsigned value;
};

struct Chain {
  std::mutex lock;
  Node *first = nullptr;
  Node *last = nullptr;
};

struct Worker {
  std::map<unsigned, std::unique_ptr<std::string>> names;
  std::list<std::vector<Node *>> borrowed;
  Node **table = nullptr; // grows with realloc: libc moves the pointers
  size_t size = 0;
};

// One for all: a thread appends to its right neighbour's and takes from its left neighbour's.
std::array<Chain, kThreads> g_chains;

unsigned next(unsigned &state) {
  state = state * 1664525 + 1013904223;
  return state >> 8;
}

void append(Chain &chain, unsigned value) {
  Node *node = new Node{nullptr, nullptr, value};
  std::lock_guard hold(chain.lock);
  node->previous = chain.last;
  (chain.last ? chain.last->next : chain.first) = node;
  chain.last = node;
}

unsigned take(Chain &chain) {
  std::lock_guard hold(chain.lock);
  Node *node = chain.first;
  if (!node)
    return 0;
  chain.first = node->next;
  (chain.first ? chain.first->previous : chain.last) = nullptr;
  unsigned value = node->value;
  delete node;
  return value;
}

void keep(Worker &worker, unsigned value) {
  worker.table = static_cast<Node **>(realloc(worker.table, (worker.size + 1) * sizeof(Node *)));
  worker.table[worker.size] =
      new Node{worker.size ? worker.table[worker.size / 2] : nullptr, nullptr, value};
  ++worker.size;
}

// What goes through the chains depends on the schedule, so it is in no sum.
void work(unsigned index, Worker &worker, unsigned steps, unsigned seed) {
  unsigned state = seed + index;
  for (unsigned step = 0; step < steps; ++step) {
    unsigned value = next(state) % 1000;
    switch (next(state) % 6) {
    case 0:
      append(g_chains[(index + 1) % kThreads], value);
      break;
    case 1:
      take(g_chains[index]);
      break;
    case 2:
      worker.names[value] = std::make_unique<std::string>(20 + value % 40, 'x');
      break;
    case 3:
      worker.names.erase(value);
      break;
    case 4:
      worker.borrowed.push_back({worker.table, worker.table + worker.size % 50});
      if (worker.borrowed.size() > 60)
        worker.borrowed.pop_front();
      break;
    default:
      keep(worker, value);
      break;
    }
  }
}

// Calls, one for each node: function entries are what metric points come by.
__attribute__((noinline)) unsigned value_of(const Node *node) { return node->value; }
__attribute__((noinline)) unsigned length_of(const std::string &text) {
  return static_cast<unsigned>(text.size());
}

unsigned walk(const Worker &worker) {
  unsigned sum = 0;
  for (size_t i = 0; i < worker.size; ++i)
    sum += value_of(worker.table[i]);
  for (const auto &[number, name] : worker.names)
    sum += number * length_of(*name);
  for (const std::vector<Node *> &nodes : worker.borrowed)
    for (const Node *node : nodes)
      sum += value_of(node);
  return sum;
}

void clear(Worker &worker) {
  worker.names.clear();
  worker.borrowed.clear();
  for (size_t i = 0; i < worker.size; ++i)
    delete worker.table[i];
  free(worker.table);
}

} // namespace

int main(int count, char **arguments) {
  unsigned rounds = count > 1 ? static_cast<unsigned>(atoi(arguments[1])) : 20;
  unsigned steps = count > 2 ? static_cast<unsigned>(atoi(arguments[2])) : 400;
  std::array<Worker, kThreads> workers;
  unsigned sum = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    std::vector<std::thread> threads;
    threads.reserve(kThreads);
    for (unsigned i = 0; i < kThreads; ++i)
      threads.emplace_back([&, i] { work(i, workers[i], steps, round * 977); });
    for (std::thread &thread : threads)
      thread.join();
    for (const Worker &worker : workers)
      sum += walk(worker);
  }
  for (Worker &worker : workers)
    clear(worker);
  for (Chain &chain : g_chains)
    while (chain.first)
      take(chain);
  printf("%u\n", sum);
}
