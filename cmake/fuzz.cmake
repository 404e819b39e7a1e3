# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# culprit_fuzz_target(<name> <source> <libraries>...): a fuzz target for a reader of bytes.
# With -DCULPRIT_FUZZ=ON it is a libFuzzer binary with AddressSanitizer. Otherwise it is a test: the same source with
# test/fuzz/standalone_main.cpp, which runs the seeds and a few seconds of mutations of them. Seeds are in
# test/fuzz/corpus/<name>, and what test/fuzz/make_seeds.py makes with the built culprit in seeds/<name>. The libraries must be built with -fsanitize=fuzzer-no-link for good coverage: CULPRIT_FUZZ does that.
option(CULPRIT_FUZZ "Build the fuzz targets with libFuzzer and AddressSanitizer" OFF)
if(CULPRIT_FUZZ)
  target_compile_options(culprit_host INTERFACE -fsanitize=fuzzer-no-link,address,undefined
    -fno-sanitize=vptr,function -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(culprit_host INTERFACE -fsanitize=address,undefined)
endif()

function(culprit_fuzz_target name source)
  set(seeds ${CMAKE_BINARY_DIR}/test/fuzz/seeds/${name})
  set(corpus ${PROJECT_SOURCE_DIR}/test/fuzz/corpus/${name})
  if(NOT EXISTS ${corpus})
    set(corpus "")
  endif()
  if(CULPRIT_FUZZ)
    add_executable(${name}_fuzz ${source})
    target_link_options(${name}_fuzz PRIVATE -fsanitize=fuzzer,address,undefined)
  elseif(BUILD_TESTING)
    add_executable(${name}_fuzz ${source} ${PROJECT_SOURCE_DIR}/test/fuzz/standalone_main.cpp)
    add_test(NAME "test/fuzz: ${name}" COMMAND ${name}_fuzz --seconds=3 ${corpus} ${seeds})
    set_tests_properties("test/fuzz: ${name}" PROPERTIES TIMEOUT 120 FIXTURES_REQUIRED fuzz_seeds)
  else()
    return()
  endif()
  target_link_libraries(${name}_fuzz PRIVATE ${ARGN} culprit_host)
endfunction()
