heddle_layer(base SOURCES host_limits.cpp output_file.cpp process_log.cpp readable_name.cpp source.cpp suggest.cpp)
