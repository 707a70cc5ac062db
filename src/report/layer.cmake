heddle_layer(report DEPENDS base config stats oracle cost
  SOURCES result.cpp json.cpp json_parts.cpp summary.cpp table.cpp thread_traces.cpp compare_table.cpp views.cpp
  run_summary.cpp view_text.cpp text.cpp machine_facts.cpp peak.cpp advice.cpp
  heat_map.cpp cost.cpp oracle.cpp timeline.cpp trace_events.cpp html.cpp markdown.cpp page.cpp page_tables.cpp kernels.cpp stored_run.cpp
  figure_text.cpp profile_json.cpp
  profile/columns.cpp profile/frames.cpp profile/hottest.cpp profile/rows.cpp
  profile/row_names.cpp profile/source_files.cpp profile/matching.cpp profile/text_beside.cpp profile/table.cpp
  profile/listing.cpp profile/compared.cpp profile/callgrind.cpp profile/collapsed.cpp profile/csv.cpp
  run_labels.cpp run_figures.cpp time_figures.cpp run_page.cpp compared_page.cpp source_listing.cpp source_html.cpp
  ALONE thread_traces.cpp
  LIBRARIES nlohmann_json::nlohmann_json)

# The revision is looked up at every build; only a new one compiles anything.
add_custom_target(heddle_version
  COMMAND ${CMAKE_COMMAND} -DOUT=${CMAKE_CURRENT_BINARY_DIR}/version.cpp -DVERSION=${PROJECT_VERSION}
          -DDIR=${PROJECT_SOURCE_DIR} -P ${CMAKE_CURRENT_SOURCE_DIR}/report/version.cmake
  BYPRODUCTS ${CMAKE_CURRENT_BINARY_DIR}/version.cpp
  COMMENT "Looking up the source revision")
add_dependencies(heddle_report heddle_version)
target_sources(heddle_report PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/version.cpp)

# The style and script of pages become part of the program; Chart.js stays where its package put it.
set(assets)
foreach(asset page.css dark.css colours.js charts.js bars.js lines.js maps.js tables.js page.js source.css source.js)
  list(APPEND assets ${CMAKE_CURRENT_SOURCE_DIR}/report/page/${asset})
endforeach()
add_custom_command(
  OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/page_assets.cpp
  COMMAND ${CMAKE_COMMAND} -DOUT=${CMAKE_CURRENT_BINARY_DIR}/page_assets.cpp -DDIR=${CMAKE_CURRENT_SOURCE_DIR}/report/page
          -P ${CMAKE_CURRENT_SOURCE_DIR}/report/page_assets.cmake
  DEPENDS ${assets} ${CMAKE_CURRENT_SOURCE_DIR}/report/page_assets.cmake
  COMMENT "Embedding the style and script of pages"
  VERBATIM)
target_sources(heddle_report PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/page_assets.cpp)
find_file(HEDDLE_CHART_JS chart.min.js PATHS /usr/share/javascript/chart.js NO_DEFAULT_PATH
  DOC "Chart.js 3, which the charts of pages are drawn with")
set(chart_js ${HEDDLE_CHART_JS})
if(NOT chart_js)
  set(chart_js /usr/share/javascript/chart.js/chart.min.js)
  message(STATUS "Chart.js is not installed (Debian: libjs-chart.js): until it is, no pages can be written")
endif()
set_source_files_properties(report/page.cpp PROPERTIES COMPILE_DEFINITIONS HEDDLE_CHART_JS="${chart_js}")
