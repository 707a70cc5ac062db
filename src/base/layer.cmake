pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
heddle_layer(base SOURCES digest.cpp host_limits.cpp output_file.cpp process_log.cpp process_object.cpp readable_name.cpp registration.cpp
    source.cpp suggest.cpp
  LIBRARIES PkgConfig::XXHASH)
