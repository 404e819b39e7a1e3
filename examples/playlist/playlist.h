// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A playlist: a doubly linked list of songs.
#ifndef PLAYLIST_H
#define PLAYLIST_H

struct song {
  struct song *next;
  struct song *previous;
  char *title;
};

struct playlist {
  struct song *first;
  struct song *last;
  unsigned length;
};

void append(struct playlist *list, const char *title);
void drop(struct playlist *list, unsigned number);
void clear(struct playlist *list);

#endif
