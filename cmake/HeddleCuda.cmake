# heddle_cuda_program(NAME FILES...): builds a CUDA program with heddle-cc into <build>/workloads/NAME, linked to heddle's
# libcudart.so.13: that of the build that includes this file, or of the heddle that find_package has found. Files that do not end in .cu are ordinary C++ sources of the host.
#   OPTIONS ...   options for heddle-cc (-D..., -I..., -O3)
#   FOLDER dir    another folder under the build folder
#   LATER         built by its target workload_NAME only
get_filename_component(HEDDLE_CMAKE ${CMAKE_CURRENT_LIST_FILE} REALPATH) # a build has links to the files of its source
cmake_path(GET HEDDLE_CMAKE PARENT_PATH HEDDLE_CMAKE)
if(EXISTS ${HEDDLE_CMAKE}/../tools/heddle-cc)
  cmake_path(SET HEDDLE_FILES NORMALIZE ${HEDDLE_CMAKE}/..)
  set(HEDDLE_CC ${HEDDLE_FILES}/tools/heddle-cc)
  set(HEDDLE_CC_PARTS ${HEDDLE_FILES}/tools/as_nvcc.py ${HEDDLE_FILES}/tools/chips.py ${HEDDLE_FILES}/tools/compiler_options.py ${HEDDLE_FILES}/tools/ir_branches.py
    ${HEDDLE_FILES}/tools/kernel_directives.py ${HEDDLE_FILES}/tools/managed_variables.py ${HEDDLE_FILES}/tools/source_edits.py)
else() # installed: lib/cmake/heddle
  cmake_path(SET HEDDLE_FILES NORMALIZE ${HEDDLE_CMAKE}/../../..)
  set(HEDDLE_CC ${HEDDLE_FILES}/bin/heddle-cc)
  set(HEDDLE_CC_PARTS ${HEDDLE_FILES}/share/heddle/as_nvcc.py ${HEDDLE_FILES}/share/heddle/chips.py ${HEDDLE_FILES}/share/heddle/compiler_options.py ${HEDDLE_FILES}/share/heddle/ir_branches.py
    ${HEDDLE_FILES}/share/heddle/kernel_directives.py ${HEDDLE_FILES}/share/heddle/managed_variables.py
    ${HEDDLE_FILES}/share/heddle/source_edits.py)
endif()
file(GLOB_RECURSE HEDDLE_CUDA_HEADERS CONFIGURE_DEPENDS ${HEDDLE_FILES}/include/heddle-cuda/*)
find_program(HEDDLE_CLANG NAMES clang++-14 clang++-15 clang++-16 clang++-17 clang++-18 clang++-19 clang++
  DOC "clang that compiles CUDA programs")

function(heddle_cuda_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "LATER" "FOLDER" "OPTIONS")
  if(NOT HEDDLE_CLANG)
    message(FATAL_ERROR "no clang found, which compiles the CUDA programs: run tools/install-deps")
  endif()
  if(NOT arg_FOLDER)
    set(arg_FOLDER workloads)
  endif()
  if(TARGET heddle_cudart) # programs of heddle itself, which are installed: they name their sources as its tree does
    list(APPEND arg_OPTIONS -ffile-prefix-map=${PROJECT_SOURCE_DIR}/= -fdebug-compilation-dir=.)
  endif()
  set(objects)
  foreach(file IN LISTS arg_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH file OUTPUT_VARIABLE source)
    if(NOT file MATCHES "\\.cu$")
      list(APPEND objects ${source})
      continue()
    endif()
    cmake_path(GET file STEM stem)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.cuda/${stem}.o)
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/${name}.cuda
      COMMAND ${HEDDLE_CC} --clang ${HEDDLE_CLANG} -c ${source} -o ${object} --depfile ${object}.d ${arg_OPTIONS}
      DEPENDS ${source} ${HEDDLE_CC} ${HEDDLE_CC_PARTS} ${HEDDLE_CUDA_HEADERS}
      DEPFILE ${object}.d
      COMMENT "CUDA ${name}/${stem}.o"
      VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  if(TARGET heddle_cudart)
    set(runtime $<TARGET_FILE:heddle_cudart>)
    set(lib_dir ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
  else()
    set(runtime ${HEDDLE_LIB_DIR}/libcudart.so.13)
    set(lib_dir ${HEDDLE_LIB_DIR})
  endif()
  set(program ${CMAKE_BINARY_DIR}/${arg_FOLDER}/${name})
  cmake_path(GET program PARENT_PATH folder)
  add_custom_command(
    OUTPUT ${program}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${HEDDLE_CC} --clang ${HEDDLE_CLANG} ${objects} -o ${program} --lib-dir ${lib_dir}
            ${arg_OPTIONS}
    DEPENDS ${objects} ${runtime}
    COMMENT "CUDA program ${name}"
    VERBATIM)
  string(REPLACE "/" "_" target ${name})
  set(all ALL)
  if(arg_LATER)
    set(all)
  endif()
  add_custom_target(workload_${target} ${all} DEPENDS ${program})
  set_target_properties(workload_${target} PROPERTIES HEDDLE_PROGRAM ${program})
endfunction()

# heddle_cuda_ptx(VARIABLE FOLDER STEMS...): compiles FOLDER/STEM.cu to STEM.ptx in the present build folder, for libraries
# that carry device code as PTX. VARIABLE gets the paths of the texts.
function(heddle_cuda_ptx variable folder)
  if(NOT HEDDLE_CLANG)
    message(FATAL_ERROR "no clang found, which compiles kernels: run tools/install-deps")
  endif()
  set(texts)
  foreach(stem IN LISTS ARGN)
    set(source ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/${stem}.cu)
    set(text ${CMAKE_CURRENT_BINARY_DIR}/${stem}.ptx)
    add_custom_command(
      OUTPUT ${text}
      COMMAND ${HEDDLE_CC} --clang ${HEDDLE_CLANG} --ptx -I${PROJECT_SOURCE_DIR}/src ${source} -o ${text} --depfile ${text}.d --no-lines
      DEPENDS ${source} ${HEDDLE_CC} ${HEDDLE_CC_PARTS}
      DEPFILE ${text}.d
      COMMENT "PTX ${stem}.ptx"
      VERBATIM)
    list(APPEND texts ${text})
  endforeach()
  set(${variable} ${texts} PARENT_SCOPE)
endfunction()

# heddle_replacement(TARGET SONAME PREFIX): makes a shared library a replacement of NVIDIA's library of that name: names
# that begin with PREFIX are visible, and have the soname as their version, as NVIDIA's have.
function(heddle_replacement target soname prefix)
  set(map ${CMAKE_CURRENT_BINARY_DIR}/${soname}.map)
  file(CONFIGURE OUTPUT ${map} CONTENT "${soname} { global: ${prefix}*; local: *; };\n")
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME ${soname} SUFFIX "" NO_SONAME ON
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN:$ORIGIN/.." LINK_DEPENDS ${map})
  target_link_options(${target} PRIVATE LINKER:-soname,${soname} LINKER:--version-script,${map} LINKER:--exclude-libs,ALL)
endfunction()
