// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mst: minimum spanning tree of a dense graph; every vertex keeps the weights of its edges in a
// hash table of its own, and the tree grows by asking those tables for the distance to the newest
// vertex. Heap: vertices * degree hash entries in short chains under thousands of bucket arrays;
// nearly all objects have indegree 1 and are only read after start-up. Arguments: VERTICES DEGREE.

#include "../program.h"

typedef struct Vertex Vertex;

typedef struct Entry {
  struct Entry *next;
  const Vertex *key;
  uint32_t weight;
} Entry;

struct Vertex {
  Vertex *next;
  Entry **buckets;
  uint32_t number;
  uint32_t bucket_count;
  uint32_t distance;
};

// By number, not by address: chains are then equal in every run and under every allocator.
static Entry **bucket_of(const Vertex *vertex, const Vertex *key) {
  return &vertex->buckets[(key->number * 2654435761u >> 7) % vertex->bucket_count];
}

static Entry *find(const Vertex *vertex, const Vertex *key) {
  Entry *entry = *bucket_of(vertex, key);
  while (entry && entry->key != key)
    entry = entry->next;
  return entry;
}

static void insert(Vertex *vertex, const Vertex *key, uint32_t weight) {
  Entry **bucket = bucket_of(vertex, key);
  Entry *entry = allocate(sizeof(Entry));
  entry->key = key;
  entry->weight = weight;
  entry->next = *bucket;
  *bucket = entry;
}

static Vertex *build(uint32_t count, uint32_t degree, Random *random) {
  Vertex **table = allocate(count * sizeof(Vertex *));
  for (uint32_t i = 0; i < count; i++) {
    Vertex *vertex = allocate(sizeof(Vertex));
    vertex->number = i;
    vertex->bucket_count = degree / 2 + 1;
    vertex->buckets = allocate_zeroed(vertex->bucket_count, sizeof(Entry *));
    vertex->next = NULL;
    vertex->distance = UINT32_MAX;
    table[i] = vertex;
    if (i > 0)
      table[i - 1]->next = vertex;
  }
  for (uint32_t i = 0; i < count; i++) {
    // A ring keeps the graph connected; the rest of the degree is chosen at random.
    for (uint32_t j = 0; j < degree / 2; j++) {
      uint32_t other = j == 0 ? (i + 1) % count : random_below(random, count);
      if (other == i || find(table[i], table[other]))
        continue;
      uint32_t weight = 1 + random_below(random, 1000000);
      insert(table[i], table[other], weight);
      insert(table[other], table[i], weight);
    }
  }
  Vertex *first = table[0];
  free(table);
  return first;
}

// Removes and returns the vertex outside the tree that is nearest to it, after `newest` joined.
static Vertex *nearest(Vertex **outside, const Vertex *newest) {
  Vertex **best = NULL;
  for (Vertex **link = outside; *link; link = &(*link)->next) {
    const Entry *entry = find(*link, newest);
    if (entry && entry->weight < (*link)->distance)
      (*link)->distance = entry->weight;
    if (!best || (*link)->distance < (*best)->distance)
      best = link;
  }
  Vertex *vertex = *best;
  *best = vertex->next;
  return vertex;
}

static void release(Vertex *vertex) {
  for (uint32_t i = 0; i < vertex->bucket_count; i++) {
    while (vertex->buckets[i]) {
      Entry *entry = vertex->buckets[i];
      vertex->buckets[i] = entry->next;
      free(entry);
    }
  }
  free(vertex->buckets);
  free(vertex);
}

int main(int argc, char **argv) {
  const char *usage = "VERTICES DEGREE";
  uint32_t count = size_argument(argc, argv, 1, usage);
  uint32_t degree = size_argument(argc, argv, 2, usage);
  Random random = {count};
  Vertex *outside = build(count, degree, &random);
  Vertex *inside = outside;
  outside = inside->next;
  inside->next = NULL;
  uint64_t weight = 0;
  uint64_t checksum = 0;
  while (outside) {
    Vertex *vertex = nearest(&outside, inside);
    weight += vertex->distance;
    checksum = mix(checksum, vertex->number);
    vertex->next = inside;
    inside = vertex;
  }
  while (inside) {
    Vertex *vertex = inside;
    inside = vertex->next;
    release(vertex);
  }
  printf("mst vertices %u weight %llu checksum %016llx\n", count, (unsigned long long)weight,
         (unsigned long long)checksum);
  return 0;
}
