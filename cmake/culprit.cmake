# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For projects that are built with culprit-cc: tests that fail when culprit finds something. It is installed as
# share/culprit/cmake/culprit.cmake; docs/ci.md shows its use.
#
#   culprit_add_test(NAME name TARGET target [ARGS argument...] [INPUTS folder] [TRAIN folder] [ONLY heap|access]
#                    [BASELINE file] [SUPPRESSIONS file])
#
# With TRAIN, the target is trained on the inputs of that folder first (a test of its own, name.train, whose model is made anew each
# time) and then checked; without, its first corruption is located. An argument @@ stands for the input's path; without
# INPUTS there is one run. name.sarif and name.xml (JUnit) are left in the current binary folder.
find_program(CULPRIT culprit)

function(culprit_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 of "" "NAME;TARGET;INPUTS;TRAIN;ONLY;BASELINE;SUPPRESSIONS" "ARGS")
  if(NOT of_NAME OR NOT of_TARGET OR of_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "culprit_add_test needs NAME and TARGET, and knows no ${of_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT CULPRIT)
    message(FATAL_ERROR "culprit_add_test: culprit is not on the PATH")
  endif()
  set(only "")
  if(of_ONLY)
    set(only --only ${of_ONLY})
  endif()
  set(run -- $<TARGET_FILE:${of_TARGET}> ${of_ARGS})
  set(options --sarif ${CMAKE_CURRENT_BINARY_DIR}/${of_NAME}.sarif --junit ${CMAKE_CURRENT_BINARY_DIR}/${of_NAME}.xml)
  if(of_INPUTS)
    list(APPEND options --inputs ${of_INPUTS})
  endif()
  if(of_BASELINE)
    list(APPEND options --baseline ${of_BASELINE})
  endif()
  if(of_SUPPRESSIONS)
    list(APPEND options --suppressions ${of_SUPPRESSIONS})
  endif()
  if(NOT of_TRAIN)
    add_test(NAME ${of_NAME} COMMAND ${CULPRIT} locate -q ${options} ${run})
    return()
  endif()
  set(model ${CMAKE_CURRENT_BINARY_DIR}/${of_NAME}.model)
  add_test(NAME ${of_NAME}.clean COMMAND ${CMAKE_COMMAND} -E rm -f ${model})
  add_test(NAME ${of_NAME}.train COMMAND ${CULPRIT} train -q ${only} -m ${model} --inputs ${of_TRAIN} ${run})
  add_test(NAME ${of_NAME} COMMAND ${CULPRIT} check -q ${only} -m ${model} ${options} ${run})
  set_tests_properties(${of_NAME}.clean PROPERTIES FIXTURES_SETUP ${of_NAME}.clean)
  set_tests_properties(${of_NAME}.train PROPERTIES FIXTURES_REQUIRED ${of_NAME}.clean FIXTURES_SETUP ${of_NAME}.model)
  set_tests_properties(${of_NAME} PROPERTIES FIXTURES_REQUIRED ${of_NAME}.model)
endfunction()
