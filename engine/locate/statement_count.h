// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which execution of its statement the first corruption is.
//
// A store that only copies is a definition where it leaves its object, so that "its 1st execution"
// is the first that does. A debugger counts all. So the program is executed once more, and the
// runtime counts those of the store's place (abi/options.def, `counted`). That takes microseconds
// for each, and is made only for whom it helps.
#pragma once

#include "engine/locate/iteration.h"

#include <functional>
#include <string>

namespace culprit::locate {

// Asked for an execution with this target, this order of variables, and this place counted.
using Count = std::function<Result<Execution>(const Targets &target, const std::string &layout,
                                              uint32_t place)>;

// Of the first finding, if it is a store. What cannot be counted stays as it is.
Result<void> count_statement(Located &located, const Tables &tables, const Count &count);

} // namespace culprit::locate
