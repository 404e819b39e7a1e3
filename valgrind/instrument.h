// SPDX-License-Identifier: GPL-2.0-or-later
// Puts a check before every store of the program (with --reads=yes: every load, too).
#pragma once

#include "valgrind/core.h"

namespace culprit::deep {

IRSB *instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
                 const VexGuestExtents *extents, const VexArchInfo *host, IRType guest_word,
                 IRType host_word);

} // namespace culprit::deep
