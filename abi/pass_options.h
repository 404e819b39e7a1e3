/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The names of the plugin's options: `culprit cc` and the flavour builder (engine) pass them to
 * clang as
 * `-mllvm -NAME=VALUE`, the plugin (pass) declares them. */
#ifndef CULPRIT_ABI_PASS_OPTIONS_H
#define CULPRIT_ABI_PASS_OPTIONS_H

/* JSON metadata to put into the bitcode frame; without it nothing is captured. */
#define CULPRIT_PASS_CAPTURE "culprit-capture"
/* The user asked for no debug information: what was added for the capture is taken out again. */
#define CULPRIT_PASS_STRIP_DEBUG "culprit-strip-debug"
/* The flavour being made: prepares the module for whole-program work. */
#define CULPRIT_PASS_FLAVOUR "culprit-flavour"
/* The module is compiled alone, not through link-time optimisation: it is instrumented at the end
 * of its own pipeline. */
#define CULPRIT_PASS_ALONE "culprit-alone"

/* The module becomes part of the merged program of an executable: its access rows start at 0
 * (abi/access.h). */
#define CULPRIT_PASS_MAIN "culprit-main"

/* Named metadata of a module on its way to the linker: the instrumented flavour being made. */
#define CULPRIT_FLAVOUR_METADATA "culprit.flavour"
/* Named metadata: said to be main by the option above. */
#define CULPRIT_MAIN_METADATA "culprit.main"

/* Keys of a bitcode frame's metadata. */
#define CULPRIT_META_SOURCE "source"
#define CULPRIT_META_DIRECTORY "directory"
#define CULPRIT_META_ARGUMENTS "arguments"
#define CULPRIT_META_DEBUG_STRIPPED "debug_stripped"
#define CULPRIT_META_LANGUAGE "driver" /* "c" or "c++": which driver compiled it */

#endif
