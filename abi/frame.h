/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A frame: how an object file carries a payload (its bitcode, itself, a link line, a linker's input
 * file) in the section CULPRIT_FRAME_SECTION. The linker concatenates the sections of all objects
 * it takes, in link order, so an executable's section is a sequence of frames, possibly with
 * padding or foreign bytes between.
 *
 *   culprit_frame_header | metadata (JSON, UTF-8) | stored payload | zero bytes up to a multiple of
 * 8
 *
 * Why this section name: it is not loaded, GNU ld, gold, lld and GNU strip keep it, and unlike
 * `.llvmbc` no LTO plugin of binutils reads it. The price is that clang's -fembed-bitcode writes
 * there too, hence the magic and the checksum: a reader skips to the next magic and never trusts a
 * length before the checksum agrees. */
#ifndef CULPRIT_ABI_FRAME_H
#define CULPRIT_ABI_FRAME_H

#include <stddef.h>
#include <stdint.h>

#define CULPRIT_FRAME_SECTION ".llvmcmd"
#define CULPRIT_FRAME_MAGIC "\177CULPRIT"
#define CULPRIT_FRAME_MAGIC_SIZE 8
#define CULPRIT_FRAME_VERSION 1
#define CULPRIT_FRAME_ALIGNMENT 8

enum culprit_frame_kind {
  CULPRIT_FRAME_BITCODE = 1,       /* a module as captured before optimisation */
  CULPRIT_FRAME_NATIVE_OBJECT = 2, /* an object without bitcode, carrying itself */
  CULPRIT_FRAME_LINK_RECORD = 3,   /* metadata only: the linker's command line */
  CULPRIT_FRAME_LINKER_INPUT = 4,  /* a file the linker read: version script, linker script, … */
  CULPRIT_FRAME_SITES = 5,         /* in a flavour: the sites of one unit, see abi/sites.h */
};

enum culprit_frame_flag {
  CULPRIT_FRAME_ZSTD = 1u << 0, /* the stored payload is one zstd frame */
};

struct culprit_frame_header {
  uint8_t magic[CULPRIT_FRAME_MAGIC_SIZE];
  uint16_t version;
  uint16_t kind;  /* culprit_frame_kind */
  uint32_t flags; /* culprit_frame_flag */
  uint64_t metadata_size;
  uint64_t stored_size;
  uint64_t payload_size; /* after decompression */
  uint64_t checksum;     /* of everything above, the metadata and the stored payload */
};

#ifdef __cplusplus
static_assert(sizeof(struct culprit_frame_header) == 48,
              "bump CULPRIT_FRAME_VERSION and docs/formats.md");

/* FNV-1a, 64 bits, seeded with what came before, so that parts can be added one after another.
 * Damage is what it must find, not malice: a hostile executable is already being run by its user.
 */
inline uint64_t culprit_frame_checksum(uint64_t seed, const void *bytes, size_t size) {
  const auto *p = static_cast<const uint8_t *>(bytes);
  uint64_t hash = seed;
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ p[i]) * 0x100000001b3ULL;
  return hash;
}
#define CULPRIT_FRAME_CHECKSUM_SEED 0xcbf29ce484222325ULL

/* The checksum of a whole frame, given its header (whose checksum field does not take part). */
inline uint64_t culprit_frame_sum(const struct culprit_frame_header *header, const void *metadata,
                                  const void *stored) {
  uint64_t hash = culprit_frame_checksum(CULPRIT_FRAME_CHECKSUM_SEED, header,
                                         offsetof(struct culprit_frame_header, checksum));
  hash = culprit_frame_checksum(hash, metadata, header->metadata_size);
  return culprit_frame_checksum(hash, stored, header->stored_size);
}
#endif

#endif
