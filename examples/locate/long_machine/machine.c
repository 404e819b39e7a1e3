// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A machine with a stack and a program in text: "label NAME" names a place, "push N", "add",
// "copy", "loop NAME" (counts the top down and jumps while it is not 0), "native N" calls a
// built-in function, of which each frame has a copy of the table. Labels have a field of fixed
// length, and the one of the last label is followed by the table of built-in functions.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kLabels = 4, kCode = 256, kStack = 64, kNatives = 3 };
enum operation { kPush, kAdd, kCopy, kSwap, kLoop, kNative, kEnter, kHalt };

struct native {
  const char *name;
  long (*run)(long value);
};

struct instruction {
  enum operation operation;
  long operand;
};

struct frame {
  struct native *natives[kNatives];
  struct frame *outer;
  unsigned long steps;
};

static long twice(long value) { return 2 * value; }
static long negated(long value) { return -value; }
static long show(long value) {
  printf("%ld\n", value);
  return value;
}

static struct native builtin[kNatives] = {{"twice", twice}, {"negated", negated}, {"show", show}};

static long places[kLabels];
static unsigned labels;
char names[kLabels][12] = {""};
struct native *natives[kNatives] = {NULL};
static struct instruction code[kCode];
static unsigned length;
static long stack[kStack];
static unsigned depth;

static void set_label(const char *name) {
  if (labels == kLabels)
    return;
  places[labels] = length;
  strcpy(names[labels++], name); // culprit: first corruption
}

static long place_of(const char *name) {
  for (unsigned i = 0; i < labels; ++i)
    if (strncmp(names[i], name, sizeof names[i] - 1) == 0)
      return places[i];
  return 0;
}

static void emit(enum operation operation, long operand) {
  if (length < kCode)
    code[length++] = (struct instruction){operation, operand};
}

static void assemble(const char *line) {
  char word[16], name[64];
  long operand = 0;
  if (sscanf(line, "label %63s", name) == 1)
    set_label(name);
  else if (sscanf(line, "loop %63s", name) == 1)
    emit(kLoop, place_of(name));
  else if (sscanf(line, "%15s %ld", word, &operand) >= 1) {
    static const char *const words[] = {"push", "add",    "copy",  "swap",
                                        "loop", "native", "enter", "halt"};
    for (unsigned i = 0; i < sizeof words / sizeof *words; ++i)
      if (strcmp(words[i], word) == 0)
        emit((enum operation)i, operand);
  }
}

static struct frame *enter(struct frame *outer) {
  struct frame *frame = malloc(sizeof *frame);
  *frame = *outer;
  frame->outer = outer;
  return frame;
}

static void push(long value) {
  if (depth < kStack)
    stack[depth++] = value;
}

static long pop(void) { return depth ? stack[--depth] : 0; }

static unsigned long run(void) {
  struct frame first = {.outer = NULL, .steps = 0};
  memcpy(first.natives, natives, sizeof natives);
  struct frame *frame = &first;
  unsigned long steps = 0;
  for (unsigned at = 0; at < length; ++steps) {
    const struct instruction *now = &code[at++];
    long top, next;
    switch (now->operation) {
    case kPush:
      push(now->operand);
      break;
    case kAdd:
      top = pop();
      push(pop() + top);
      break;
    case kCopy:
      top = pop();
      push(top);
      push(top);
      break;
    case kSwap:
      top = pop();
      next = pop();
      push(top);
      push(next);
      break;
    case kLoop:
      top = pop() - 1;
      push(top);
      if (top > 0)
        at = (unsigned)now->operand;
      break;
    case kNative:
      push(frame->natives[now->operand % kNatives]->run(pop()));
      break;
    case kEnter:
      frame = enter(frame);
      break;
    case kHalt:
      at = length;
      break;
    }
    frame->steps = steps;
  }
  while (frame != &first) {
    struct frame *outer = frame->outer;
    free(frame);
    frame = outer;
  }
  return steps;
}

int main(void) {
  char line[128];
  for (unsigned i = 0; i < kNatives; ++i)
    natives[i] = &builtin[i];
  while (fgets(line, sizeof line, stdin))
    assemble(line);
  unsigned long steps = run();
  printf("%lu steps, %u left\n", steps, depth);
  return 0;
}
