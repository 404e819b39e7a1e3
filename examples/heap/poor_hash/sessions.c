// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A web server's session store: a chained hash table from session key to session, each session with
// a short list of recent pages; sessions are also in a queue by age. The input is a log, one event
// a line:
//   login KEY USER    open a session
//   page KEY PATH     a page of a session; only the latest few are kept
//   logout KEY        close it
//   expire N          close all but the N youngest sessions
// Prints a summary at the end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kPages = 3, kKeyPart = 12 };

struct page {
  struct page *next;
  char path[40];
};

struct session {
  struct session *chain; // of the bucket
  struct session *younger;
  struct session *older;
  char *key;
  char *user;
  struct page *pages; // newest first
};

struct store {
  struct session **buckets;
  unsigned bucket_count;
  unsigned sessions;
  struct session *oldest;
  struct session *youngest;
  unsigned long pages, misses;
};

static unsigned hash_key(const char *key) {
  unsigned hash = 0;
#ifdef FIXED
  size_t length = strlen(key);
#else
  size_t length = strnlen(key, kKeyPart); // guilty: hash_key stops early, where long keys are equal
#endif
  for (size_t i = 0; i < length; ++i)
    hash = (hash + (unsigned char)key[i]) * 0x9e3779b1u;
  return hash ^ hash >> 16;
}

static struct session **slot_of(struct store *store, const char *key) {
  struct session **slot = &store->buckets[hash_key(key) & (store->bucket_count - 1)];
  while (*slot && strcmp((*slot)->key, key) != 0)
    slot = &(*slot)->chain;
  return slot;
}

static void grow(struct store *store) {
  unsigned old_count = store->bucket_count;
  struct session **old = store->buckets;
  store->bucket_count = old_count ? old_count * 2 : 256;
  store->buckets = calloc(store->bucket_count, sizeof(struct session *));
  for (unsigned i = 0; i < old_count; ++i)
    for (struct session *session = old[i], *next; session; session = next) {
      struct session **slot = &store->buckets[hash_key(session->key) & (store->bucket_count - 1)];
      next = session->chain;
      session->chain = *slot;
      *slot = session;
    }
  free(old);
}

static void open_session(struct store *store, const char *key, const char *user) {
  if (store->sessions >= store->bucket_count / 4 * 3)
    grow(store);
  struct session **slot = slot_of(store, key);
  if (*slot)
    return;
  struct session *session = calloc(1, sizeof *session);
  session->key = strdup(key);
  session->user = strdup(user);
  session->older = store->youngest;
  if (store->youngest)
    store->youngest->younger = session;
  else
    store->oldest = session;
  store->youngest = session;
  *slot = session;
  ++store->sessions;
}

static void add_page(struct session *session, const char *path) {
  struct page *page = malloc(sizeof *page);
  snprintf(page->path, sizeof page->path, "%s", path);
  page->next = session->pages;
  session->pages = page;
  for (unsigned i = 1; page; page = page->next, ++i)
    if (i == kPages) {
      free(page->next);
      page->next = NULL;
    }
}

static void close_session(struct store *store, struct session **slot) {
  struct session *session = *slot;
  *slot = session->chain;
  if (session->older)
    session->older->younger = session->younger;
  else
    store->oldest = session->younger;
  if (session->younger)
    session->younger->older = session->older;
  else
    store->youngest = session->older;
  while (session->pages) {
    struct page *next = session->pages->next;
    free(session->pages);
    session->pages = next;
  }
  free(session->key);
  free(session->user);
  free(session);
  --store->sessions;
}

static void obey(struct store *store, const char *line) {
  char command[16], key[80], rest[80] = "";
  if (sscanf(line, "%15s %79s %79s", command, key, rest) < 2)
    return;
  if (strcmp(command, "login") == 0) {
    open_session(store, key, rest);
  } else if (strcmp(command, "expire") == 0) {
    unsigned keep = (unsigned)strtoul(key, NULL, 10);
    while (store->sessions > keep)
      close_session(store, slot_of(store, store->oldest->key));
  } else {
    struct session **slot = slot_of(store, key);
    if (!*slot) {
      ++store->misses;
    } else if (strcmp(command, "page") == 0) {
      add_page(*slot, rest);
      ++store->pages;
    } else if (strcmp(command, "logout") == 0) {
      close_session(store, slot);
    }
  }
}

int main(int argc, char **argv) {
  struct store store = {0};
  FILE *log = argc > 1 ? fopen(argv[1], "r") : stdin;
  char line[256];
  if (!log) {
    perror(argv[1]);
    return 2;
  }
  grow(&store);
  while (fgets(line, sizeof line, log))
    obey(&store, line);
  fclose(log);
  printf("%u sessions, %lu pages, %lu misses\n", store.sessions, store.pages, store.misses);
  while (store.oldest)
    close_session(&store, slot_of(&store, store.oldest->key));
  free(store.buckets);
  return 0;
}
