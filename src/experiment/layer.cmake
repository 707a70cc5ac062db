find_package(SQLite3 REQUIRED)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
heddle_layer(experiment DEPENDS report
  SOURCES claims.cpp fields.cpp figures.cpp file.cpp file_parts.cpp formula.cpp formula_reader.cpp grid.cpp kernel_name.cpp
  links.cpp note_numbers.cpp plan.cpp plan_file.cpp published.cpp reading_file.cpp readings.cpp
  result_folder.cpp store.cpp views.cpp
  LIBRARIES nlohmann_json::nlohmann_json PkgConfig::TOMLPP PkgConfig::XXHASH PkgConfig::ZSTD SQLite::SQLite3)
