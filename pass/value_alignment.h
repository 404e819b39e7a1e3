// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A struct that is given by value is copied for the callee, and the copy's source has the alignment
// of its type: the front end makes a properly aligned copy first where that is not so. The inliner
// does not know this and copies with an alignment of 1, so that of every member that is read behind
// it nothing is known any more: a check then has to ask for the alignment, and has two ways
// (barnes_hut spent a tenth of its time there). So it is said before anything is optimised.
#pragma once

namespace llvm {
class Module;
}

namespace culprit {

// Of a module as the front end made it.
void state_value_alignments(llvm::Module &module);

} // namespace culprit
