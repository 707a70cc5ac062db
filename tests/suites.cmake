# A test of CTest for every suite of a GoogleTest program: a process a test would mostly start processes.
#   heddle_suites(PROGRAM PREFIX [LABEL label] [SHARDED suites...])
# SHARDED: suites of many tests that take minutes. Each is four tests of CTest, which begin first: else one processor would
# be left with the longest.
# Suites are looked up when CTest starts (tests/list_suites.cmake). What CTest prints of a suite that fails names the test.
function(heddle_suites program prefix)
  cmake_parse_arguments(ARG "" "LABEL" "SHARDED" ${ARGN})
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${program}_suites.cmake)
  file(GENERATE OUTPUT ${script} CONTENT "set(program [==[$<TARGET_FILE:${program}>]==])
set(prefix ${prefix})
set(label \"${ARG_LABEL}\")
set(sharded ${ARG_SHARDED})
include([==[${PROJECT_SOURCE_DIR}/tests/list_suites.cmake]==])
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script})
endfunction()
