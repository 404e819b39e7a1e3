// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the C library writes, keeps and moves in a program's heap, unions, pointers kept in
// integers, and jumps, in the monitor flavour: seen, at every 50th function entry, as a full scan
// sees it.
// RUN: rm -rf %t && mkdir %t && cd %t && echo "heap.every = 50" > culprit.toml
// RUN: culprit cc -O2 %s -o prog
// RUN: culprit train -q --verify -- ./prog 40
// RUN: ./prog 40 > plain
// RUN: culprit run -q --flavour monitor -- ./prog 40 | diff plain -
// RUN: culprit cc -O3 -march=native %s -o prog3
// RUN: culprit train -q --verify -- ./prog3 40
#define _GNU_SOURCE
#include <dirent.h>
#include <locale.h>
#include <obstack.h>
#include <regex.h>
#include <search.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>
#define obstack_chunk_alloc malloc
#define obstack_chunk_free free
struct rb {
  uintptr_t parent_color;
  struct rb *l, *r;
  long key;
};
struct u {
  int kind;
  union {
    struct u *p;
    double d;
    long l;
    char s[24];
  } v;
  struct u *next;
};
static int cmp(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}
static int cmpt(const void *a, const void *b) { return strcmp(a, b); }
static void *root;
static jmp_buf env;
static struct u *mk(int k, struct u *n) {
  struct u *x = malloc(sizeof *x);
  x->kind = k % 4;
  x->next = n;
  switch (k % 4) {
  case 0:
    x->v.p = n;
    break;
  case 1:
    x->v.d = k;
    break;
  case 2:
    x->v.l = k;
    break;
  default:
    memset(x->v.s, 'q', 24);
  }
  return x;
}
static void change(struct u *x, int k) {
  for (; x; x = x->next, ++k) {
    switch (k % 4) {
    case 0:
      x->v.p = x->next;
      break;
    case 1:
      x->v.d = 1.5;
      break;
    case 2:
      x->v.l = (long)x;
      break;
    default:
      strcpy(x->v.s, "hello world");
    }
  }
}
static struct rb *ins(struct rb *t, struct rb *par, long key) {
  if (!t) {
    t = calloc(1, sizeof *t);
    t->parent_color = (uintptr_t)par | 1;
    t->key = key;
    return t;
  }
  if (key < t->key)
    t->l = ins(t->l, t, key);
  else
    t->r = ins(t->r, t, key);
  return t;
}
static void act(const void *n, VISIT v, int d) {
  (void)n;
  (void)v;
  (void)d;
}
static void thrower(int x) {
  if (x % 7 == 0)
    longjmp(env, 1);
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 50;
  long total = 0;
  setlocale(LC_ALL, "C");
  for (int round = 0; round < n; ++round) {
    struct u *l = NULL;
    for (int i = 0; i < 100; ++i)
      l = mk(i + round, l);
    change(l, round);
    struct rb *t = NULL;
    for (int i = 0; i < 100; ++i)
      t = ins(t, NULL, (i * 7919 + round) % 1000);
    char **names = NULL;
    size_t cap = 0, cnt = 0;
    for (int i = 0; i < 80; ++i) {
      if (cnt == cap) {
        cap = cap ? cap * 2 : 4;
        names = realloc(names, cap * sizeof *names);
      }
      if (asprintf(&names[cnt++], "name %d of round %d", (i * 37) % 80, round) < 0)
        return 1;
    }
    qsort(names, cnt, sizeof *names, cmp);
    char **copy = malloc(cnt * sizeof *copy);
    memcpy(copy, names, cnt * sizeof *copy);
    memmove(copy + 1, copy, (cnt - 1) * sizeof *copy);
    memset(copy, 0, 8 * sizeof *copy);
    for (size_t i = 0; i < cnt; i += 2)
      tsearch(names[i], &root, cmpt);
    twalk(root, act);
    for (size_t i = 0; i < cnt; i += 2)
      tdelete(names[i], &root, cmpt);
    FILE *f = tmpfile();
    for (size_t i = 0; i < cnt; ++i)
      fprintf(f, "%s\n", names[i]);
    rewind(f);
    struct {
      char *line;
      size_t size;
    } *lh = calloc(1, sizeof *lh);
    while (getline(&lh->line, &lh->size, f) > 0)
      total += strlen(lh->line);
    fclose(f);
    free(lh->line);
    free(lh);
    char *buf = NULL;
    size_t bs = 0;
    FILE *m = open_memstream(&buf, &bs);
    fprintf(m, "%ld and more", total);
    fclose(m);
    total += bs;
    free(buf);
    regex_t *re = malloc(sizeof *re);
    if (!regcomp(re, "n[a-z]+ ([0-9]+)", REG_EXTENDED)) {
      regmatch_t mm[2];
      total += regexec(re, names[0], 2, mm, 0);
      regfree(re);
    }
    free(re);
    struct obstack ob;
    obstack_init(&ob);
    for (int i = 0; i < 50; ++i) {
      void **p = obstack_alloc(&ob, 64);
      p[0] = names[i];
      p[1] = i ? p - 8 : NULL;
    }
    obstack_free(&ob, NULL);
    DIR *d = opendir("/");
    struct dirent **list;
    int c = scandir("/", &list, NULL, alphasort);
    for (int i = 0; i < c; ++i)
      free(list[i]);
    free(list);
    closedir(d);
    if (!setjmp(env))
      thrower(round);
    else
      total += 1;
    wchar_t *ws = wcsdup(L"wide string");
    free(ws);
    char *sd = strdup("dup");
    sd = realloc(sd, 100);
    strcat(sd, "licate");
    total += strlen(sd);
    free(sd);
    void *al = NULL;
    if (posix_memalign(&al, 64, 200))
      return 1;
    ((void **)al)[3] = names;
    free(al);
    void **big = calloc(40000, sizeof *big);
    for (int i = 0; i < 2000; ++i)
      big[i * 17] = names[i % cnt];
    big = realloc(big, 60000 * sizeof *big);
    for (int i = 0; i < 500; ++i)
      big[i * 31] = l;
    free(big);
    struct iovec *io = malloc(2 * sizeof *io);
    io[0].iov_base = names[0];
    io[0].iov_len = 4;
    io[1] = io[0];
    free(io);
    for (size_t i = 0; i < cnt; ++i)
      if (i % 3)
        free(names[i]);
    for (size_t i = 0; i < cnt; ++i)
      if (i % 3 == 0)
        free(names[i]);
    free(names);
    free(copy);
    while (l) {
      struct u *x = l->next;
      free(l);
      l = x;
    }
    (void)t;
  }
  printf("%ld\n", total);
  return 0;
}
