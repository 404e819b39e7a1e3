/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How the engine speaks to the runtime inside a target: one environment variable, in the
 * sanitizers' syntax (key=value:key=value), padded with ':' to a fixed length so that the target's
 * stack starts at the same address whatever the values are. The keys are the rows of
 * abi/options.def. */
#ifndef CULPRIT_ABI_ENVIRONMENT_H
#define CULPRIT_ABI_ENVIRONMENT_H

#define CULPRIT_RUNTIME_VARIABLE "CULPRIT_RUNTIME"
#define CULPRIT_RUNTIME_VALUE_LENGTH 1024

#endif
