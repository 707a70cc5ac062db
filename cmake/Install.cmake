# What `cmake --install` puts where (docs/install.md). Everything finds the rest from its own place, so that the folder can
# be moved. lib/ has libheddle.so; the replacements of NVIDIA's libraries are in lib/heddle/, where no loader and no
# compiler looks by itself: they never take the place of a real CUDA.
install(TARGETS heddle RUNTIME DESTINATION bin)
install(PROGRAMS tools/heddle-cc DESTINATION bin)
install(FILES tools/as_nvcc.py tools/chips.py tools/compiler_options.py tools/ir_branches.py tools/kernel_directives.py tools/managed_variables.py tools/source_edits.py DESTINATION share/heddle)
install(TARGETS heddle_library LIBRARY DESTINATION lib)

foreach(library cudart cudart_12 cudart_11 cuda static_runtime cublas cublas_12 cublas_11 curand)
  if(TARGET heddle_${library})
    install(TARGETS heddle_${library} LIBRARY DESTINATION lib/heddle)
  endif()
endforeach()
foreach(link libcudart.so libcudart_static.a libcudadevrt.a libcuda.so libcublas.so libcurand.so)
  install(FILES ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${link} DESTINATION lib/heddle OPTIONAL)
endforeach()

# The workloads, and those variants that the papers' experiments run.
get_property(workloads GLOBAL PROPERTY HEDDLE_WORKLOADS)
get_property(variants GLOBAL PROPERTY HEDDLE_WORKLOAD_VARIANTS)
foreach(workload ${workloads} ${variants})
  install(PROGRAMS ${CMAKE_BINARY_DIR}/workloads/${workload} DESTINATION lib/heddle/workloads)
endforeach()

# The microbenchmarks of `heddle validate`, and the published values that they are compared with.
if(TARGET validation)
  foreach(program ${HEDDLE_VALIDATION})
    install(PROGRAMS ${CMAKE_BINARY_DIR}/validation/programs/${program} DESTINATION lib/heddle/validation/programs)
  endforeach()
  foreach(program ${HEDDLE_VALIDATION_KERNELS})
    install(PROGRAMS ${CMAKE_BINARY_DIR}/validation/programs/kernels/${program} DESTINATION lib/heddle/validation/programs/kernels)
  endforeach()
  install(DIRECTORY validation/ DESTINATION lib/heddle/validation/sources FILES_MATCHING PATTERN "*.cu" PATTERN "*.h"
    PATTERN published EXCLUDE)
  install(DIRECTORY workloads/common DESTINATION lib/heddle/validation/include FILES_MATCHING PATTERN "*.h")
  install(DIRECTORY validation/published validation/measured DESTINATION lib/heddle/validation)
endif()

# The folder that CMake and makefiles take for a CUDA toolkit (docs/install.md): links to heddle-cc, its headers and the
# libraries; the same for a build that is not installed.
function(heddle_toolkit folder compiler headers libraries)
  file(MAKE_DIRECTORY ${folder}/bin)
  file(CREATE_LINK ${compiler} ${folder}/bin/nvcc SYMBOLIC)
  file(CREATE_LINK ${headers} ${folder}/include SYMBOLIC)
  file(CREATE_LINK ${libraries} ${folder}/lib64 SYMBOLIC)
endfunction()
heddle_toolkit(${CMAKE_BINARY_DIR}/heddle-cuda ${PROJECT_SOURCE_DIR}/tools/heddle-cc ${PROJECT_SOURCE_DIR}/include/heddle-cuda
  ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
heddle_toolkit(${CMAKE_BINARY_DIR}/install/heddle-cuda ../../../bin/heddle-cc ../../include/heddle-cuda ../heddle)
install(DIRECTORY ${CMAKE_BINARY_DIR}/install/heddle-cuda DESTINATION lib)

# Headers: CUDA C++ for heddle-cc; the layers of the simulator for plug-ins and for programs that use libheddle.so.
install(DIRECTORY include/heddle-cuda DESTINATION include)
install(DIRECTORY src/ DESTINATION include/heddle FILES_MATCHING PATTERN "*.h" PATTERN "*.def"
  PATTERN device_code EXCLUDE PATTERN page EXCLUDE)
install(FILES ${CMAKE_BINARY_DIR}/src/abi/config/abi.h DESTINATION include/heddle/config)

install(DIRECTORY machines experiments schema DESTINATION share/heddle)
install(DIRECTORY templates DESTINATION share/heddle)
install(DIRECTORY docs examples DESTINATION share/doc/heddle) # as links in README.md name them
install(FILES README.md LICENSE CHANGELOG.md CITATION.cff DESTINATION share/doc/heddle)

# find_package(heddle) and pkg-config; the same for a build that is not installed.
set(HEDDLE_CONFIG_HEADERS "\${HEDDLE_ROOT}/include/heddle")
set(HEDDLE_CONFIG_LIB_DIR "\${HEDDLE_ROOT}/lib/heddle")
set(HEDDLE_CONFIG_COMMAND "\${HEDDLE_ROOT}/bin/heddle")
configure_file(cmake/heddleConfig.cmake.in ${CMAKE_BINARY_DIR}/install/heddleConfig.cmake @ONLY)
set(HEDDLE_CONFIG_HEADERS "${PROJECT_SOURCE_DIR}/src\" \"${CMAKE_BINARY_DIR}/src/abi")
set(HEDDLE_CONFIG_LIB_DIR "\${HEDDLE_ROOT}/lib")
configure_file(cmake/heddleConfig.cmake.in ${CMAKE_BINARY_DIR}/lib/cmake/heddle/heddleConfig.cmake @ONLY)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/lib/cmake/heddle/heddleConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
foreach(file HeddleCuda.cmake HeddlePlugin.cmake)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/cmake/${file} ${CMAKE_BINARY_DIR}/lib/cmake/heddle/${file} SYMBOLIC)
endforeach()
configure_file(cmake/heddle.pc.in ${CMAKE_BINARY_DIR}/install/heddle.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/install/heddleConfig.cmake
  ${CMAKE_BINARY_DIR}/lib/cmake/heddle/heddleConfigVersion.cmake
  cmake/HeddleCuda.cmake cmake/HeddlePlugin.cmake DESTINATION lib/cmake/heddle)
install(FILES ${CMAKE_BINARY_DIR}/install/heddle.pc DESTINATION lib/pkgconfig)

# Manual pages and completions: the command writes them from its own options.
set(pages ${CMAKE_BINARY_DIR}/install)
add_custom_command(
  OUTPUT ${pages}/man/heddle.1
  COMMAND heddle describe man --folder ${pages}/man
  COMMAND heddle describe completions bash > ${pages}/heddle.bash
  COMMAND heddle describe completions zsh > ${pages}/_heddle
  COMMAND heddle describe completions fish > ${pages}/heddle.fish
  DEPENDS heddle # whose options the pages tell
  COMMENT "Manual pages and completions"
  VERBATIM)
add_custom_target(heddle_pages ALL DEPENDS ${pages}/man/heddle.1)
install(DIRECTORY ${pages}/man/ DESTINATION share/man/man1)
install(FILES ${pages}/heddle.bash DESTINATION share/bash-completion/completions RENAME heddle)
install(FILES ${pages}/heddle.fish DESTINATION share/fish/vendor_completions.d)
# zsh of Debian looks for what packages bring in another folder than for what is built by hand.
install(CODE "set(zsh share/zsh/site-functions)
  if(CMAKE_INSTALL_PREFIX MATCHES \"/usr$\")
    set(zsh share/zsh/vendor-completions)
  endif()
  file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/\${zsh}\" TYPE FILE FILES \"${pages}/_heddle\")")
