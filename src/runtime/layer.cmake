heddle_layer(runtime REGISTERS DEPENDS gpu report native
  SOURCES device.cpp device_memory.cpp child_launches.cpp device_children.cpp device_launch.cpp device_overruns.cpp device_checks.cpp check_text.cpp
  device_heap.cpp device_code/functions.cpp device_code/text.cpp fixed_memory.cpp host_pages.cpp module.cpp native_code.cpp opaque_variables.cpp profile.cpp progress_line.cpp stopped_launch.cpp virtual_memory.cpp)

# Device code of heddle becomes text in the library.
include(${PROJECT_SOURCE_DIR}/cmake/HeddleCuda.cmake)
set(device_code ${CMAKE_CURRENT_SOURCE_DIR}/runtime/device_code)
heddle_cuda_ptx(launches runtime/device_code launches)
set_source_files_properties(runtime/device_code/text.cpp PROPERTIES
  OBJECT_DEPENDS "${device_code}/heap.ptx;${device_code}/conditions.ptx;${launches}"
  COMPILE_DEFINITIONS "HEDDLE_DEVICE_CODE=\"${device_code}\";HEDDLE_LAUNCHES_PTX=\"${launches}\"")
