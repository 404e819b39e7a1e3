// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files mail into folders. What is being worked on (folder, subject, sender) is kept in globals.
// The input is a script, one command a line:
//   folder NAME                   open this folder
//   rule WORD FOLDER              mail with this word in its subject goes to that folder
//   mail SENDER SUBJECT...        one arrives
//   move FROM TO                  all mail of a folder into another
//   purge N                       leave the newest N in the open folder
//   report                        what is where
// As in gzip, a name from outside is copied into a global without asking how long it is.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kFolders = 40, kRules = 32 };

struct mail {
  struct mail *next;
  unsigned number;
  char *sender;
  char *subject;
};

struct folder {
  char *name;
  struct mail *mails;
  unsigned count;
};

struct rule {
  char word[16];
  char *folder;
  unsigned used;
};

static char folder_name[44];
static unsigned folder_index;
static char subject[96];
static char sender[32];
static struct rule rules[kRules];
static unsigned rule_count;
static struct folder folders[kFolders];
static unsigned folder_count;
static unsigned received, filed, refused;

static unsigned find_folder(const char *name) {
  for (unsigned i = 0; i < folder_count; ++i)
    if (strcmp(folders[i].name, name) == 0)
      return i;
  if (folder_count == kFolders)
    return 0;
  folders[folder_count].name = strdup(name);
  return folder_count++;
}

static void open_folder(const char *name) {
#ifdef FIXED
  if (strlen(name) >= sizeof folder_name) {
    ++refused;
    return;
  }
#endif
  strcpy(folder_name, name); // guilty: open_folder knows no limit for the name
  for (char *letter = folder_name; *letter; ++letter)
    *letter = (char)tolower((unsigned char)*letter);
  folder_index = find_folder(folder_name);
}

static void put(unsigned index, struct mail *mail) {
  struct folder *folder = &folders[index];
  mail->next = folder->mails;
  folder->mails = mail;
  ++folder->count;
}

static void set_sender(const char *address) {
  size_t length = strcspn(address, "@");
  if (length >= sizeof sender)
    length = sizeof sender - 1;
  memcpy(sender, address, length);
  sender[length] = '\0';
}

// Letters and digits of the line, in small letters, as far as there is room.
static void set_subject(const char *text) {
  size_t length = 0;
  for (; *text && length + 1 < sizeof subject; ++text)
    if (isalnum((unsigned char)*text) || *text == ' ')
      subject[length++] = (char)tolower((unsigned char)*text);
  subject[length] = '\0';
}

static void receive(const char *address, const char *text) {
  struct mail *mail = calloc(1, sizeof *mail);
  unsigned to = folder_index;
  set_sender(address);
  set_subject(text);
  mail->number = ++received;
  mail->sender = strdup(sender);
  mail->subject = strdup(subject);
  for (unsigned i = 0; i < rule_count; ++i)
    if (strstr(subject, rules[i].word)) {
      to = find_folder(rules[i].folder);
      ++rules[i].used;
      ++filed;
      break;
    }
  put(to, mail);
}

static void add_rule(const char *word, const char *folder) {
  if (rule_count == kRules || strlen(word) >= sizeof rules->word) {
    ++refused;
    return;
  }
  struct rule *rule = &rules[rule_count++];
  strcpy(rule->word, word);
  rule->folder = strdup(folder);
}

static void move_all(unsigned from, unsigned to) {
  struct mail *mail = folders[from].mails;
  folders[from].mails = NULL;
  folders[from].count = 0;
  while (mail) {
    struct mail *next = mail->next;
    put(to, mail);
    mail = next;
  }
}

static void drop(struct mail *mail) {
  while (mail) {
    struct mail *next = mail->next;
    free(mail->sender);
    free(mail->subject);
    free(mail);
    mail = next;
  }
}

static void purge(unsigned left) {
  struct folder *folder = &folders[folder_index];
  struct mail **link = &folder->mails;
  unsigned seen = 0;
  while (*link && seen < left) {
    link = &(*link)->next;
    ++seen;
  }
  drop(*link);
  *link = NULL;
  folder->count = seen;
}

static void report(void) {
  for (unsigned i = 0; i < folder_count; ++i) {
    printf("%s: %u\n", folders[i].name, folders[i].count);
    for (const struct mail *mail = folders[i].mails; mail; mail = mail->next)
      printf("  %u %s: %s\n", mail->number, mail->sender, mail->subject);
  }
  for (unsigned i = 0; i < rule_count; ++i)
    printf("%s -> %s: %u\n", rules[i].word, rules[i].folder, rules[i].used);
}

static void obey(char *line) {
  char *command = strtok(line, " \n");
  char *first = strtok(NULL, " \n");
  char *rest = strtok(NULL, "\n");
  if (!command)
    return;
  if (strcmp(command, "folder") == 0 && first)
    open_folder(first);
  else if (strcmp(command, "mail") == 0 && first)
    receive(first, rest ? rest : "");
  else if (strcmp(command, "rule") == 0 && first && rest)
    add_rule(first, rest);
  else if (strcmp(command, "move") == 0 && first && rest)
    move_all(find_folder(first), find_folder(rest));
  else if (strcmp(command, "purge") == 0 && first)
    purge((unsigned)atoi(first));
  else if (strcmp(command, "report") == 0)
    report();
  else
    ++refused;
}

int main(int argc, char **argv) {
  FILE *script = argc > 1 ? fopen(argv[1], "r") : stdin;
  static char line[2048];
  if (!script) {
    perror(argv[1]);
    return 2;
  }
  open_folder("inbox");
  while (fgets(line, sizeof line, script))
    obey(line);
  fclose(script);
  report();
  printf("%u received, %u filed, %u refused; in %s\n", received, filed, refused, folder_name);
  for (unsigned i = 0; i < folder_count; ++i) {
    drop(folders[i].mails);
    free(folders[i].name);
  }
  for (unsigned i = 0; i < rule_count; ++i)
    free(rules[i].folder);
  return 0;
}
