#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes stages.c, a works of many stages, each with a structure of its own that a part goes through.

The source is long because it shall be: the distance from the first corruption to the crash is more
than a thousand lines, in which the corrupt pointer is copied from structure to structure. Run it in this
folder after a change, then clang-format-19.
"""

STAGES = 48
WORDS = ("cut", "drilled", "ground", "washed", "dried", "painted", "turned", "milled", "bent", "pressed",
         "etched", "polished")

HEAD = """\
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Made by generate.py; do not edit.
// A works: parts ("part NAME MATERIAL" on standard input) go through {stages} stages, each with its own
// kind of tray, and are weighed at the end by their material. The name of the works ("works NAME") is
// copied in front of the materials in use.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {{ kParts = 64, kMaterials = 3 }};

struct material {{
  const char *name;
  unsigned density;
}};

struct part {{
  char name[20];
  struct material *material;
  unsigned volume;
}};

static struct material known[kMaterials] = {{{{"brass", 85}}, {{"steel", 78}}, {{"oak", 7}}}};
char works[24] = "";
struct material *materials[kMaterials] = {{NULL}};
static struct part parts[kParts];
static unsigned count;

static void name_works(const char *name) {{
  strcpy(works, name); // culprit: first corruption
}}

static struct material *material_of(const char *name) {{
  for (int i = 0; i < kMaterials; ++i)
    if (strcmp(known[i].name, name) == 0)
      return materials[i];
  return materials[kMaterials - 1];
}}

static void add(const char *name, const char *material) {{
  if (count == kParts)
    return;
  snprintf(parts[count].name, sizeof parts[count].name, "%s", name);
  parts[count].material = material_of(material);
  parts[count++].volume = 10 + (unsigned)strlen(name);
}}
"""

STAGE = """
// Stage {number}: parts are {word}.
struct tray_{number} {{
{fields}}};

static struct tray_{number} trays_{number}[kParts];

static void {word}_{number}(void) {{
  for (unsigned i = 0; i < count; ++i) {{
    struct tray_{number} *tray = &trays_{number}[i];
    tray->material = {source}[i].material;
    tray->volume = {source}[i].volume;
    tray->passes = 0;
    while (tray->passes < {passes} && tray->volume > 1) {{
      tray->volume -= tray->volume / {divisor};
      ++tray->passes;
    }}
    if (tray->volume % 2 == {parity})
      ++tray->volume;
  }}
}}

static unsigned rest_{number}(void) {{
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_{number}[i].volume;
  return rest;
}}
"""

TAIL = """
static unsigned long weigh(void) {{
  unsigned long weight = 0;
  for (unsigned i = 0; i < count; ++i)
    weight += (unsigned long)trays_{last}[i].volume * trays_{last}[i].material->density;
  return weight;
}}

int main(void) {{
  char line[128], name[64], material[64];
  unsigned rest = 0;
  for (int i = 0; i < kMaterials; ++i)
    materials[i] = &known[i];
  while (fgets(line, sizeof line, stdin)) {{
    if (sscanf(line, "works %63s", name) == 1)
      name_works(name);
    else if (sscanf(line, "part %63s %63s", name, material) == 2)
      add(name, material);
  }}
{calls}  printf("%u left over, weight %lu\\n", rest, weigh());
  return 0;
}}
"""


def fields(number):
    """The same members in an order of its own."""
    members = ["  struct material *material;\n", "  unsigned volume;\n", "  unsigned passes;\n",
               f"  char note[{8 + 4 * (number % 3)}];\n"]
    return "".join(members[number % 4:] + members[:number % 4])


def main():
    """The whole source."""
    text = HEAD.format(stages=STAGES)
    calls = ""
    for number in range(STAGES):
        word = WORDS[number % len(WORDS)]
        source = f"trays_{number - 1}" if number else "parts"
        text += STAGE.format(number=number, word=word, fields=fields(number), source=source,
                             passes=1 + number % 3, divisor=5 + number % 7, parity=number % 2)
        calls += f"  {word}_{number}();\n  rest += rest_{number}();\n"
    text += TAIL.format(last=STAGES - 1, calls=calls)
    with open("stages.c", "w", encoding="ascii") as out:
        out.write(text)


if __name__ == "__main__":
    main()
