// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same code as in walk_test.cpp, not optimised.
#include "runtime/unwind/walked_code_for_tests.h"

namespace culprit::unwind {
namespace {

TEST(WalkingUnoptimised, AgreesWithTheCompilersLibrary) {
  create_known_rules();
  call_everything(expect_agreement);
}

} // namespace
} // namespace culprit::unwind
