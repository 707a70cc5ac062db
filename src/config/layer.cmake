heddle_layer(config DEPENDS base SOURCES registry.cpp value.cpp range.cpp machine.cpp machine_variants.cpp plugin_file.cpp plugins.cpp toml.cpp toml_text.cpp
  ALONE toml.cpp
  LIBRARIES PkgConfig::TOMLPP ${CMAKE_DL_LIBS})

file(GLOB machine_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/machines/*.toml)
add_custom_command(
  OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/machine_files.cpp
  COMMAND ${CMAKE_COMMAND} -DOUT=${CMAKE_CURRENT_BINARY_DIR}/machine_files.cpp -DDIR=${PROJECT_SOURCE_DIR}/machines
          -P ${CMAKE_CURRENT_SOURCE_DIR}/config/embed_machines.cmake
  DEPENDS ${machine_files} ${CMAKE_CURRENT_SOURCE_DIR}/config/embed_machines.cmake
  COMMENT "Embedding the machine files")
target_sources(heddle_config PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/machine_files.cpp)

# What plug-ins are held against: the version and a digest of all headers (config/plugin.h).
file(GLOB_RECURSE abi_headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h ${CMAKE_CURRENT_SOURCE_DIR}/*.def)
set(abi ${CMAKE_CURRENT_BINARY_DIR}/abi/config/abi.h)
add_custom_command(
  OUTPUT ${abi}
  COMMAND ${CMAKE_COMMAND} -DOUT=${abi} -DDIR=${CMAKE_CURRENT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
          -P ${PROJECT_SOURCE_DIR}/cmake/abi.cmake
  DEPENDS ${abi_headers} ${PROJECT_SOURCE_DIR}/cmake/abi.cmake
  COMMENT "Looking at the headers that plug-ins use")
target_sources(heddle_config PRIVATE ${abi})
target_include_directories(heddle_config PUBLIC ${CMAKE_CURRENT_BINARY_DIR}/abi)
