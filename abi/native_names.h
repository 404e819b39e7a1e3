/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What debug information says of a program that is run as it is, in a file that the engine writes
 * (engine/native) and the Valgrind tool reads: which variables there are, where in a frame local
 * ones lie, and what members they have. So the tool parses no DWARF, and no name is made twice.
 *
 * The file is a header and nine tables. A position is that of an entry in its table; a text is a
 * position of a byte in the last one, and ends with a 0. Addresses are those in the module's file.
 *
 * Modules are the executable and the shared objects it is linked with, as far as they have debug
 * information. Each has consecutive entries of the tables of variables (its globals, by address),
 * of code (by address, without overlap) and of calls (by address). A function's local variables are
 * consecutive, too, by place and without overlap: variables that share bytes are one entry, "a|b",
 * without members.
 *
 * A frame: the canonical frame address (CFA) is what the stack pointer was before the call, so the
 * return address is at CFA - 8. `saved` bytes below that hold registers of the caller. */
#ifndef CULPRIT_ABI_NATIVE_NAMES_H
#define CULPRIT_ABI_NATIVE_NAMES_H

#include <stdint.h>

#define CULPRIT_NATIVE_NAMES_MAGIC 0x73656d616e6c7563ul /* "culnames" */
#define CULPRIT_NATIVE_NAMES_VERSION 2u

/* Frames are named when they are entered, byte for byte: what lies deeper in one than this is left
 * out. */
#define CULPRIT_NATIVE_DEEPEST 65536u

typedef struct culprit_names_module {
  uint32_t path; /* text: absolute, symbolic links resolved */
  uint32_t first_global;
  uint32_t globals;
  uint32_t first_code;
  uint32_t codes;
  uint32_t first_call;
  uint32_t calls;
  uint32_t padding;
} culprit_names_module;

typedef struct culprit_names_variable {
  int64_t place; /* of a global its address; of a local one what is to be added to the CFA */
  uint64_t size;
  uint32_t name;     /* text; of globals the linkage name, if there is one */
  uint32_t function; /* text: a local's, or that of a static variable inside one; may be empty */
  uint32_t file;     /* text */
  uint32_t line;
  uint32_t type;   /* text */
  uint32_t layout; /* position + 1; 0: one name for all of it */
  uint32_t internal;
  uint32_t padding;
} culprit_names_variable;

enum culprit_names_function_flag {
  CULPRIT_NAMES_FRAME_POINTER = 1, /* rbp is one: a place at a constant distance is the frame's */
};

typedef struct culprit_names_function {
  uint64_t entry;
  uint32_t first_variable;
  uint32_t variables;
  uint32_t saved; /* a multiple of 8 */
  uint32_t flags; /* culprit_names_function_flag */
} culprit_names_function;

typedef struct culprit_names_code {
  uint64_t low;
  uint64_t high; /* past the last byte */
  uint32_t function;
  uint32_t padding;
} culprit_names_code;

enum culprit_names_call_flag {
  CULPRIT_NAMES_HANDED_OUT = 1, /* the function that calls returns the result as it is: who called
                                   it knows what it is */
};

/* What a call hands out, if that is a block. */
typedef struct culprit_names_call {
  uint64_t address; /* that it returns to */
  uint32_t type;    /* text */
  uint32_t layout;  /* position + 1; 0: not known */
  uint32_t flags;   /* culprit_names_call_flag */
  uint32_t padding;
} culprit_names_call;

/* As culprit_layout in abi/access.h. */
typedef struct culprit_names_layout {
  uint32_t size;
  uint32_t rest; /* number of a member + 1; 0: repeated */
  uint32_t first_range;
  uint32_t ranges; /* at least one; the first starts at 0 */
  uint32_t first_member;
  uint32_t members;
} culprit_names_layout;

typedef struct culprit_names_range {
  uint32_t start;
  uint32_t member; /* number in the layout */
} culprit_names_range;

typedef uint32_t culprit_names_member; /* text: its path, "head.next" */

enum culprit_names_table {
  CULPRIT_NAMES_MODULES,
  CULPRIT_NAMES_VARIABLES,
  CULPRIT_NAMES_FUNCTIONS,
  CULPRIT_NAMES_CODES,
  CULPRIT_NAMES_CALLS,
  CULPRIT_NAMES_LAYOUTS,
  CULPRIT_NAMES_RANGES,
  CULPRIT_NAMES_MEMBERS,
  CULPRIT_NAMES_TEXTS,
  CULPRIT_NAMES_TABLES, /* how many */
};

typedef struct culprit_names_part {
  uint64_t offset; /* in the file; a multiple of 8 */
  uint32_t count;  /* entries; of texts: bytes, the last of which is 0 */
  uint32_t entry;  /* bytes of one */
} culprit_names_part;

typedef struct culprit_native_names {
  uint64_t magic;
  uint32_t version;
  uint32_t header_size;
  uint64_t size; /* of the file */
  culprit_names_part part[CULPRIT_NAMES_TABLES];
} culprit_native_names;

#ifdef __cplusplus
#define CULPRIT_NAMES_LAYOUT(type, bytes)                                                          \
  static_assert(sizeof(type) == (bytes), "bump CULPRIT_NATIVE_NAMES_VERSION and docs/formats.md")
#else
#define CULPRIT_NAMES_LAYOUT(type, bytes)                                                          \
  _Static_assert(sizeof(type) == (bytes), "bump CULPRIT_NATIVE_NAMES_VERSION and docs/formats.md")
#endif
CULPRIT_NAMES_LAYOUT(culprit_names_module, 32);
CULPRIT_NAMES_LAYOUT(culprit_names_variable, 48);
CULPRIT_NAMES_LAYOUT(culprit_names_function, 24);
CULPRIT_NAMES_LAYOUT(culprit_names_code, 24);
CULPRIT_NAMES_LAYOUT(culprit_names_call, 24);
CULPRIT_NAMES_LAYOUT(culprit_names_layout, 24);
CULPRIT_NAMES_LAYOUT(culprit_names_range, 8);
CULPRIT_NAMES_LAYOUT(culprit_names_member, 4);
CULPRIT_NAMES_LAYOUT(culprit_names_part, 16);
CULPRIT_NAMES_LAYOUT(culprit_native_names, 24 + 16 * CULPRIT_NAMES_TABLES);

#endif
