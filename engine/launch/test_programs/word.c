/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A shared object, built twice with different words. */
const char *word(void);
const char *word(void) { return WORD; }
