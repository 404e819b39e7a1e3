// SPDX-License-Identifier: GPL-2.0-or-later
// A tool for Valgrind: which instruction writes which object, in a program as it is. It writes a
// run file, which culprit reads like that of a flavour (docs/deep.md). The tool collects; it knows
// no model, prints nothing and judges nothing.
//
// Rules: no libc, no libstdc++, no exceptions; memory from Valgrind's core, one thread at a time.
// A child of a fork goes on unwatched, and so does a program that takes the process over by exec.
#include "valgrind/caller.h"
#include "valgrind/core.h"
#include "valgrind/described.h"
#include "valgrind/heap.h"
#include "valgrind/instrument.h"
#include "valgrind/memory.h"
#include "valgrind/modules.h"
#include "valgrind/record.h"
#include "valgrind/sites.h"
#include "valgrind/stack.h"
#include "valgrind/walks.h"

extern "C" {
#include <pub_tool_clientstate.h>
}

namespace culprit::deep {
namespace {

const HChar *g_run_file = "";
const HChar *g_names = "";   // what debug information says; empty: nothing
const HChar *g_program = ""; // its path, where the command line has less
bool g_ended;

Bool take_option(const HChar *argument) {
  Bool reads = False;
  Bool counts = False;
  Bool shortcuts = False;
  Bool returns = False;
  Int depth = 0;
  if VG_STR_CLO (argument, "--run-file", g_run_file) {
  } else if VG_STR_CLO (argument, "--program", g_program) {
  } else if VG_STR_CLO (argument, "--names", g_names) {
  } else if VG_BOOL_CLO (argument, "--reads", reads) {
    g_options.reads = reads != False;
  } else if VG_BOOL_CLO (argument, "--counts", counts) {
    g_options.counts = counts != False;
  } else if VG_BOOL_CLO (argument, "--returns", returns) {
    g_options.returns = returns != False;
  } else if VG_BOOL_CLO (argument, "--shortcuts", shortcuts) {
    g_options.shortcuts = shortcuts != False;
  } else if VG_BINT_CLO (argument, "--depth", depth, 1, 64) {
    g_options.depth = static_cast<UInt>(depth);
  } else {
    return VG_(replacement_malloc_process_cmd_line_option)(argument);
  }
  return True;
}

void print_usage() {
  VG_(printf)("    --run-file=FILE           what to write to\n"
              "    --program=FILE            the program's path, for what is written\n"
              "    --names=FILE              variables and members that debug information has\n"
              "    --reads=no|yes            reads as well as writes [no]\n"
              "    --counts=no|yes           how often [no]\n"
              "    --returns=no|yes          names for the slots of return addresses [yes]\n"
              "    --shortcuts=no|yes        no: every access takes the long way [yes]\n"
              "    --depth=N                 frames kept of a call stack [16]\n");
}

void print_debug_usage() { VG_(printf)("    (none)\n"); }

void tell_start() {
  const HChar *typed = VG_(args_the_exename);
  const HChar *executable = *g_program == '\0' ? typed : g_program;
  culprit_record_start told = {};
  told.pid = static_cast<UInt>(VG_(getpid)());
  told.parent = static_cast<UInt>(VG_(getppid)());
  told.executable_length = static_cast<UInt>(VG_(strlen)(executable));
  told.argument_length = static_cast<UInt>(VG_(strlen)(typed));
  write_record(CULPRIT_RECORD_start, {&told, sizeof told}, {executable, told.executable_length},
               {typed, told.argument_length});
}

void begin() {
  if (!create_memory())
    VG_(tool_panic)("no room for the table of names");
  if (const HChar *wrong = *g_names == '\0' ? nullptr : open_descriptions(g_names)) {
    VG_(umsg)("culprit: the table of names '%s' %s\n", g_names, wrong);
    VG_(exit)(1);
  }
  if (!open_run_file(g_run_file)) {
    VG_(umsg)("culprit: cannot write the run file '%s'\n", g_run_file);
    VG_(exit)(1);
  }
  tell_start();
}

void end() {
  if (!g_ended)
    tell_end();
  g_ended = true;
}

void finish(Int) { end(); }

void mapped(Addr, SizeT, Bool, Bool, Bool, ULong debug_info) {
  if (debug_info != 0) {
    look_at_modules();
    forget_walks();
  }
}

void unmapped(Addr start, SizeT length) {
  forget_walks();
  if (forget_modules(start, length))
    forget_sites(start, length);
  else if (g_options.returns)
    clear_names(start, length);
}

void written(CorePart part, ThreadId thread, Addr address, SizeT size) {
  if (part == Vg_CoreSysCall)
    touch_by_kernel(thread, address, size);
}

void running(ThreadId thread, ULong) { switch_caller(thread); }

void before_call(ThreadId, UInt number, UWord *arguments, UInt) {
  renew_tables();
  if (number == __NR_execve || number == __NR_execveat)
    end(); // the new program drops us
  if (number == __NR_exit_group) {
    const culprit_record_exit told = {.status = static_cast<Int>(arguments[0]), .how = 0};
    write_record(CULPRIT_RECORD_exit, {&told, sizeof told});
  }
}

// A program that handles its faults may look at where it was, or go on there: from now on that must
// be exact.
void handle_faults() {
  if (g_options.faults)
    return;
  g_options.faults = true;
  VG_(discard_translations)(0, ~0ul, "culprit");
}

bool is_fault(UWord signal) {
  return signal == VKI_SIGSEGV || signal == VKI_SIGBUS || signal == VKI_SIGFPE ||
         signal == VKI_SIGILL || signal == VKI_SIGTRAP;
}

void after_call(ThreadId, UInt number, UWord *arguments, UInt, SysRes result) {
  if (number != __NR_rt_sigaction || sr_isError(result) || !is_fault(arguments[0]) ||
      arguments[1] == 0)
    return;
  const Addr handler = *reinterpret_cast<const Addr *>(arguments[1]);
  constexpr Addr kDefault = 0;
  constexpr Addr kIgnore = 1;
  if (handler != kDefault && handler != kIgnore)
    handle_faults();
}

void in_child(ThreadId) { leave_run_file(); }

void introduce() {
  VG_(details_name)("culprit");
  VG_(details_version)(nullptr);
  VG_(details_description)("which code writes which object");
  VG_(details_copyright_author)("GPL-2.0-or-later, by the authors of culprit");
  VG_(details_bug_reports_to)("the authors of culprit");
  VG_(basic_tool_funcs)(begin, instrument, finish);
  VG_(needs_command_line_options)(take_option, print_usage, print_debug_usage);
  VG_(needs_libc_freeres)();
  VG_(needs_cxx_freeres)();
  VG_(needs_syscall_wrapper)(before_call, after_call);
  replace_allocation();
  VG_(track_new_mem_mmap)(mapped);
  VG_(track_new_mem_startup)(mapped);
  VG_(track_die_mem_munmap)(unmapped);
  VG_(track_post_mem_write)(written);
  VG_(track_start_client_code)(running);
  VG_(atfork)(nullptr, nullptr, in_child);
}

} // namespace
} // namespace culprit::deep

extern "C" {
VG_DETERMINE_INTERFACE_VERSION(culprit::deep::introduce)
}
