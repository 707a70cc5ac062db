# heddle_add_plugin(NAME FILES...): NAME.so, a plug-in of heddle (docs/plug-ins.md). With tests of CTest, heddle's contract
# tests run over it as test NAME-contract.
function(heddle_add_plugin name)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "kind of build" FORCE) # policies run every simulated cycle
  endif()
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE heddle::heddle)
  set_target_properties(${name} PROPERTIES PREFIX "" CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  # As heddle compiles its own policies.
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O2> -mpopcnt)
  endif()
  add_test(NAME ${name}-contract COMMAND ${HEDDLE_COMMAND} test-policy $<TARGET_FILE:${name}>)
endfunction()
