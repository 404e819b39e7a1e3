# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Headers that nearly every file of a world reads are parsed once for all of them: most of the time a file takes to
# compile went into reading these. culprit_precompile(<target> host|test|pass) gives a target such a set.
# Rules: a file still names every header it needs; the preset dev has no such sets and finds a missing one. One set
# serves all targets whose flags are the same; those of culprit_host are.
option(CULPRIT_PRECOMPILE "Parse common headers once" ON)

set(culprit_host_headers
  <algorithm> <array> <cerrno> <chrono> <cmath> <csignal> <cstdint> <cstring> <expected> <filesystem> <fstream>
  <functional> <map> <memory> <mutex> <optional> <random> <set> <span> <sstream> <string> <string_view> <thread>
  <utility> <variant> <vector> <fcntl.h> <unistd.h> <fmt/format.h> <nlohmann/json.hpp>)
set(culprit_test_headers ${culprit_host_headers} <gtest/gtest.h>)
set(culprit_pass_headers
  <algorithm> <cstdint> <map> <memory> <optional> <set> <string> <utility> <vector>
  <llvm/ADT/DenseMap.h> <llvm/ADT/DenseSet.h> <llvm/ADT/SmallVector.h> <llvm/ADT/StringMap.h>
  <llvm/Analysis/ValueTracking.h> <llvm/IR/CFG.h> <llvm/IR/Constants.h> <llvm/IR/DebugInfoMetadata.h>
  <llvm/IR/Dominators.h> <llvm/IR/IRBuilder.h> <llvm/IR/InstIterator.h> <llvm/IR/Instructions.h>
  <llvm/IR/IntrinsicInst.h> <llvm/IR/MDBuilder.h> <llvm/IR/Module.h> <llvm/IR/Operator.h> <llvm/IR/PassManager.h>
  <llvm/Support/JSON.h> <llvm/Support/raw_ostream.h> <llvm/Transforms/Utils/BasicBlockUtils.h>)

# The target that owns a set, made when first asked for.
function(culprit_precompiled_set kind)
  set(owner culprit_${kind}_headers)
  if(TARGET ${owner})
    return()
  endif()
  set(source ${CMAKE_BINARY_DIR}/${owner}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "int main() {} // only what its target precompiles is of use\n")
  if(kind STREQUAL "test") # position independent as programs are
    add_executable(${owner} EXCLUDE_FROM_ALL ${source})
    target_compile_options(${owner} PRIVATE -O0)
    target_link_libraries(${owner} PRIVATE culprit_host GTest::gtest)
  else()
    add_library(${owner} STATIC ${source})
    target_link_libraries(${owner} PRIVATE culprit_host)
  endif()
  target_precompile_headers(${owner} PRIVATE ${culprit_${kind}_headers})
endfunction()

function(culprit_precompile target kind)
  if(NOT CULPRIT_PRECOMPILE)
    return()
  endif()
  if(kind STREQUAL "pass") # the plugin alone has its flags
    target_precompile_headers(${target} PRIVATE ${culprit_pass_headers})
  else()
    culprit_precompiled_set(${kind})
    target_precompile_headers(${target} REUSE_FROM culprit_${kind}_headers)
  endif()
endfunction()
