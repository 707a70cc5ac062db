heddle_layer(report DEPENDS base config stats probe warp
  SOURCES result.cpp json.cpp json_parts.cpp summary.cpp table.cpp run_table.cpp compare_table.cpp views.cpp heat_map.cpp cost.cpp figure_text.cpp
  timeline.cpp trace_events.cpp
  LIBRARIES nlohmann_json::nlohmann_json)

# The revision is looked up at every build; only a new one compiles anything.
add_custom_target(heddle_version
  COMMAND ${CMAKE_COMMAND} -DOUT=${CMAKE_CURRENT_BINARY_DIR}/version.cpp -DVERSION=${PROJECT_VERSION}
          -DDIR=${PROJECT_SOURCE_DIR} -P ${CMAKE_CURRENT_SOURCE_DIR}/report/version.cmake
  BYPRODUCTS ${CMAKE_CURRENT_BINARY_DIR}/version.cpp
  COMMENT "Looking up the source revision")
add_dependencies(heddle_report heddle_version)
target_sources(heddle_report PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/version.cpp)
