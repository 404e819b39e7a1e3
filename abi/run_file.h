/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The run file: what the runtime writes while a target runs, and engine/run reads. docs/formats.md
 * has the prose.
 *
 * A header of 128 bytes, then records one behind the other, each a multiple of 8 bytes. The file is
 * a shared mapping: what is stored is kept however the process dies. A writer reserves room by
 * adding to `reserved`, fills in size and kind, then the payload, and last stores `commit`
 * (release). `committed` follows behind: every record before that offset is whole. All numbers are
 * little-endian, all offsets from the start of the file. */
#ifndef CULPRIT_ABI_RUN_FILE_H
#define CULPRIT_ABI_RUN_FILE_H

#include "abi/monitor.h"

#include <stddef.h>
#include <stdint.h>

#define CULPRIT_RUN_MAGIC 0x0a4e5552504c5543u /* the bytes "CULPRUN\n" */
#define CULPRIT_RUN_VERSION 3u
#define CULPRIT_RUN_BYTE_ORDER 0x01020304u
#define CULPRIT_RUN_RECORD_MAX (1u << 20) /* bytes, frame included */
#define CULPRIT_RUN_BUILD_ID_MAX 32

typedef enum culprit_record_kind {
#define RECORD(number, name, meaning) CULPRIT_RECORD_##name = (number),
#include "abi/records.def"
#undef RECORD
} culprit_record_kind;

typedef struct culprit_run_header {
  uint64_t magic;
  uint32_t version;
  uint32_t header_size;
  uint32_t byte_order;
  uint32_t pid;
  uint64_t start_wall_ns;      /* since 1970 */
  uint64_t start_monotonic_ns; /* tells a process from a later one with the same pid */
  uint64_t reserved;           /* end of the room handed out to writers */
  uint64_t committed;          /* every record before this offset is whole */
  uint64_t lost;               /* records dropped for want of disk or address space */
  uint64_t spare[8];
} culprit_run_header;

typedef struct culprit_record {
  uint32_t size; /* bytes, this frame included; a multiple of 8 */
  uint16_t kind;
  uint16_t flags;  /* 0 */
  uint32_t thread; /* kernel thread id of the writer */
  uint32_t commit; /* 0 while being written; then culprit_record_checksum(), which is never 0 */
} culprit_record;

/* Payloads. Text follows the fixed part; its lengths say where it ends (no NUL is stored). */
typedef struct culprit_record_start {
  uint32_t pid;
  uint32_t parent;
  uint32_t forked; /* 1: child of a fork; 0: a new image */
  uint32_t executable_length;
  uint32_t argument_length; /* argv[0] */
  uint32_t padding;
} culprit_record_start;

typedef struct culprit_record_module {
  uint64_t base; /* load bias: address in memory minus address in the file */
  uint64_t low;  /* first and past-the-last byte in memory */
  uint64_t high;
  uint8_t build_id[CULPRIT_RUN_BUILD_ID_MAX];
  uint32_t build_id_length;
  uint32_t path_length; /* 0: the executable, or an object without a file */
} culprit_record_module;

/* Ids as abi/locate.h has them. Behind it: `frames` return addresses (u64), innermost first. */
typedef struct culprit_record_crash {
  uint32_t kind;    /* culprit_crash_kind */
  int32_t signal;   /* 0: none */
  uint64_t address; /* of a fault: what was accessed, ~0 if that is no address at all (the kernel
                       does not say); else the block, the guard byte or the sentinel */
  uint64_t pc;
  uint64_t
      clock; /* of a program that does not end: that of the newest definition it goes round by */
  uint32_t place; /* __culprit_place at that moment; 0: none yet */
  uint32_t frames;
  uint64_t leaves[8];  /* __culprit_leaves (CULPRIT_LEAVES) */
  uint64_t written;    /* guard, freed write, smashed: id of the cell that was written */
  uint64_t block;      /* the block that `address` lies in or beside: its start; 0: none */
  uint64_t block_size; /* as asked for */
  uint64_t allocated;  /* id of its allocation */
  uint64_t freed;      /* id of its free; 0: alive */
  uint64_t freed_leaf; /* id of the pointer that was freed */
  int32_t status;      /* abort by exit of a handler: the status; else 0 */
  uint32_t flags;      /* culprit_crash_flag */
} culprit_record_crash;

enum culprit_crash_flag {
  CULPRIT_CRASH_THREADS = 1, /* the order of its threads depended on time: it may not repeat */
};

typedef struct culprit_record_fired {
  uint64_t id; /* with its time in this execution */
  uint64_t count;
} culprit_record_fired;

/* Follows `fired`. Behind it: `frames` return addresses (u64), innermost first. */
typedef struct culprit_record_target {
  uint64_t id;      /* as in `fired` */
  uint64_t before;  /* of a store to memory: the id its cell had before this definition wrote there;
                       0: not known */
  uint64_t beside;  /* the id of the other cell of the same 8 bytes; 0: not known */
  uint64_t through; /* the id of what was written over a part of the pointer it was made by; 0: not
                       known, or it was written as a whole */
  uint64_t address; /* of a store to memory: where it goes; 0: it is none */
  uint64_t frames;
} culprit_record_target;

/* Goes before `crash`. Of each of __culprit_pointers: */
typedef struct culprit_record_arguments {
  uint64_t freed_by[8]; /* the id of the free of the block it points into; 0: into none that was
                           freed */
  uint64_t nowhere;     /* bit i: it points to where nothing can be read */
  uint64_t somewhere;   /* bit i: to where something can be; of a fault in code that is not seen */
} culprit_record_arguments;

/* A copy of something corrupt has no definition of its own, but may be what overran a block. Behind
 * it: `frames` return addresses (u64), innermost first. Told once for each id. */
typedef struct culprit_record_astray {
  uint64_t id; /* of what was to be copied */
  uint64_t address;
  uint64_t frames;
} culprit_record_astray;

/* Goes before `crash`. A pointer that its address was made of was no pointer: its halves had been
 * written by two. */
typedef struct culprit_record_assembled {
  uint64_t id;      /* the leaf's */
  uint64_t address; /* of the pointer */
} culprit_record_assembled;

/* Somebody has copied there (row `w` of the targets file). Behind it: `frames` return addresses
 * (u64), innermost first. */
typedef struct culprit_record_brought {
  uint64_t clock; /* at that moment */
  uint64_t address;
  uint64_t frames;
} culprit_record_brought;

typedef struct culprit_record_exit {
  int32_t status;
  uint32_t how; /* 0: exit or return from main; 1: _exit */
} culprit_record_exit;

typedef struct culprit_record_heap {
  uint64_t small_bytes; /* of the arena, in use or kept */
  uint64_t large_live_bytes;
  uint64_t large_peak_bytes;
  uint64_t large_blocks; /* ever */
  uint64_t spans;
  uint64_t purged_spans;
  uint64_t refills;
  uint64_t flushes;
  uint64_t threads; /* that ever had a cache */
} culprit_record_heap;

typedef struct culprit_record_unit {
  uint64_t id; /* culprit_unit.id */
  uint32_t base;
  uint32_t sites;
} culprit_record_unit;

typedef struct culprit_record_context {
  uint32_t number;
  uint32_t padding;
  uint64_t chain; /* site numbers, 16 bits each, newest lowest; 0: unseen native code allocated */
} culprit_record_context;

/* The chain of a context of such a program is the number of one site. */
typedef struct culprit_record_native_site {
  uint32_t number; /* from 1 */
  uint32_t padding;
  uint64_t address; /* that the call returns to */
} culprit_record_native_site;

/* What a program that is run as it is has of tables comes from the records of its own run: they are
 * those of one unit, with this id. No unit of a flavour has it by chance. */
#define CULPRIT_NATIVE_UNIT 0x6e61746976652000u

typedef struct culprit_record_native_access {
  uint32_t row;     /* from 0, in order */
  uint16_t flags;   /* culprit_row_flag */
  uint16_t size;    /* of the access; 0: a call, or the kernel */
  uint64_t address; /* of the instruction; of a call: that it returns to */
  uint64_t inside;  /* of a call into a system library: the instruction in there that was first */
  uint32_t is_call;
  uint32_t padding;
} culprit_record_native_access;

enum culprit_native_kind {
  CULPRIT_NATIVE_GLOBAL = 0,
  CULPRIT_NATIVE_RETURN =
      1, /* the slot of a return address; address and symbol are its function's */
  CULPRIT_NATIVE_LOCAL = 2,
  CULPRIT_NATIVE_SAVED = 3, /* registers kept in front of a return address, as that is named */
  CULPRIT_NATIVE_BLOCK = 4, /* a member of heap blocks: its type and path */
};

/* Behind it: its symbol. */
typedef struct culprit_record_native_variable {
  uint32_t number;   /* from 0, in order: its place in the unit's table of variables */
  uint32_t internal; /* 1: only its file sees it */
  uint64_t address;
  uint64_t size;
  uint32_t name_length;
  uint32_t kind; /* culprit_native_kind */
} culprit_record_native_variable;

/* A variable that debug information describes, or one member of it: numbered as those are. Behind
 * it: so many texts, each ended by a 0: name, function, file, type, path of the member. Members of
 * blocks are numbered for themselves, from 0: the place in the unit's table of layouts, of which
 * each has this one member. */
#define CULPRIT_NATIVE_TEXTS 5
#define CULPRIT_NATIVE_TEXT 1024 /* bytes of one at most */
typedef struct culprit_record_native_object {
  uint32_t number;
  uint32_t kind; /* culprit_native_kind */
  uint64_t size; /* of the whole variable; of blocks: of the type */
  uint32_t internal;
  uint32_t line;
  uint32_t text_length;
  uint32_t padding;
} culprit_record_native_object;

enum culprit_point_flag {
  CULPRIT_POINT_COMPONENTS = 1, /* the four component numbers are of this point */
  /* Of a program without instrumentation: who said what was written since the point before. */
  CULPRIT_POINT_SCANNED = 2,    /* PAGEMAP_SCAN */
  CULPRIT_POINT_SOFT_DIRTY = 4, /* soft-dirty bits */
  CULPRIT_POINT_READ_ALL = 8,   /* nobody: every block was read */
};

typedef struct culprit_record_point {
  uint32_t index;           /* from 1 */
  uint32_t flags;           /* culprit_point_flag */
  uint64_t work;            /* units of work done so far: the time axis of the run */
  uint64_t entries;         /* function entries so far */
  uint64_t allocated_bytes; /* ever */
  uint64_t live_objects;
  uint64_t live_bytes;
  uint64_t edges;
  uint64_t cells[CULPRIT_CELLS]; /* vertexes by degrees, see abi/monitor.h */
  uint64_t components;
  uint64_t largest_component;
  uint64_t strong_components;
  uint64_t largest_strong_component;
  uint64_t scanned_words; /* by this point */
} culprit_record_point;

/* Rows of a culprit_record_point_contexts: the new counts of each context that changed since the
 * last point. */
typedef struct culprit_context_cells {
  uint32_t context;
  uint32_t cells[CULPRIT_CELLS];
} culprit_context_cells;

typedef struct culprit_record_point_contexts {
  uint32_t index;
  uint32_t count; /* rows that follow; a point with many contexts has several of these records */
} culprit_record_point_contexts;

typedef struct culprit_record_verify {
  uint32_t index;
  uint32_t threads;  /* when the graph was begun: with more than one, others go on writing */
  uint64_t vertexes; /* compared */
  uint64_t mismatches;
  uint64_t address; /* of the first vertex that differs, with its degrees */
  uint32_t graph_in;
  uint32_t graph_out;
  uint32_t scan_in;
  uint32_t scan_out;
} culprit_record_verify;

typedef enum culprit_stack_when {
  CULPRIT_STACK_BEFORE, /* moving towards the end of the range */
  CULPRIT_STACK_CROSSED,
  CULPRIT_STACK_AFTER,
} culprit_stack_when;

typedef struct culprit_record_stack {
  uint32_t index;  /* of the last metric point */
  uint16_t metric; /* culprit_degree_metric */
  uint16_t when;   /* culprit_stack_when */
  uint32_t high;   /* 1: the upper end, 0: the lower */
  uint32_t depth;  /* return addresses that follow, innermost first, u64 each */
} culprit_record_stack;

/* Rows of a culprit_record_blame: how many vertexes have this allocation context and these last
 * sites (numbers with their unit's base; ~0: none). */
typedef struct culprit_blame_row {
  uint32_t context;
  uint32_t cell;
  uint32_t linked;   /* stored the newest pointer to the vertex */
  uint32_t unlinked; /* overwrote, or freed, the newest lost pointer to it */
  uint32_t wrote;    /* wrote the vertex's own pointers last */
  uint32_t changed;  /* the newest of these writes that changed how many pointers it holds */
  uint64_t count;
} culprit_blame_row;

typedef struct culprit_record_blame {
  uint32_t index; /* of the metric point */
  uint32_t count; /* rows that follow */
} culprit_record_blame;

/* How a neighbour is joined to the vertex it is a neighbour of. */
typedef enum culprit_neighbour_link {
  CULPRIT_LINK_IN = 1,  /* it points to the vertex */
  CULPRIT_LINK_OUT = 2, /* the vertex points to it */
} culprit_neighbour_link;

typedef struct culprit_neighbour {
  uint32_t context;
  uint32_t in; /* its own degrees */
  uint32_t out;
  uint16_t links;  /* culprit_neighbour_link, both: 3 */
  uint16_t itself; /* 1: the vertex points to itself */
} culprit_neighbour;

/* Of each kind of vertexes (a context and a cell) one that lives. */
#define CULPRIT_NEIGHBOURS_SHOWN 8u /* of each direction; `in` and `out` say how many there are */
#define CULPRIT_MOST_NEIGHBOURS (2u * CULPRIT_NEIGHBOURS_SHOWN)
typedef struct culprit_record_neighbourhood {
  uint32_t index;   /* of the metric point */
  uint32_t context; /* of the vertex */
  uint32_t in;
  uint32_t out;
  uint32_t cell;
  uint32_t count; /* neighbours that follow */
} culprit_record_neighbourhood;

/* Access sets (abi/access.h). */
typedef struct culprit_record_access_unit {
  uint64_t id; /* culprit_unit.id */
  uint32_t row_base;
  uint32_t rows;
} culprit_record_access_unit;

typedef enum culprit_name_kind {
  CULPRIT_NAME_GLOBAL,
  CULPRIT_NAME_HEAP,
  CULPRIT_NAME_LOCAL,
  CULPRIT_NAME_RETURN,
  CULPRIT_NAME_OUTSIDE, /* bytes of the arena that belong to no object: behind a block, or never
                           handed out */
  CULPRIT_NAME_FREED,   /* bytes of a block that was freed and is nobody's yet */
} culprit_name_kind;

#define CULPRIT_NO_NAME 0u            /* names are numbered from 1 */
#define CULPRIT_NO_MEMBER 0xffffffffu /* the whole object is one name */

typedef struct culprit_record_name {
  uint32_t number;
  uint32_t kind;   /* culprit_name_kind */
  uint64_t unit;   /* culprit_unit.id of the variable, or of the layout of a block; 0: none */
  uint32_t object; /* position in the unit's table of variables; of blocks: number of the context;
                      outside: of the block in front; 0: none */
  uint32_t layout; /* position in the unit's table of layouts + 1; 0: none */
  uint32_t member; /* number in the layout, or CULPRIT_NO_MEMBER */
  uint32_t padding;
} culprit_record_name;

typedef struct culprit_record_access {
  uint32_t row; /* with its unit's base */
  uint32_t name;
  uint32_t period;   /* from 0 */
  uint32_t length;   /* bytes of this access that have this name */
  uint64_t address;  /* of its first byte with this name */
  uint64_t start;    /* of the object (block or variable) */
  uint64_t size;     /* of the object */
  uint32_t before;   /* name of the byte just before the object's start (of a member: before the
                        member's start); CULPRIT_NO_NAME: nothing watched */
  uint32_t previous; /* of blocks: a name of the block that lived here before; CULPRIT_NO_NAME */
  uint64_t work;     /* units of work done so far, as in points */
  uint32_t depth;    /* return addresses that follow, innermost first, u64 each */
  uint32_t padding;
} culprit_record_access;

typedef struct culprit_count_row {
  uint32_t row;
  uint32_t name;
  uint64_t count;
} culprit_count_row;

typedef struct culprit_record_counts {
  uint32_t count; /* rows that follow */
  uint32_t padding;
} culprit_record_counts;

typedef struct culprit_record_period {
  uint32_t period; /* from 1: number 0 begins with the run */
  uint32_t padding;
  uint64_t work;
} culprit_record_period;

typedef struct culprit_record_watch {
  uint64_t slow;  /* calls of __culprit_access */
  uint64_t exact; /* of them, on granules one bit cannot describe */
  uint64_t names;
  uint64_t tags;
  uint64_t tags_missing; /* kinds of granules that found no tag and are exact */
  uint64_t pairs;
  uint64_t pairs_lost;    /* not recorded for want of memory: the run says too little */
  uint64_t watched_bytes; /* largest ever: globals, blocks, locals */
} culprit_record_watch;

/* An entry of the file named by the option `events`. */
typedef struct culprit_event {
  uint32_t row;
  uint32_t name; /* of the first byte */
  uint64_t address;
  uint64_t start; /* of the object */
  uint64_t end;
} culprit_event;

#ifdef __cplusplus
#define CULPRIT_LAYOUT(condition)                                                                  \
  static_assert(condition, "bump CULPRIT_RUN_VERSION and docs/formats.md")
#else
#define CULPRIT_LAYOUT(condition)                                                                  \
  _Static_assert(condition, "bump CULPRIT_RUN_VERSION and docs/formats.md")
#endif
CULPRIT_LAYOUT(sizeof(culprit_run_header) == 128);
CULPRIT_LAYOUT(offsetof(culprit_run_header, pid) == 20);
CULPRIT_LAYOUT(offsetof(culprit_run_header, reserved) == 40);
CULPRIT_LAYOUT(offsetof(culprit_run_header, committed) == 48);
CULPRIT_LAYOUT(sizeof(culprit_record) == 16);
CULPRIT_LAYOUT(offsetof(culprit_record, commit) == 12);
CULPRIT_LAYOUT(sizeof(culprit_record_start) == 24);
CULPRIT_LAYOUT(sizeof(culprit_record_module) == 64);
CULPRIT_LAYOUT(sizeof(culprit_record_crash) == 160);
CULPRIT_LAYOUT(sizeof(culprit_record_fired) == 16);
CULPRIT_LAYOUT(sizeof(culprit_record_target) == 48);
CULPRIT_LAYOUT(sizeof(culprit_record_arguments) == 80);
CULPRIT_LAYOUT(sizeof(culprit_record_astray) == 24);
CULPRIT_LAYOUT(sizeof(culprit_record_assembled) == 16);
CULPRIT_LAYOUT(sizeof(culprit_record_brought) == 24);
CULPRIT_LAYOUT(sizeof(culprit_record_exit) == 8);
CULPRIT_LAYOUT(sizeof(culprit_record_heap) == 72);
CULPRIT_LAYOUT(sizeof(culprit_record_unit) == 16);
CULPRIT_LAYOUT(sizeof(culprit_record_context) == 16);
CULPRIT_LAYOUT(sizeof(culprit_record_native_site) == 16);
CULPRIT_LAYOUT(sizeof(culprit_record_native_access) == 32);
CULPRIT_LAYOUT(sizeof(culprit_record_native_variable) == 32);
CULPRIT_LAYOUT(sizeof(culprit_record_native_object) == 32);
CULPRIT_LAYOUT(sizeof(culprit_record_point) == 392);
CULPRIT_LAYOUT(sizeof(culprit_context_cells) == 152);
CULPRIT_LAYOUT(sizeof(culprit_record_point_contexts) == 8);
CULPRIT_LAYOUT(sizeof(culprit_record_verify) == 48);
CULPRIT_LAYOUT(sizeof(culprit_record_stack) == 16);
CULPRIT_LAYOUT(sizeof(culprit_blame_row) == 32);
CULPRIT_LAYOUT(sizeof(culprit_record_blame) == 8);
CULPRIT_LAYOUT(sizeof(culprit_neighbour) == 16);
CULPRIT_LAYOUT(sizeof(culprit_record_neighbourhood) == 24);
CULPRIT_LAYOUT(sizeof(culprit_record_access_unit) == 16);
CULPRIT_LAYOUT(sizeof(culprit_record_name) == 32);
CULPRIT_LAYOUT(sizeof(culprit_record_access) == 64);
CULPRIT_LAYOUT(sizeof(culprit_count_row) == 16);
CULPRIT_LAYOUT(sizeof(culprit_record_counts) == 8);
CULPRIT_LAYOUT(sizeof(culprit_record_period) == 16);
CULPRIT_LAYOUT(sizeof(culprit_record_watch) == 64);
CULPRIT_LAYOUT(sizeof(culprit_event) == 32);

/* Over size, kind, flags, thread, the record's offset and its payload, in words of 8 bytes: a
 * record read at the wrong place, or with any one word changed, has another checksum. Cheap on
 * purpose: two operations a word. */
static inline uint32_t culprit_record_checksum(const culprit_record *record, uint64_t offset) {
  const uint64_t multiplier = 0x9e3779b97f4a7c15u;
  const unsigned char *payload = (const unsigned char *)(record + 1);
  uint64_t sum = (offset + 1) * multiplier;
  uint64_t word;
  uint32_t i;
  sum = (sum ^ ((uint64_t)record->size << 32 | (uint64_t)record->kind << 16 | record->flags)) *
        multiplier;
  sum ^= sum >> 29;
  sum = (sum ^ record->thread) * multiplier;
  for (i = (uint32_t)sizeof(culprit_record); i + 8 <= record->size; i += 8, payload += 8) {
    __builtin_memcpy(&word, payload, 8);
    sum ^= sum >> 29;
    sum = (sum ^ word) * multiplier;
  }
  sum ^= sum >> 32;
  return (uint32_t)sum ? (uint32_t)sum : 1u;
}

#endif
