// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run-length packer for files kept in memory. The input is a script, one command a line:
//   store NAME TEXT               a file with this text
//   pack NAME                     make NAME.rl from NAME
//   unpack NAME.rl                make NAME from it
//   drop NAME                     forget a file
//   all                           pack every file that is not packed yet
//   list                          names, sizes and sums
// As in ncompress, the name of the new file is put together in a buffer on the stack.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kNameSize = 64, kLongestRun = 9 };

struct file {
  struct file *next;
  char *name;
  unsigned char *bytes;
  size_t size;
};

struct counters {
  unsigned packed, unpacked, refused;
  size_t before, after;
};

static struct file *files;
static struct counters counters;

static struct file *find(const char *name) {
  struct file *file = files;
  while (file && strcmp(file->name, name) != 0)
    file = file->next;
  return file;
}

static int is_packed(const char *name) {
  size_t length = strlen(name);
  return length > 3 && strcmp(name + length - 3, ".rl") == 0;
}

static void complain(const char *name, const char *what) {
  printf("%s: %s\n", name, what);
  ++counters.refused;
}

static struct file *create(const char *name, size_t room) {
  struct file *file = find(name);
  if (file) {
    free(file->bytes);
  } else {
    file = malloc(sizeof *file);
    file->name = strdup(name);
    file->next = files;
    files = file;
  }
  file->bytes = malloc(room ? room : 1);
  file->size = 0;
  return file;
}

static void drop(const char *name) {
  for (struct file **link = &files; *link; link = &(*link)->next) {
    struct file *file = *link;
    if (strcmp(file->name, name) != 0)
      continue;
    *link = file->next;
    free(file->name);
    free(file->bytes);
    free(file);
    return;
  }
  complain(name, "no such file");
}

// Runs of the same byte become a digit and the byte.
static void squeeze(const struct file *from, struct file *to) {
  for (size_t i = 0; i < from->size;) {
    size_t run = 1;
    while (i + run < from->size && run < kLongestRun && from->bytes[i + run] == from->bytes[i])
      ++run;
    if (run > 1)
      to->bytes[to->size++] = (unsigned char)('0' + run);
    to->bytes[to->size++] = from->bytes[i];
    i += run;
  }
}

static void stretch(const struct file *from, struct file *to) {
  for (size_t i = 0; i < from->size; ++i) {
    unsigned char byte = from->bytes[i];
    if (isdigit(byte) && i + 1 < from->size) {
      memset(to->bytes + to->size, from->bytes[++i], byte - '0');
      to->size += byte - '0';
    } else {
      to->bytes[to->size++] = byte;
    }
  }
}

static int convert(const char *name) {
  char target[kNameSize];
  struct file *made;
  const struct file *source = find(name);
  if (!source) {
    complain(name, "no such file");
    return 0;
  }
#ifdef FIXED
  if (strlen(name) + 4 > sizeof target) {
    complain(name, "the name is too long");
    return 0;
  }
#endif
  strcpy(target, name); // guilty: convert knows no limit for the name
  if (is_packed(name)) {
    target[strlen(target) - 3] = '\0';
    made = create(target, source->size * kLongestRun);
    stretch(source, made);
    ++counters.unpacked;
  } else {
    strcat(target, ".rl");
    made = create(target, source->size * 2);
    squeeze(source, made);
    ++counters.packed;
  }
  counters.before += source->size;
  counters.after += made->size;
  printf("%s -> %s\n", name, target);
  return 1;
}

static void convert_all(void) {
  unsigned done = 0;
  for (const struct file *file = files; file; file = file->next)
    if (!is_packed(file->name))
      done += (unsigned)convert(file->name);
  printf("%u files\n", done);
}

static void list(void) {
  for (const struct file *file = files; file; file = file->next) {
    unsigned sum = 0;
    for (size_t i = 0; i < file->size; ++i)
      sum = sum * 31 + file->bytes[i];
    printf("%8zu %08x %s\n", file->size, sum, file->name);
  }
}

static void store(const char *name, const char *text) {
  size_t length = strlen(text);
  struct file *file = create(name, length);
  // Digits are what a run is written with.
  for (size_t i = 0; i < length; ++i)
    file->bytes[file->size++] = (unsigned char)(isdigit((unsigned char)text[i]) ? '#' : text[i]);
}

static void obey(char *line) {
  char *command = strtok(line, " \n");
  char *name = strtok(NULL, " \n");
  char *text = strtok(NULL, "\n");
  if (!command)
    return;
  if (strcmp(command, "all") == 0)
    convert_all();
  else if (strcmp(command, "list") == 0)
    list();
  else if (!name)
    complain(command, "what?");
  else if (strcmp(command, "store") == 0)
    store(name, text ? text : "");
  else if (strcmp(command, "pack") == 0 || strcmp(command, "unpack") == 0)
    convert(name);
  else if (strcmp(command, "drop") == 0)
    drop(name);
  else
    complain(command, "no such command");
}

int main(int argc, char **argv) {
  FILE *script = argc > 1 ? fopen(argv[1], "r") : stdin;
  static char line[4096];
  if (!script) {
    perror(argv[1]);
    return 2;
  }
  while (fgets(line, sizeof line, script))
    obey(line);
  fclose(script);
  printf("%u packed, %u unpacked, %u refused, %zu -> %zu bytes\n", counters.packed,
         counters.unpacked, counters.refused, counters.before, counters.after);
  while (files)
    drop(files->name);
  return 0;
}
