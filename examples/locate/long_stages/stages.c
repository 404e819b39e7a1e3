// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Made by generate.py; do not edit.
// A works: parts ("part NAME MATERIAL" on standard input) go through 48 stages, each with its own
// kind of tray, and are weighed at the end by their material. The name of the works ("works NAME")
// is copied in front of the materials in use.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kParts = 64, kMaterials = 3 };

struct material {
  const char *name;
  unsigned density;
};

struct part {
  char name[20];
  struct material *material;
  unsigned volume;
};

static struct material known[kMaterials] = {{"brass", 85}, {"steel", 78}, {"oak", 7}};
char works[24] = "";
struct material *materials[kMaterials] = {NULL};
static struct part parts[kParts];
static unsigned count;

static void name_works(const char *name) {
  strcpy(works, name); // culprit: first corruption
}

static struct material *material_of(const char *name) {
  for (int i = 0; i < kMaterials; ++i)
    if (strcmp(known[i].name, name) == 0)
      return materials[i];
  return materials[kMaterials - 1];
}

static void add(const char *name, const char *material) {
  if (count == kParts)
    return;
  snprintf(parts[count].name, sizeof parts[count].name, "%s", name);
  parts[count].material = material_of(material);
  parts[count++].volume = 10 + (unsigned)strlen(name);
}

// Stage 0: parts are cut.
struct tray_0 {
  struct material *material;
  unsigned volume;
  unsigned passes;
  char note[8];
};

static struct tray_0 trays_0[kParts];

static void cut_0(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_0 *tray = &trays_0[i];
    tray->material = parts[i].material;
    tray->volume = parts[i].volume;
    tray->passes = 0;
    while (tray->passes < 1 && tray->volume > 1) {
      tray->volume -= tray->volume / 5;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_0(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_0[i].volume;
  return rest;
}

// Stage 1: parts are drilled.
struct tray_1 {
  unsigned volume;
  unsigned passes;
  char note[12];
  struct material *material;
};

static struct tray_1 trays_1[kParts];

static void drilled_1(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_1 *tray = &trays_1[i];
    tray->material = trays_0[i].material;
    tray->volume = trays_0[i].volume;
    tray->passes = 0;
    while (tray->passes < 2 && tray->volume > 1) {
      tray->volume -= tray->volume / 6;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_1(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_1[i].volume;
  return rest;
}

// Stage 2: parts are ground.
struct tray_2 {
  unsigned passes;
  char note[16];
  struct material *material;
  unsigned volume;
};

static struct tray_2 trays_2[kParts];

static void ground_2(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_2 *tray = &trays_2[i];
    tray->material = trays_1[i].material;
    tray->volume = trays_1[i].volume;
    tray->passes = 0;
    while (tray->passes < 3 && tray->volume > 1) {
      tray->volume -= tray->volume / 7;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_2(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_2[i].volume;
  return rest;
}

// Stage 3: parts are washed.
struct tray_3 {
  char note[8];
  struct material *material;
  unsigned volume;
  unsigned passes;
};

static struct tray_3 trays_3[kParts];

static void washed_3(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_3 *tray = &trays_3[i];
    tray->material = trays_2[i].material;
    tray->volume = trays_2[i].volume;
    tray->passes = 0;
    while (tray->passes < 1 && tray->volume > 1) {
      tray->volume -= tray->volume / 8;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_3(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_3[i].volume;
  return rest;
}

// Stage 4: parts are dried.
struct tray_4 {
  struct material *material;
  unsigned volume;
  unsigned passes;
  char note[12];
};

static struct tray_4 trays_4[kParts];

static void dried_4(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_4 *tray = &trays_4[i];
    tray->material = trays_3[i].material;
    tray->volume = trays_3[i].volume;
    tray->passes = 0;
    while (tray->passes < 2 && tray->volume > 1) {
      tray->volume -= tray->volume / 9;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_4(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_4[i].volume;
  return rest;
}

// Stage 5: parts are painted.
struct tray_5 {
  unsigned volume;
  unsigned passes;
  char note[16];
  struct material *material;
};

static struct tray_5 trays_5[kParts];

static void painted_5(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_5 *tray = &trays_5[i];
    tray->material = trays_4[i].material;
    tray->volume = trays_4[i].volume;
    tray->passes = 0;
    while (tray->passes < 3 && tray->volume > 1) {
      tray->volume -= tray->volume / 10;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_5(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_5[i].volume;
  return rest;
}

// Stage 6: parts are turned.
struct tray_6 {
  unsigned passes;
  char note[8];
  struct material *material;
  unsigned volume;
};

static struct tray_6 trays_6[kParts];

static void turned_6(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_6 *tray = &trays_6[i];
    tray->material = trays_5[i].material;
    tray->volume = trays_5[i].volume;
    tray->passes = 0;
    while (tray->passes < 1 && tray->volume > 1) {
      tray->volume -= tray->volume / 11;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_6(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_6[i].volume;
  return rest;
}

// Stage 7: parts are milled.
struct tray_7 {
  char note[12];
  struct material *material;
  unsigned volume;
  unsigned passes;
};

static struct tray_7 trays_7[kParts];

static void milled_7(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_7 *tray = &trays_7[i];
    tray->material = trays_6[i].material;
    tray->volume = trays_6[i].volume;
    tray->passes = 0;
    while (tray->passes < 2 && tray->volume > 1) {
      tray->volume -= tray->volume / 5;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_7(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_7[i].volume;
  return rest;
}

// Stage 8: parts are bent.
struct tray_8 {
  struct material *material;
  unsigned volume;
  unsigned passes;
  char note[16];
};

static struct tray_8 trays_8[kParts];

static void bent_8(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_8 *tray = &trays_8[i];
    tray->material = trays_7[i].material;
    tray->volume = trays_7[i].volume;
    tray->passes = 0;
    while (tray->passes < 3 && tray->volume > 1) {
      tray->volume -= tray->volume / 6;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_8(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_8[i].volume;
  return rest;
}

// Stage 9: parts are pressed.
struct tray_9 {
  unsigned volume;
  unsigned passes;
  char note[8];
  struct material *material;
};

static struct tray_9 trays_9[kParts];

static void pressed_9(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_9 *tray = &trays_9[i];
    tray->material = trays_8[i].material;
    tray->volume = trays_8[i].volume;
    tray->passes = 0;
    while (tray->passes < 1 && tray->volume > 1) {
      tray->volume -= tray->volume / 7;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_9(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_9[i].volume;
  return rest;
}

// Stage 10: parts are etched.
struct tray_10 {
  unsigned passes;
  char note[12];
  struct material *material;
  unsigned volume;
};

static struct tray_10 trays_10[kParts];

static void etched_10(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_10 *tray = &trays_10[i];
    tray->material = trays_9[i].material;
    tray->volume = trays_9[i].volume;
    tray->passes = 0;
    while (tray->passes < 2 && tray->volume > 1) {
      tray->volume -= tray->volume / 8;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_10(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_10[i].volume;
  return rest;
}

// Stage 11: parts are polished.
struct tray_11 {
  char note[16];
  struct material *material;
  unsigned volume;
  unsigned passes;
};

static struct tray_11 trays_11[kParts];

static void polished_11(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_11 *tray = &trays_11[i];
    tray->material = trays_10[i].material;
    tray->volume = trays_10[i].volume;
    tray->passes = 0;
    while (tray->passes < 3 && tray->volume > 1) {
      tray->volume -= tray->volume / 9;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_11(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_11[i].volume;
  return rest;
}

// Stage 12: parts are cut.
struct tray_12 {
  struct material *material;
  unsigned volume;
  unsigned passes;
  char note[8];
};

static struct tray_12 trays_12[kParts];

static void cut_12(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_12 *tray = &trays_12[i];
    tray->material = trays_11[i].material;
    tray->volume = trays_11[i].volume;
    tray->passes = 0;
    while (tray->passes < 1 && tray->volume > 1) {
      tray->volume -= tray->volume / 10;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_12(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_12[i].volume;
  return rest;
}

// Stage 13: parts are drilled.
struct tray_13 {
  unsigned volume;
  unsigned passes;
  char note[12];
  struct material *material;
};

static struct tray_13 trays_13[kParts];

static void drilled_13(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_13 *tray = &trays_13[i];
    tray->material = trays_12[i].material;
    tray->volume = trays_12[i].volume;
    tray->passes = 0;
    while (tray->passes < 2 && tray->volume > 1) {
      tray->volume -= tray->volume / 11;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_13(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_13[i].volume;
  return rest;
}

// Stage 14: parts are ground.
struct tray_14 {
  unsigned passes;
  char note[16];
  struct material *material;
  unsigned volume;
};

static struct tray_14 trays_14[kParts];

static void ground_14(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_14 *tray = &trays_14[i];
    tray->material = trays_13[i].material;
    tray->volume = trays_13[i].volume;
    tray->passes = 0;
    while (tray->passes < 3 && tray->volume > 1) {
      tray->volume -= tray->volume / 5;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_14(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_14[i].volume;
  return rest;
}

// Stage 15: parts are washed.
struct tray_15 {
  char note[8];
  struct material *material;
  unsigned volume;
  unsigned passes;
};

static struct tray_15 trays_15[kParts];

static void washed_15(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_15 *tray = &trays_15[i];
    tray->material = trays_14[i].material;
    tray->volume = trays_14[i].volume;
    tray->passes = 0;
    while (tray->passes < 1 && tray->volume > 1) {
      tray->volume -= tray->volume / 6;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_15(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_15[i].volume;
  return rest;
}

// Stage 16: parts are dried.
struct tray_16 {
  struct material *material;
  unsigned volume;
  unsigned passes;
  char note[12];
};

static struct tray_16 trays_16[kParts];

static void dried_16(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_16 *tray = &trays_16[i];
    tray->material = trays_15[i].material;
    tray->volume = trays_15[i].volume;
    tray->passes = 0;
    while (tray->passes < 2 && tray->volume > 1) {
      tray->volume -= tray->volume / 7;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_16(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_16[i].volume;
  return rest;
}

// Stage 17: parts are painted.
struct tray_17 {
  unsigned volume;
  unsigned passes;
  char note[16];
  struct material *material;
};

static struct tray_17 trays_17[kParts];

static void painted_17(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_17 *tray = &trays_17[i];
    tray->material = trays_16[i].material;
    tray->volume = trays_16[i].volume;
    tray->passes = 0;
    while (tray->passes < 3 && tray->volume > 1) {
      tray->volume -= tray->volume / 8;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_17(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_17[i].volume;
  return rest;
}

// Stage 18: parts are turned.
struct tray_18 {
  unsigned passes;
  char note[8];
  struct material *material;
  unsigned volume;
};

static struct tray_18 trays_18[kParts];

static void turned_18(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_18 *tray = &trays_18[i];
    tray->material = trays_17[i].material;
    tray->volume = trays_17[i].volume;
    tray->passes = 0;
    while (tray->passes < 1 && tray->volume > 1) {
      tray->volume -= tray->volume / 9;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_18(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_18[i].volume;
  return rest;
}

// Stage 19: parts are milled.
struct tray_19 {
  char note[12];
  struct material *material;
  unsigned volume;
  unsigned passes;
};

static struct tray_19 trays_19[kParts];

static void milled_19(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_19 *tray = &trays_19[i];
    tray->material = trays_18[i].material;
    tray->volume = trays_18[i].volume;
    tray->passes = 0;
    while (tray->passes < 2 && tray->volume > 1) {
      tray->volume -= tray->volume / 10;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_19(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_19[i].volume;
  return rest;
}

// Stage 20: parts are bent.
struct tray_20 {
  struct material *material;
  unsigned volume;
  unsigned passes;
  char note[16];
};

static struct tray_20 trays_20[kParts];

static void bent_20(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_20 *tray = &trays_20[i];
    tray->material = trays_19[i].material;
    tray->volume = trays_19[i].volume;
    tray->passes = 0;
    while (tray->passes < 3 && tray->volume > 1) {
      tray->volume -= tray->volume / 11;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_20(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_20[i].volume;
  return rest;
}

// Stage 21: parts are pressed.
struct tray_21 {
  unsigned volume;
  unsigned passes;
  char note[8];
  struct material *material;
};

static struct tray_21 trays_21[kParts];

static void pressed_21(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_21 *tray = &trays_21[i];
    tray->material = trays_20[i].material;
    tray->volume = trays_20[i].volume;
    tray->passes = 0;
    while (tray->passes < 1 && tray->volume > 1) {
      tray->volume -= tray->volume / 5;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_21(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_21[i].volume;
  return rest;
}

// Stage 22: parts are etched.
struct tray_22 {
  unsigned passes;
  char note[12];
  struct material *material;
  unsigned volume;
};

static struct tray_22 trays_22[kParts];

static void etched_22(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_22 *tray = &trays_22[i];
    tray->material = trays_21[i].material;
    tray->volume = trays_21[i].volume;
    tray->passes = 0;
    while (tray->passes < 2 && tray->volume > 1) {
      tray->volume -= tray->volume / 6;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_22(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_22[i].volume;
  return rest;
}

// Stage 23: parts are polished.
struct tray_23 {
  char note[16];
  struct material *material;
  unsigned volume;
  unsigned passes;
};

static struct tray_23 trays_23[kParts];

static void polished_23(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_23 *tray = &trays_23[i];
    tray->material = trays_22[i].material;
    tray->volume = trays_22[i].volume;
    tray->passes = 0;
    while (tray->passes < 3 && tray->volume > 1) {
      tray->volume -= tray->volume / 7;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_23(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_23[i].volume;
  return rest;
}

// Stage 24: parts are cut.
struct tray_24 {
  struct material *material;
  unsigned volume;
  unsigned passes;
  char note[8];
};

static struct tray_24 trays_24[kParts];

static void cut_24(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_24 *tray = &trays_24[i];
    tray->material = trays_23[i].material;
    tray->volume = trays_23[i].volume;
    tray->passes = 0;
    while (tray->passes < 1 && tray->volume > 1) {
      tray->volume -= tray->volume / 8;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_24(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_24[i].volume;
  return rest;
}

// Stage 25: parts are drilled.
struct tray_25 {
  unsigned volume;
  unsigned passes;
  char note[12];
  struct material *material;
};

static struct tray_25 trays_25[kParts];

static void drilled_25(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_25 *tray = &trays_25[i];
    tray->material = trays_24[i].material;
    tray->volume = trays_24[i].volume;
    tray->passes = 0;
    while (tray->passes < 2 && tray->volume > 1) {
      tray->volume -= tray->volume / 9;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_25(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_25[i].volume;
  return rest;
}

// Stage 26: parts are ground.
struct tray_26 {
  unsigned passes;
  char note[16];
  struct material *material;
  unsigned volume;
};

static struct tray_26 trays_26[kParts];

static void ground_26(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_26 *tray = &trays_26[i];
    tray->material = trays_25[i].material;
    tray->volume = trays_25[i].volume;
    tray->passes = 0;
    while (tray->passes < 3 && tray->volume > 1) {
      tray->volume -= tray->volume / 10;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_26(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_26[i].volume;
  return rest;
}

// Stage 27: parts are washed.
struct tray_27 {
  char note[8];
  struct material *material;
  unsigned volume;
  unsigned passes;
};

static struct tray_27 trays_27[kParts];

static void washed_27(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_27 *tray = &trays_27[i];
    tray->material = trays_26[i].material;
    tray->volume = trays_26[i].volume;
    tray->passes = 0;
    while (tray->passes < 1 && tray->volume > 1) {
      tray->volume -= tray->volume / 11;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_27(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_27[i].volume;
  return rest;
}

// Stage 28: parts are dried.
struct tray_28 {
  struct material *material;
  unsigned volume;
  unsigned passes;
  char note[12];
};

static struct tray_28 trays_28[kParts];

static void dried_28(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_28 *tray = &trays_28[i];
    tray->material = trays_27[i].material;
    tray->volume = trays_27[i].volume;
    tray->passes = 0;
    while (tray->passes < 2 && tray->volume > 1) {
      tray->volume -= tray->volume / 5;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_28(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_28[i].volume;
  return rest;
}

// Stage 29: parts are painted.
struct tray_29 {
  unsigned volume;
  unsigned passes;
  char note[16];
  struct material *material;
};

static struct tray_29 trays_29[kParts];

static void painted_29(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_29 *tray = &trays_29[i];
    tray->material = trays_28[i].material;
    tray->volume = trays_28[i].volume;
    tray->passes = 0;
    while (tray->passes < 3 && tray->volume > 1) {
      tray->volume -= tray->volume / 6;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_29(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_29[i].volume;
  return rest;
}

// Stage 30: parts are turned.
struct tray_30 {
  unsigned passes;
  char note[8];
  struct material *material;
  unsigned volume;
};

static struct tray_30 trays_30[kParts];

static void turned_30(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_30 *tray = &trays_30[i];
    tray->material = trays_29[i].material;
    tray->volume = trays_29[i].volume;
    tray->passes = 0;
    while (tray->passes < 1 && tray->volume > 1) {
      tray->volume -= tray->volume / 7;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_30(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_30[i].volume;
  return rest;
}

// Stage 31: parts are milled.
struct tray_31 {
  char note[12];
  struct material *material;
  unsigned volume;
  unsigned passes;
};

static struct tray_31 trays_31[kParts];

static void milled_31(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_31 *tray = &trays_31[i];
    tray->material = trays_30[i].material;
    tray->volume = trays_30[i].volume;
    tray->passes = 0;
    while (tray->passes < 2 && tray->volume > 1) {
      tray->volume -= tray->volume / 8;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_31(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_31[i].volume;
  return rest;
}

// Stage 32: parts are bent.
struct tray_32 {
  struct material *material;
  unsigned volume;
  unsigned passes;
  char note[16];
};

static struct tray_32 trays_32[kParts];

static void bent_32(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_32 *tray = &trays_32[i];
    tray->material = trays_31[i].material;
    tray->volume = trays_31[i].volume;
    tray->passes = 0;
    while (tray->passes < 3 && tray->volume > 1) {
      tray->volume -= tray->volume / 9;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_32(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_32[i].volume;
  return rest;
}

// Stage 33: parts are pressed.
struct tray_33 {
  unsigned volume;
  unsigned passes;
  char note[8];
  struct material *material;
};

static struct tray_33 trays_33[kParts];

static void pressed_33(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_33 *tray = &trays_33[i];
    tray->material = trays_32[i].material;
    tray->volume = trays_32[i].volume;
    tray->passes = 0;
    while (tray->passes < 1 && tray->volume > 1) {
      tray->volume -= tray->volume / 10;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_33(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_33[i].volume;
  return rest;
}

// Stage 34: parts are etched.
struct tray_34 {
  unsigned passes;
  char note[12];
  struct material *material;
  unsigned volume;
};

static struct tray_34 trays_34[kParts];

static void etched_34(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_34 *tray = &trays_34[i];
    tray->material = trays_33[i].material;
    tray->volume = trays_33[i].volume;
    tray->passes = 0;
    while (tray->passes < 2 && tray->volume > 1) {
      tray->volume -= tray->volume / 11;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_34(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_34[i].volume;
  return rest;
}

// Stage 35: parts are polished.
struct tray_35 {
  char note[16];
  struct material *material;
  unsigned volume;
  unsigned passes;
};

static struct tray_35 trays_35[kParts];

static void polished_35(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_35 *tray = &trays_35[i];
    tray->material = trays_34[i].material;
    tray->volume = trays_34[i].volume;
    tray->passes = 0;
    while (tray->passes < 3 && tray->volume > 1) {
      tray->volume -= tray->volume / 5;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_35(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_35[i].volume;
  return rest;
}

// Stage 36: parts are cut.
struct tray_36 {
  struct material *material;
  unsigned volume;
  unsigned passes;
  char note[8];
};

static struct tray_36 trays_36[kParts];

static void cut_36(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_36 *tray = &trays_36[i];
    tray->material = trays_35[i].material;
    tray->volume = trays_35[i].volume;
    tray->passes = 0;
    while (tray->passes < 1 && tray->volume > 1) {
      tray->volume -= tray->volume / 6;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_36(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_36[i].volume;
  return rest;
}

// Stage 37: parts are drilled.
struct tray_37 {
  unsigned volume;
  unsigned passes;
  char note[12];
  struct material *material;
};

static struct tray_37 trays_37[kParts];

static void drilled_37(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_37 *tray = &trays_37[i];
    tray->material = trays_36[i].material;
    tray->volume = trays_36[i].volume;
    tray->passes = 0;
    while (tray->passes < 2 && tray->volume > 1) {
      tray->volume -= tray->volume / 7;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_37(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_37[i].volume;
  return rest;
}

// Stage 38: parts are ground.
struct tray_38 {
  unsigned passes;
  char note[16];
  struct material *material;
  unsigned volume;
};

static struct tray_38 trays_38[kParts];

static void ground_38(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_38 *tray = &trays_38[i];
    tray->material = trays_37[i].material;
    tray->volume = trays_37[i].volume;
    tray->passes = 0;
    while (tray->passes < 3 && tray->volume > 1) {
      tray->volume -= tray->volume / 8;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_38(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_38[i].volume;
  return rest;
}

// Stage 39: parts are washed.
struct tray_39 {
  char note[8];
  struct material *material;
  unsigned volume;
  unsigned passes;
};

static struct tray_39 trays_39[kParts];

static void washed_39(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_39 *tray = &trays_39[i];
    tray->material = trays_38[i].material;
    tray->volume = trays_38[i].volume;
    tray->passes = 0;
    while (tray->passes < 1 && tray->volume > 1) {
      tray->volume -= tray->volume / 9;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_39(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_39[i].volume;
  return rest;
}

// Stage 40: parts are dried.
struct tray_40 {
  struct material *material;
  unsigned volume;
  unsigned passes;
  char note[12];
};

static struct tray_40 trays_40[kParts];

static void dried_40(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_40 *tray = &trays_40[i];
    tray->material = trays_39[i].material;
    tray->volume = trays_39[i].volume;
    tray->passes = 0;
    while (tray->passes < 2 && tray->volume > 1) {
      tray->volume -= tray->volume / 10;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_40(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_40[i].volume;
  return rest;
}

// Stage 41: parts are painted.
struct tray_41 {
  unsigned volume;
  unsigned passes;
  char note[16];
  struct material *material;
};

static struct tray_41 trays_41[kParts];

static void painted_41(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_41 *tray = &trays_41[i];
    tray->material = trays_40[i].material;
    tray->volume = trays_40[i].volume;
    tray->passes = 0;
    while (tray->passes < 3 && tray->volume > 1) {
      tray->volume -= tray->volume / 11;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_41(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_41[i].volume;
  return rest;
}

// Stage 42: parts are turned.
struct tray_42 {
  unsigned passes;
  char note[8];
  struct material *material;
  unsigned volume;
};

static struct tray_42 trays_42[kParts];

static void turned_42(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_42 *tray = &trays_42[i];
    tray->material = trays_41[i].material;
    tray->volume = trays_41[i].volume;
    tray->passes = 0;
    while (tray->passes < 1 && tray->volume > 1) {
      tray->volume -= tray->volume / 5;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_42(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_42[i].volume;
  return rest;
}

// Stage 43: parts are milled.
struct tray_43 {
  char note[12];
  struct material *material;
  unsigned volume;
  unsigned passes;
};

static struct tray_43 trays_43[kParts];

static void milled_43(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_43 *tray = &trays_43[i];
    tray->material = trays_42[i].material;
    tray->volume = trays_42[i].volume;
    tray->passes = 0;
    while (tray->passes < 2 && tray->volume > 1) {
      tray->volume -= tray->volume / 6;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_43(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_43[i].volume;
  return rest;
}

// Stage 44: parts are bent.
struct tray_44 {
  struct material *material;
  unsigned volume;
  unsigned passes;
  char note[16];
};

static struct tray_44 trays_44[kParts];

static void bent_44(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_44 *tray = &trays_44[i];
    tray->material = trays_43[i].material;
    tray->volume = trays_43[i].volume;
    tray->passes = 0;
    while (tray->passes < 3 && tray->volume > 1) {
      tray->volume -= tray->volume / 7;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_44(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_44[i].volume;
  return rest;
}

// Stage 45: parts are pressed.
struct tray_45 {
  unsigned volume;
  unsigned passes;
  char note[8];
  struct material *material;
};

static struct tray_45 trays_45[kParts];

static void pressed_45(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_45 *tray = &trays_45[i];
    tray->material = trays_44[i].material;
    tray->volume = trays_44[i].volume;
    tray->passes = 0;
    while (tray->passes < 1 && tray->volume > 1) {
      tray->volume -= tray->volume / 8;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_45(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_45[i].volume;
  return rest;
}

// Stage 46: parts are etched.
struct tray_46 {
  unsigned passes;
  char note[12];
  struct material *material;
  unsigned volume;
};

static struct tray_46 trays_46[kParts];

static void etched_46(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_46 *tray = &trays_46[i];
    tray->material = trays_45[i].material;
    tray->volume = trays_45[i].volume;
    tray->passes = 0;
    while (tray->passes < 2 && tray->volume > 1) {
      tray->volume -= tray->volume / 9;
      ++tray->passes;
    }
    if (tray->volume % 2 == 0)
      ++tray->volume;
  }
}

static unsigned rest_46(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_46[i].volume;
  return rest;
}

// Stage 47: parts are polished.
struct tray_47 {
  char note[16];
  struct material *material;
  unsigned volume;
  unsigned passes;
};

static struct tray_47 trays_47[kParts];

static void polished_47(void) {
  for (unsigned i = 0; i < count; ++i) {
    struct tray_47 *tray = &trays_47[i];
    tray->material = trays_46[i].material;
    tray->volume = trays_46[i].volume;
    tray->passes = 0;
    while (tray->passes < 3 && tray->volume > 1) {
      tray->volume -= tray->volume / 10;
      ++tray->passes;
    }
    if (tray->volume % 2 == 1)
      ++tray->volume;
  }
}

static unsigned rest_47(void) {
  unsigned rest = 0;
  for (unsigned i = 0; i < count; ++i)
    rest += trays_47[i].volume;
  return rest;
}

static unsigned long weigh(void) {
  unsigned long weight = 0;
  for (unsigned i = 0; i < count; ++i)
    weight += (unsigned long)trays_47[i].volume * trays_47[i].material->density;
  return weight;
}

int main(void) {
  char line[128], name[64], material[64];
  unsigned rest = 0;
  for (int i = 0; i < kMaterials; ++i)
    materials[i] = &known[i];
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "works %63s", name) == 1)
      name_works(name);
    else if (sscanf(line, "part %63s %63s", name, material) == 2)
      add(name, material);
  }
  cut_0();
  rest += rest_0();
  drilled_1();
  rest += rest_1();
  ground_2();
  rest += rest_2();
  washed_3();
  rest += rest_3();
  dried_4();
  rest += rest_4();
  painted_5();
  rest += rest_5();
  turned_6();
  rest += rest_6();
  milled_7();
  rest += rest_7();
  bent_8();
  rest += rest_8();
  pressed_9();
  rest += rest_9();
  etched_10();
  rest += rest_10();
  polished_11();
  rest += rest_11();
  cut_12();
  rest += rest_12();
  drilled_13();
  rest += rest_13();
  ground_14();
  rest += rest_14();
  washed_15();
  rest += rest_15();
  dried_16();
  rest += rest_16();
  painted_17();
  rest += rest_17();
  turned_18();
  rest += rest_18();
  milled_19();
  rest += rest_19();
  bent_20();
  rest += rest_20();
  pressed_21();
  rest += rest_21();
  etched_22();
  rest += rest_22();
  polished_23();
  rest += rest_23();
  cut_24();
  rest += rest_24();
  drilled_25();
  rest += rest_25();
  ground_26();
  rest += rest_26();
  washed_27();
  rest += rest_27();
  dried_28();
  rest += rest_28();
  painted_29();
  rest += rest_29();
  turned_30();
  rest += rest_30();
  milled_31();
  rest += rest_31();
  bent_32();
  rest += rest_32();
  pressed_33();
  rest += rest_33();
  etched_34();
  rest += rest_34();
  polished_35();
  rest += rest_35();
  cut_36();
  rest += rest_36();
  drilled_37();
  rest += rest_37();
  ground_38();
  rest += rest_38();
  washed_39();
  rest += rest_39();
  dried_40();
  rest += rest_40();
  painted_41();
  rest += rest_41();
  turned_42();
  rest += rest_42();
  milled_43();
  rest += rest_43();
  bent_44();
  rest += rest_44();
  pressed_45();
  rest += rest_45();
  etched_46();
  rest += rest_46();
  polished_47();
  rest += rest_47();
  printf("%u left over, weight %lu\n", rest, weigh());
  return 0;
}
