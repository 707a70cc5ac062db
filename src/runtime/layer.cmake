heddle_layer(runtime REGISTERS DEPENDS gpu report SOURCES device.cpp device_memory.cpp device_launch.cpp device_overruns.cpp device_heap.cpp module.cpp virtual_memory.cpp)

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS runtime/device_heap.ptx)
file(READ ${CMAKE_CURRENT_SOURCE_DIR}/runtime/device_heap.ptx HEDDLE_DEVICE_HEAP)
configure_file(runtime/device_heap_text.cpp.in device_heap_text.cpp @ONLY)
target_sources(heddle_runtime PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/device_heap_text.cpp)
