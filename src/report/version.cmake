# cmake -DOUT=version.cpp -DVERSION=0.1.0 -DDIR=<source> -P version.cmake: writes OUT when its text changes.
set(commit "")
find_program(GIT git)
if(GIT)
  execute_process(COMMAND ${GIT} -C ${DIR} describe --always --dirty --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(commit STREQUAL "")
  set(commit "unknown")
endif()
set(text "// Generated from the project version and the source revision.
#include \"report/result.h\"

namespace heddle::report {

std::string_view version() {
    return \"${VERSION}\";
}

std::string_view commit() {
    return \"${commit}\";
}

} // namespace heddle::report
")
file(WRITE ${OUT}.new "${text}")
file(COPY_FILE ${OUT}.new ${OUT} ONLY_IF_DIFFERENT)
