find_package(SQLite3 REQUIRED)
heddle_layer(experiment DEPENDS report
  SOURCES claims.cpp combination.cpp condition.cpp condition_reader.cpp fields.cpp figure_cells.cpp figure_layout.cpp figures.cpp file.cpp
  file_parts.cpp flat_table.cpp formula.cpp formula_reader.cpp grid.cpp kernel_name.cpp link_value.cpp links.cpp note_numbers.cpp
  plan.cpp plan_file.cpp program_list.cpp published.cpp queries.cpp reading_file.cpp readings.cpp result_folder.cpp
  run_list.cpp settings_reader.cpp store.cpp sweep.cpp unpack.cpp views.cpp workload_set.cpp
  LIBRARIES nlohmann_json::nlohmann_json PkgConfig::TOMLPP PkgConfig::ZSTD SQLite::SQLite3)
