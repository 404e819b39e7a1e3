// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A game's asset cache. Assets of a level lie in one doubly linked list in the order in which they
// are drawn, and in a table by name. The input is a script, one command a line:
//   load NAME BYTES        put an asset behind all others
//   variant NAME OF BYTES  put an asset right behind another one (drawn together with it)
//   use NAME               look one up and pin it for some frames
//   frame                  draw: front to back, then mirrors back to front; drop what is stale
// Prints what is left at the end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct asset {
  struct asset *next;
  struct asset *prev;
  char *name;
  unsigned char *pixels;
  size_t bytes;
  int pinned; // frames for which it stays
};

struct entry { // of the table by name
  struct entry *next;
  struct asset *asset;
};

struct level {
  struct asset *first;
  struct asset *last;
  struct entry **buckets;
  unsigned bucket_count;
  unsigned assets;
  unsigned long drawn;
  unsigned long mirrored;
  unsigned long hits;
};

static unsigned hash_name(const char *name) {
  unsigned hash = 2166136261u;
  while (*name)
    hash = (hash ^ (unsigned char)*name++) * 16777619u;
  return hash ^ hash >> 15;
}

static struct entry **slot_of(struct level *level, const char *name) {
  struct entry **slot = &level->buckets[hash_name(name) % level->bucket_count];
  while (*slot && strcmp((*slot)->asset->name, name) != 0)
    slot = &(*slot)->next;
  return slot;
}

static struct asset *find(struct level *level, const char *name) {
  struct entry *entry = *slot_of(level, name);
  return entry ? entry->asset : NULL;
}

static struct asset *create(struct level *level, const char *name, size_t bytes) {
  struct asset *asset = calloc(1, sizeof *asset);
  struct entry *entry = calloc(1, sizeof *entry);
  asset->name = strdup(name);
  asset->pixels = malloc(bytes);
  memset(asset->pixels, (int)(bytes & 0x7f), bytes);
  asset->bytes = bytes;
  asset->pinned = 40;
  entry->asset = asset;
  *slot_of(level, name) = entry;
  ++level->assets;
  return asset;
}

static void append(struct level *level, struct asset *asset) {
  asset->prev = level->last;
  if (level->last)
    level->last->next = asset;
  else
    level->first = asset;
  level->last = asset;
}

static void insert_after(struct level *level, struct asset *at, struct asset *asset) {
  if (at->next == NULL) {
    append(level, asset);
    return;
  }
  asset->next = at->next;
#ifdef FIXED
  asset->prev = at;
#endif
  asset->next->prev = asset;
  at->next = asset; // guilty: insert_after never sets asset->prev
}

static void discard(struct level *level, struct asset *asset) {
  struct entry **slot = slot_of(level, asset->name);
  struct entry *entry = *slot;
  *slot = entry->next;
  free(entry);
  free(asset->pixels);
  free(asset->name);
  free(asset);
  --level->assets;
}

static unsigned shade(const struct asset *asset) {
  return asset->pixels[0] + asset->pixels[asset->bytes - 1];
}

static void draw(struct level *level) {
  for (struct asset *asset = level->first; asset; asset = asset->next)
    level->drawn += shade(asset);
  for (struct asset *asset = level->last; asset; asset = asset->prev)
    level->mirrored += shade(asset);
}

static void drop_stale(struct level *level) {
  struct asset *before = NULL;
  struct asset *asset = level->first;
  while (asset) {
    struct asset *next = asset->next;
    if (--asset->pinned > 0) {
      before = asset;
    } else {
      if (before)
        before->next = next;
      else
        level->first = next;
      if (next)
        next->prev = before;
      else
        level->last = before;
      discard(level, asset);
    }
    asset = next;
  }
}

static void obey(struct level *level, const char *line) {
  char name[64], other[64];
  size_t bytes;
  struct asset *asset;
  if (sscanf(line, "load %63s %zu", name, &bytes) == 2) {
    if (!find(level, name))
      append(level, create(level, name, bytes));
  } else if (sscanf(line, "variant %63s %63s %zu", name, other, &bytes) == 3) {
    asset = find(level, other);
    if (asset && !find(level, name))
      insert_after(level, asset, create(level, name, bytes));
  } else if (sscanf(line, "use %63s", name) == 1) {
    asset = find(level, name);
    if (asset) {
      asset->pinned += 10;
      ++level->hits;
    }
  } else if (strncmp(line, "frame", 5) == 0) {
    draw(level);
    drop_stale(level);
  }
}

int main(int argc, char **argv) {
  struct level level = {0};
  FILE *script = argc > 1 ? fopen(argv[1], "r") : stdin;
  char line[256];
  if (!script) {
    perror(argv[1]);
    return 2;
  }
  level.bucket_count = 1021;
  level.buckets = calloc(level.bucket_count, sizeof(struct entry *));
  while (fgets(line, sizeof line, script))
    obey(&level, line);
  fclose(script);
  printf("%u assets, drawn %lu, mirrored %lu, %lu hits\n", level.assets, level.drawn,
         level.mirrored, level.hits);
  while (level.first) {
    struct asset *next = level.first->next;
    discard(&level, level.first);
    level.first = next;
  }
  free(level.buckets);
  return 0;
}
