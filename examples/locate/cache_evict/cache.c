// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cache of pages, found by number through buckets and thrown away by age. A page that is thrown
// away leaves the list of ages, but not its bucket.
#include <stdio.h>
#include <stdlib.h>

enum { kBuckets = 8, kMost = 3 };

struct page {
  unsigned number, hits;
  struct page *in_bucket;
  struct page *older, *newer;
};

static struct page *bucket[kBuckets];
static struct page *oldest, *newest;
static unsigned pages;

static void forget_oldest(void) {
  struct page *page = oldest;
  oldest = page->newer;
  if (oldest)
    oldest->older = NULL;
  else
    newest = NULL;
  --pages;
  free(page); // culprit: first corruption
}

static struct page *find(unsigned number) {
  struct page *page = bucket[number % kBuckets];
  while (page && page->number != number)
    page = page->in_bucket;
  return page;
}

static struct page *load(unsigned number) {
  struct page *page = calloc(1, sizeof *page);
  if (pages == kMost)
    forget_oldest();
  page->number = number;
  page->in_bucket = bucket[number % kBuckets];
  bucket[number % kBuckets] = page;
  page->older = newest;
  if (newest)
    newest->newer = page;
  else
    oldest = page;
  newest = page;
  ++pages;
  return page;
}

int main(void) {
  unsigned number, hits = 0;
  while (scanf("%u", &number) == 1) {
    struct page *page = find(number);
    if (!page)
      page = load(number);
    hits += ++page->hits > 1;
  }
  printf("%u hits, %u pages\n", hits, pages);
  return 0;
}
