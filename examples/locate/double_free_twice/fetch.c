// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fetches pages from a made-up server: "get PAGE" a line. A reply that is refused is given back at
// once, and at the end of the request once more.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reply {
  int code;
  char *text;
};

static struct reply *ask(const char *page) {
  struct reply *reply = malloc(sizeof *reply);
  reply->code = strstr(page, "secret") ? 403 : 200;
  reply->text = malloc(strlen(page) + 32);
  sprintf(reply->text, "this is the page %s", page);
  return reply;
}

static void give_back(struct reply *reply) {
  free(reply->text);
  free(reply);
}

static void get(const char *page) {
  struct reply *reply = ask(page);
  char *text = reply->text;
  if (reply->code != 200) {
    printf("%s: refused with %d\n", page, reply->code);
    free(text); // culprit: first corruption
  } else {
    printf("%s: %s\n", page, text);
  }
  give_back(reply);
}

int main(void) {
  char verb[16], page[64];
  while (scanf("%15s %63s", verb, page) == 2)
    if (strcmp(verb, "get") == 0)
      get(page);
  return 0;
}
