heddle_layer(runtime REGISTERS DEPENDS gpu report
  SOURCES device.cpp device_memory.cpp child_launches.cpp device_children.cpp device_launch.cpp device_overruns.cpp
  device_heap.cpp device_code/text.cpp module.cpp virtual_memory.cpp)

# Device code of heddle becomes text in the library.
include(${PROJECT_SOURCE_DIR}/cmake/HeddleCuda.cmake)
set(heap ${CMAKE_CURRENT_SOURCE_DIR}/runtime/device_code/heap.ptx)
heddle_cuda_ptx(launches runtime/device_code launches)
set_source_files_properties(runtime/device_code/text.cpp PROPERTIES
  OBJECT_DEPENDS "${heap};${launches}" COMPILE_DEFINITIONS "HEDDLE_HEAP_PTX=\"${heap}\";HEDDLE_LAUNCHES_PTX=\"${launches}\"")
