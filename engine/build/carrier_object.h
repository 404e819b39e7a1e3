// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tiny relocatable object that holds nothing but frames: the link record and the linker's input
// files.
#pragma once

#include <string>
#include <string_view>

namespace culprit::build {

// `retained`: mark the section so that --gc-sections keeps it. Only then, since the mark needs the
// GNU OS ABI in the object's header, which linkers copy to their output.
std::string write_carrier_object(std::string_view frames, bool retained);

} // namespace culprit::build
