# cmake -DOUT=machine_files.cpp -DDIR=machines -P embed_machines.cmake: every DIR/*.toml as a string literal, with its
# `year`, or 0.
file(GLOB files ${DIR}/*.toml)
list(SORT files)
set(entries "")
foreach(file ${files})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  set(year 0)
  if(text MATCHES "\nyear *= *([0-9]+)")
    set(year ${CMAKE_MATCH_1})
  endif()
  string(APPEND entries "    {\"${name}\", ${year}, R\"heddle(${text})heddle\"},\n")
endforeach()
list(LENGTH files count)
file(WRITE ${OUT} "// Generated from machines/*.toml.
#include \"config/machine_files.h\"

#include <array>

namespace heddle::config {

std::span<const MachineFile> machine_files() {
    static constexpr std::array<MachineFile, ${count}> files{{
${entries}    }};
    return files;
}

} // namespace heddle::config
")
