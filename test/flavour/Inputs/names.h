// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
struct entry {
  int number;
  char name[20];
  struct entry *next;
};
extern struct entry *shared;
struct entry *make_entry(const char *text);
