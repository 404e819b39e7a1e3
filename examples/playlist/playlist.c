// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "playlist.h"

#include <stdlib.h>
#include <string.h>

void append(struct playlist *list, const char *title) {
  struct song *song = calloc(1, sizeof *song);
  song->title = strdup(title);
  song->previous = list->last;
  if (list->last)
    list->last->next = song;
  else
    list->first = song;
  list->last = song;
  ++list->length;
}

void drop(struct playlist *list, unsigned number) {
  struct song *song = list->first;
  while (song && number-- > 0)
    song = song->next;
  if (!song)
    return;
  if (song->previous)
    song->previous->next = song->next;
  else
    list->first = song->next;
  if (song->next)
    song->next->previous = song->previous;
  else
    list->last = song->previous;
  --list->length;
  free(song->title);
  free(song);
}

void clear(struct playlist *list) {
  while (list->first)
    drop(list, 0);
}
