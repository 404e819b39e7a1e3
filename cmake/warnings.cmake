# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One place for the flags of our own code: culprit_flags (all worlds) and culprit_host (everything that
# runs outside the target and may therefore carry sanitizers).
add_library(culprit_flags INTERFACE)
target_compile_options(culprit_flags INTERFACE -Wall -Wextra -Werror)
target_include_directories(culprit_flags INTERFACE ${PROJECT_SOURCE_DIR})

add_library(culprit_host INTERFACE)
target_link_libraries(culprit_host INTERFACE culprit_flags fmt::fmt nlohmann_json::nlohmann_json)
if(CULPRIT_SANITIZE)
  target_compile_options(culprit_host INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
                                                -fno-omit-frame-pointer -gline-tables-only)
  # Debian's libLLVM is built without RTTI: its classes have no typeinfo for the vptr check to compare.
  target_compile_options(culprit_host INTERFACE -fno-sanitize=vptr,function)
  target_link_options(culprit_host INTERFACE -fsanitize=address,undefined)
endif()

# LLVM's headers as system headers: their warnings are not ours.
add_library(culprit_llvm INTERFACE)
target_include_directories(culprit_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(culprit_llvm INTERFACE _GNU_SOURCE __STDC_CONSTANT_MACROS
                                                  __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
target_link_libraries(culprit_llvm INTERFACE LLVM)
target_link_directories(culprit_llvm INTERFACE ${LLVM_LIBRARY_DIRS})
