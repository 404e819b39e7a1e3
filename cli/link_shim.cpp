// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/link_shim.h"

#include "cli/talk.h"
#include "engine/build/compile_line.h"
#include "engine/build/link_step.h"
#include "engine/build/toolchain.h"
#include "engine/launch/interrupt.h"

#include <csignal>
#include <cstdlib>
#include <sys/resource.h>

namespace culprit::cli {

int link_shim(const std::vector<std::string> &arguments) {
  launch::handle_interrupts();
  const char *linker = std::getenv(build::kLinkerVariable);
  const std::string path = linker != nullptr
                               ? std::string(linker)
                               : build::find_linker(build::find_toolchain(), "").string();
  auto status = build::link_and_record(path, arguments);
  if (!status)
    return report_error(status.error());
  if (status->ending == launch::Ending::signalled) {
    // clang tells a linker that crashed from one that failed, and so do its callers. One core file,
    // the linker's, is enough.
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    ::signal(status->code, SIG_DFL);
    ::raise(status->code);
  }
  return status->code;
}

} // namespace culprit::cli
