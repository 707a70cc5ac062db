heddle_layer(runtime REGISTERS DEPENDS gpu report SOURCES device.cpp device_memory.cpp child_launches.cpp device_children.cpp device_launch.cpp device_overruns.cpp device_heap.cpp module.cpp opaque_variables.cpp virtual_memory.cpp)

# Device code of heddle becomes text in the library.
find_program(HEDDLE_PYTHON python3 REQUIRED)
set(device_code ${CMAKE_CURRENT_SOURCE_DIR}/runtime/device_code)
add_custom_command(OUTPUT launches.ptx
  COMMAND ${HEDDLE_PYTHON} ${PROJECT_SOURCE_DIR}/tools/heddle-cc --ptx --no-lines -arch=sm_70 ${device_code}/launches.cu
    -o launches.ptx
  DEPENDS ${device_code}/launches.cu ${device_code}/queue.h ${PROJECT_SOURCE_DIR}/tools/heddle-cc VERBATIM)
add_custom_command(OUTPUT device_code.cpp
  COMMAND ${CMAKE_COMMAND} -DTEMPLATE=${device_code}/text.cpp.in -DHEAP=${device_code}/heap.ptx -DLAUNCHES=launches.ptx
    -DOUTPUT=device_code.cpp -P ${device_code}/embed.cmake
  DEPENDS ${device_code}/text.cpp.in ${device_code}/heap.ptx ${device_code}/embed.cmake launches.ptx VERBATIM)
target_sources(heddle_runtime PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/device_code.cpp)
