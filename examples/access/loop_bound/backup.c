// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans backups: each job is a list of words, put behind the default options. The input is a
// script:
//   defaults WORD...              options for the jobs that follow; "\ " in a word is a space
//   job NAME WORD...              a new job, or new words for it
//   path JOB PATH                 add a path to a job
//   drop NAME                     forget a job
//   plan                          print what would be called
// As in tar, the words of the defaults are counted by one loop and stored by another.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct path {
  struct path *next;
  char *name;
};

struct job {
  struct job *next;
  char *name;
  char **words;  // those of the defaults first; ends with a null pointer
  char *storage; // the defaults' words
  struct path *paths;
  unsigned own; // where those of the job itself begin
  unsigned count;
};

static struct job *jobs;
static char *defaults;
static unsigned long planned, changed, refused;

static void *take(size_t size) {
  void *block = malloc(size);
  if (!block)
    abort();
  return block;
}

static struct job *find(const char *name) {
  struct job *job = jobs;
  while (job && strcmp(job->name, name) != 0)
    job = job->next;
  return job;
}

static void drop_words(struct job *job) {
  for (unsigned i = job->own; i < job->count; ++i)
    free(job->words[i]);
  free(job->words);
  free(job->storage);
}

static unsigned count_words(const char *text) {
  unsigned count = 0;
  int inside = 0;
  for (; *text; ++text) {
#ifdef FIXED
    int space = *text == ' ' || *text == '\t';
#else
    int space = *text == ' ';
#endif
    if (*text == '\\' && text[1])
      ++text;
    count += !inside && !space;
    inside = !space;
  }
  return count;
}

// Fills `words` with the words of `text`, which is changed; returns how many.
static unsigned split(char *text, char **words) {
  unsigned count = 0;
  while (*text) {
    while (*text == ' ' || *text == '\t')
      ++text;
    if (!*text)
      break;
    char *to = text;
    words[count++] = text; // guilty: split ends words at tabs too, which count_words does not count
    while (*text && *text != ' ' && *text != '\t') {
      if (*text == '\\' && text[1])
        ++text;
      *to++ = *text++;
    }
    if (*text)
      ++text;
    *to = '\0';
  }
  return count;
}

static void set_words(struct job *job, char *rest) {
  unsigned own = rest ? count_words(rest) : 0;
  char *word;
  job->storage = take(strlen(defaults) + 1);
  strcpy(job->storage, defaults);
  job->words = take((count_words(defaults) + own + 1) * sizeof *job->words);
  job->own = job->count = split(job->storage, job->words);
  for (word = rest ? strtok(rest, " ") : NULL; word && own > 0; word = strtok(NULL, " "), --own)
    job->words[job->count++] = strdup(word);
  job->words[job->count] = NULL;
}

static void add_job(const char *name, char *rest) {
  struct job *job = find(name);
  if (job) {
    drop_words(job);
    ++changed;
  } else {
    job = take(sizeof *job);
    memset(job, 0, sizeof *job);
    job->name = strdup(name);
    job->next = jobs;
    jobs = job;
  }
  set_words(job, rest);
}

static void add_path(const char *name, const char *path) {
  struct job *job = find(name);
  if (!job || !path) {
    ++refused;
    return;
  }
  struct path **end = &job->paths;
  while (*end)
    end = &(*end)->next;
  *end = take(sizeof **end);
  (*end)->name = strdup(path);
  (*end)->next = NULL;
}

static void drop(const char *name) {
  for (struct job **link = &jobs; *link; link = &(*link)->next) {
    struct job *job = *link;
    if (strcmp(job->name, name) != 0)
      continue;
    *link = job->next;
    drop_words(job);
    while (job->paths) {
      struct path *path = job->paths;
      job->paths = path->next;
      free(path->name);
      free(path);
    }
    free(job->name);
    free(job);
    return;
  }
  ++refused;
}

static void plan(void) {
  for (const struct job *job = jobs; job; job = job->next) {
    printf("%s:", job->name);
    for (unsigned i = 0; i < job->count; ++i)
      printf(" %s", job->words[i]);
    for (const struct path *path = job->paths; path; path = path->next)
      printf(" '%s'", path->name);
    putchar('\n');
    ++planned;
  }
}

static void set_defaults(const char *text) {
  free(defaults);
  defaults = strdup(text);
}

static void obey(char *line) {
  line[strcspn(line, "\n")] = '\0';
  char *rest = strchr(line, ' ');
  if (rest)
    *rest++ = '\0';
  if (strcmp(line, "plan") == 0)
    plan();
  else if (!rest)
    ++refused;
  else if (strcmp(line, "defaults") == 0)
    set_defaults(rest);
  else if (strcmp(line, "drop") == 0)
    drop(rest);
  else {
    char *name = rest;
    rest = strchr(rest, ' ');
    if (rest)
      *rest++ = '\0';
    if (strcmp(line, "job") == 0)
      add_job(name, rest);
    else if (strcmp(line, "path") == 0)
      add_path(name, rest);
    else
      ++refused;
  }
}

int main(int argc, char **argv) {
  FILE *script = argc > 1 ? fopen(argv[1], "r") : stdin;
  static char line[4096];
  if (!script) {
    perror(argv[1]);
    return 2;
  }
  defaults = strdup("create");
  while (fgets(line, sizeof line, script))
    obey(line);
  fclose(script);
  plan();
  printf("%lu planned, %lu changed, %lu refused\n", planned, changed, refused);
  while (jobs)
    drop(jobs->name);
  free(defaults);
  return 0;
}
