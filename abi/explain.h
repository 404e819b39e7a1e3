/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The explain flavour: what the code that pass/explain/ inserts, runtime/explain/ and
 * engine/explain/ agree on. docs/explaining.md has the prose.
 *
 * Execution points. A *site* is a point (before a statement, where the runtime may stop) or a call.
 * Which predicates a site depends on is known from the site alone; what has to be counted are the
 * cycles around it. So the *structural index* of an execution point is, for every active frame from
 * the outermost on: the site it stands at, the counters of the cycles around that site, and what
 * happened at that site before (a library function may call back more than once). It is kept as a
 * digest of 64 bits, folded from the outside in: a frame's own is folded when it is entered, so a
 * point costs its own counters only. Whoever collects the same parts by other means (return
 * addresses and counters in stack slots) gets the same digests.
 *
 * Memory. A *region* is a global variable, a local variable of a frame, a block, an argument of the
 * program; its index is the fold of what it is: the name, the frame and the name, the index of the
 * allocation. A region keeps its index as long as it lives. What a program reads from files is a
 * part of its state, too: an open regular file is a region that goes by its descriptor.
 *
 * Frames. All local variables of a function, and every temporary that lives across a site, lie in
 * one piece of its stack that begins with a culprit_frame. */
#ifndef CULPRIT_ABI_EXPLAIN_H
#define CULPRIT_ABI_EXPLAIN_H

#include <stdint.h>

/* A polynomial of well mixed parts: two folds of parts that are known beforehand are one, and what
 * is not known beforehand is mixed beside the chain of multiplications. The base is 5 modulo 8: its
 * powers repeat only after 2^62. */
#define CULPRIT_INDEX_BASE 0x9e3779b97f4a7c15ull
static inline uint64_t culprit_index_mix(uint64_t part) {
  part = (part + CULPRIT_INDEX_BASE) * 0xd6e8feb86659fd93ull;
  part = (part ^ part >> 32) * 0xbf58476d1ce4e5b9ull;
  return part ^ part >> 32;
}
static inline uint64_t culprit_index_fold(uint64_t index, uint64_t part) {
  return index * CULPRIT_INDEX_BASE + culprit_index_mix(part);
}

/* Parts that keep kinds of things apart. */
enum culprit_index_part {
  CULPRIT_INDEX_ROOT = 1, /* a frame that no frame called: main, a constructor */
  CULPRIT_INDEX_BLOCK = 2,
  CULPRIT_INDEX_ARGUMENT = 3,
  CULPRIT_INDEX_FILE = 4,
  CULPRIT_INDEX_SIZED = 5, /* a variable of variable length */
};

enum culprit_site_flag {
  CULPRIT_SITE_POINT = 1,
  CULPRIT_SITE_ALLOCATES = 2, /* a call of an allocation function: the block is the program's own */
  CULPRIT_SITE_SYSTEM = 4,    /* in a header of the system */
};
/* Files whose lines are not the user's begin so. */
#define CULPRIT_SYSTEM_FILES "/usr/"

typedef struct culprit_explained_site {
  uint64_t id;            /* from the source: equal in every build that has the place */
  uint32_t first_counter; /* in culprit_explain_unit.counters, outermost cycle first */
  uint16_t counters;
  uint16_t flags;
} culprit_explained_site;

typedef struct culprit_explained_local {
  uint64_t id;
  uint32_t offset; /* from the frame's culprit_frame */
  uint32_t size;
} culprit_explained_local;

typedef struct culprit_explained_function {
  uint64_t id;
  uint32_t size; /* of the frame, culprit_frame and counters included */
  uint32_t counters;
  uint32_t locals;
  uint32_t first_local; /* its number in the tables */
  const culprit_explained_local *local;
} culprit_explained_function;

/* Counters (u64 each) follow it, then variables. */
typedef struct culprit_frame {
  struct culprit_frame *caller;
  uint64_t index; /* of the call: folded into that of everything in it */
  const culprit_explained_function *function;
  uint32_t site;     /* where it stands; 0: at no site yet */
  uint32_t happened; /* entries and allocations at that site; the pass stores 0 beside the site */
} culprit_frame;

enum culprit_region_kind {
  CULPRIT_REGION_GLOBAL = 1,
  CULPRIT_REGION_LOCAL = 2,
  CULPRIT_REGION_BLOCK = 3,    /* of the program's own */
  CULPRIT_REGION_NATIVE = 4,   /* a block that library code allocated for itself */
  CULPRIT_REGION_ARGUMENT = 5, /* argv and its strings */
  CULPRIT_REGION_CONSTANT = 6, /* a global that is never written */
  CULPRIT_REGION_CODE = 7,     /* a function: its address is all there is */
  CULPRIT_REGION_FILE = 8,     /* an open file: in snapshots only, it has no address */
};

typedef struct culprit_explained_global {
  const void *address;
  uint64_t size;
  uint64_t id;
  uint32_t kind;   /* culprit_region_kind */
  uint32_t number; /* in the tables' names */
} culprit_explained_global;

/* One per executable, handed to __culprit_register_explain by its first constructor. */
typedef struct culprit_explain_unit {
  uint64_t id;                         /* names its tables (abi/sites.h) */
  const culprit_explained_site *sites; /* numbers begin with 1: the first row is nobody's */
  uint64_t site_count;                 /* that row included */
  const uint32_t *counters;
  const culprit_explained_global *globals;
  uint64_t global_count;
} culprit_explain_unit;

/* The trace (option `trace`): events as they happen, behind one another. */
enum culprit_trace_kind {
  CULPRIT_TRACE_POINT = 1,
  CULPRIT_TRACE_READ = 2,
  CULPRIT_TRACE_WRITE = 3,
  CULPRIT_TRACE_KEEP = 4, /* a write of the compiler's: a value is kept across a call */
};
/* Beside the size that __culprit_explain_write is given: the write is such a one. */
#define CULPRIT_KEEPS (1ull << 63)

typedef struct culprit_trace_event {
  uint8_t kind;     /* culprit_trace_kind */
  uint8_t region;   /* of an access: culprit_region_kind; 0: in no region */
  uint16_t size;    /* of an access, 65535 if it is larger */
  uint32_t site;    /* of an access: 0 */
  uint64_t index;   /* of the point; of an access: of its region */
  uint64_t offset;  /* in the region */
  uint64_t address; /* of an access */
} culprit_trace_event;

/* The snapshot (option `snapshot`), written where the run stops (option `stop`): header, regions,
 * then the bytes of those that have some. */
#define CULPRIT_SNAPSHOT_MAGIC 0x0a50414e534c5543ull /* the bytes "CULSNAP\n" */
#define CULPRIT_SNAPSHOT_VERSION 2u

typedef struct culprit_snapshot_header {
  uint64_t magic;
  uint32_t version;
  uint32_t site; /* where it was taken */
  uint64_t unit;
  uint64_t regions;
  uint64_t size; /* of the file; stored last */
} culprit_snapshot_header;

typedef struct culprit_snapshot_region {
  uint64_t index;
  uint64_t address;
  uint64_t size;
  uint32_t kind;   /* culprit_region_kind */
  uint32_t number; /* variable, or site of the allocation; arguments: 0 for argv itself, else n + 1;
                      files: the descriptor */
  uint64_t bytes;  /* offset in the file; 0: contents are not told */
  uint64_t room; /* of a block or a variable of variable length: how large it may become; else 0 */
} culprit_snapshot_region;

/* A block of another run may be larger than the one that it corresponds to. A run that is to take
 * it over is told beforehand, in a file beside the snapshot (its name and this ending): rows sorted
 * by index. It gives those blocks as much room. */
#define CULPRIT_ROOMS_ENDING ".rooms"
typedef struct culprit_room {
  uint64_t index;
  uint64_t size;
} culprit_room;

/* What the bytes of an open file begin with; its name follows, then what it holds. */
typedef struct culprit_open_file {
  uint64_t offset; /* where the program stands: nothing is buffered */
  uint64_t size;   /* of the file */
  uint32_t state;  /* culprit_stream_state */
  uint32_t name;   /* so many bytes */
  uint32_t whole;  /* 0: it is too large, or cannot be read: its contents are not told */
  uint32_t flags;  /* as open(2) was given them */
} culprit_open_file;
#define CULPRIT_LARGEST_FILE (64ull << 20)

enum culprit_stream_state {
  CULPRIT_STREAM_ENDED = 1, /* the C library's stream on it has seen the end of the file */
  CULPRIT_STREAM_FAILED = 2,
};

/* A patch: what to change in a stopped run. Rows one behind the other, each followed by its bytes,
 * padded to 8. `region` and `target` count the patch's own allocations from 1; 0: the number beside
 * it is an address. */
enum culprit_patch_kind {
  CULPRIT_PATCH_ALLOCATE = 1, /* `value` bytes, for a region of index `at`, made at site `target` */
  CULPRIT_PATCH_BYTES = 2,    /* `size` bytes at region + at */
  CULPRIT_PATCH_POINTER = 3,  /* the address target + value at region + at */
  CULPRIT_PATCH_FILE = 4, /* the file open as `target` stands at `at`, its stream is in the state
                             `value` */
  CULPRIT_PATCH_CONTENTS = 5, /* the file open as `target` holds these `size` bytes */
  CULPRIT_PATCH_CLOSE = 6,    /* the file open as `target` is not */
  CULPRIT_PATCH_RESIZE = 7,   /* what begins at the address `at` has `value` bytes */
};

typedef struct culprit_patch_row {
  uint32_t kind;
  uint32_t size;
  uint32_t region;
  uint32_t target;
  uint64_t at;
  uint64_t value;
} culprit_patch_row;

/* A stopped run asks for tests by the socket `tests`, as abi/object_service.h has it; the first of
 * the three strings is what it has to say, the others are empty:
 *   ready                      the snapshot is written
 *   threads                    it has more than one thread, and cannot be tested here
 * or, of each test in the order they were asked for, separated by blanks:
 *   ended STATUS SITE          it ended: wait(2)'s status, and the last point it came to
 *   endless SITE               it did not end in time, and was ended
 *   unusable                   the patch could not be applied
 * The answer is two lines for each test, MILLISECONDS FILE: fork, apply the patch FILE (empty:
 * nothing), write standard output and error to the files FILE.out and FILE.err (the second line
 * names the stem), and end it after so long. All tests of an answer are executed at the same time.
 * An empty answer ends the run. */
#define CULPRIT_MOST_TESTS 8 /* in one answer */

#ifdef __cplusplus
static_assert(sizeof(culprit_explained_site) == 16 && sizeof(culprit_explained_local) == 16 &&
                  sizeof(culprit_explained_function) == 32 && sizeof(culprit_frame) == 32 &&
                  sizeof(culprit_explained_global) == 32 && sizeof(culprit_explain_unit) == 48 &&
                  sizeof(culprit_trace_event) == 32 && sizeof(culprit_snapshot_header) == 40 &&
                  sizeof(culprit_snapshot_region) == 48 && sizeof(culprit_open_file) == 32 &&
                  sizeof(culprit_patch_row) == 32,
              "pass, runtime and engine of one culprit agree; traces and snapshots are never kept");
#endif

#endif
