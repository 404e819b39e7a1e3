/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The object service: while a flavour runs, its runtime asks the engine which file to load when the
 * target calls dlopen. One request per connection on a SOCK_STREAM unix socket whose path is the
 * option `objects`: request:  u32 length, then that many bytes: the name given to dlopen, NUL, the
 * file of the calling object, NUL, the current directory, NUL. answer:   u32 length, then that many
 * bytes: the path to load instead (no NUL); length 0 means "load what was asked for". An answer
 * that does not come (service gone) is the same as length 0: a target never fails because of us. */
#ifndef CULPRIT_ABI_OBJECT_SERVICE_H
#define CULPRIT_ABI_OBJECT_SERVICE_H

#define CULPRIT_OBJECT_REQUEST_MAX 12288
#define CULPRIT_OBJECT_ANSWER_MAX 4096

#endif
