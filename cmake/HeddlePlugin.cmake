# heddle_add_plugin(NAME FILES...): NAME.so, a plug-in of heddle (docs/plug-ins.md). With an installed heddle, or with a build
# of it, the test NAME-contract of CTest runs heddle's contract checks over it.
function(heddle_add_plugin name)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "kind of build" FORCE) # policies run every simulated cycle
  endif()
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE heddle::heddle)
  set_target_properties(${name} PROPERTIES PREFIX "" CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  # As heddle compiles its own policies.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O2> $<$<CXX_COMPILER_ID:GNU>:-fno-tree-vectorize>
    $<$<STREQUAL:${CMAKE_SYSTEM_PROCESSOR},x86_64>:-mpopcnt>)
  if(HEDDLE_COMMAND)
    add_test(NAME ${name}-contract COMMAND ${HEDDLE_COMMAND} test-policy $<TARGET_FILE:${name}>)
  endif()
endfunction()
