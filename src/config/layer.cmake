heddle_layer(config DEPENDS base SOURCES registry.cpp value.cpp range.cpp machine.cpp machine_variants.cpp toml.cpp toml_text.cpp
  ALONE toml.cpp
  LIBRARIES PkgConfig::TOMLPP)

file(GLOB machine_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/machines/*.toml)
add_custom_command(
  OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/machine_files.cpp
  COMMAND ${CMAKE_COMMAND} -DOUT=${CMAKE_CURRENT_BINARY_DIR}/machine_files.cpp -DDIR=${PROJECT_SOURCE_DIR}/machines
          -P ${CMAKE_CURRENT_SOURCE_DIR}/config/embed_machines.cmake
  DEPENDS ${machine_files} ${CMAKE_CURRENT_SOURCE_DIR}/config/embed_machines.cmake
  COMMENT "Embedding the machine files")
target_sources(heddle_config PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/machine_files.cpp)
