# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# culprit_unit_tests(<library>): every *_test.cpp in the current folder becomes one test binary linked
# with <library>. Tests are found by file name; there is no list to keep.
function(culprit_unit_tests library)
  if(NOT BUILD_TESTING)
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp)
  if(NOT sources)
    return()
  endif()
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE "/" "_" name ${folder})
  add_executable(${name}_test ${sources})
  target_link_libraries(${name}_test PRIVATE ${library} culprit_host ${ARGN} GTest::gtest_main)
  target_compile_options(${name}_test PRIVATE -O0) # half the time to compile; what they test is optimised
  culprit_precompile(${name}_test test)
  # DISABLED_ marks what a test runs in a process of its own, never a test that was given up.
  gtest_discover_tests(${name}_test TEST_FILTER "-*.DISABLED_*" TEST_PREFIX "${folder}: " DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT 900)
endfunction()
include(GoogleTest)

# culprit_simulated(<library> <test file>...): these tests live through hundreds of runs of simulated programs. Neither they
# nor what they test is left as slow as unoptimised code is; the precompiled headers are of other flags.
function(culprit_simulated library)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON)
  if(CULPRIT_SANITIZE)
    target_compile_options(${library} PRIVATE -O1)
    set_target_properties(${library} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  endif()
endfunction()
