// SPDX-License-Identifier: GPL-2.0-or-later
// Valgrind's interface to tools. Its headers are C, all but the one of the kernel's types, which
// must not be inside extern "C"; and the order is theirs.
#pragma once

extern "C" {
#include <pub_tool_basics.h>
}
#include <pub_tool_vki.h>
extern "C" {
#include <pub_tool_aspacemgr.h>
#include <pub_tool_debuginfo.h>
#include <pub_tool_libcassert.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_machine.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_options.h>
#include <pub_tool_replacemalloc.h>
#include <pub_tool_stacktrace.h>
#include <pub_tool_threadstate.h>
#include <pub_tool_tooliface.h>
#include <pub_tool_vkiscnums.h>
}

// Code here is to be translated again. Only where no translated code runs: while the core deals
// with a system call or an allocation. Its public headers have a more timid one.
extern "C" void VG_(discard_translations)(Addr start, ULong length, const HChar *who);

// The frame pointer, beside the stack pointer and the instruction pointer, which its public headers
// have.
extern "C" Addr VG_(get_FP)(ThreadId thread);
