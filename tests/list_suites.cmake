# Run by CTest: adds a test `<prefix>:<suite>` for every suite of `program` (tests/suites.cmake sets both).
execute_process(COMMAND ${program} --gtest_list_tests OUTPUT_VARIABLE listed ERROR_QUIET RESULT_VARIABLE status)
if(NOT status EQUAL 0) # not built, or not able to start: a test that fails says so
  add_test(${prefix}:list-of-tests ${program} --gtest_list_tests)
  set_tests_properties(${prefix}:list-of-tests PROPERTIES LABELS "${label}")
  return()
endif()
# A suite's line starts at the margin and ends in a dot, after which a comment may follow. Types and parameters make
# suites of their own, which belong to the one that they are written as.
string(REGEX MATCHALL "\n[A-Za-z0-9_/]+\\." lines "\n${listed}")
set(suites)
foreach(line IN LISTS lines)
  string(REGEX REPLACE "[\n.]" "" suite "${line}")
  string(REGEX REPLACE "^.*/([A-Za-z_].*)$" "\\1" suite "${suite}")
  string(REGEX REPLACE "/[0-9]+$" "" suite "${suite}")
  list(APPEND suites ${suite})
endforeach()
list(REMOVE_DUPLICATES suites)
foreach(suite IN LISTS suites)
  set(filter "--gtest_filter=${suite}.*:${suite}/*:*/${suite}.*:*/${suite}/*")
  list(FIND sharded ${suite} at) # no IN_LIST: CTest sets no policies
  if(NOT at EQUAL -1)
    foreach(shard RANGE 3)
      add_test(${prefix}:${suite}-${shard} ${program} ${filter})
      set_tests_properties(${prefix}:${suite}-${shard} PROPERTIES LABELS "${label}" COST 100
        ENVIRONMENT "GTEST_TOTAL_SHARDS=4;GTEST_SHARD_INDEX=${shard}")
    endforeach()
  else()
    add_test(${prefix}:${suite} ${program} ${filter})
    set_tests_properties(${prefix}:${suite} PROPERTIES LABELS "${label}")
  endif()
endforeach()
