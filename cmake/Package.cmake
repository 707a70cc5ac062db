# `make package`: heddle_VERSION_ARCHITECTURE.deb (docs/install.md). The libraries that it depends on are looked up in the
# files themselves (dpkg-shlibdeps).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_VENDOR "the heddle authors")
set(CPACK_PACKAGE_CONTACT "the heddle authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "cycle-level simulator of SIMT GPU cores")
set(CPACK_PACKAGE_DESCRIPTION "heddle runs CUDA programs and PTX kernels on simulated GPU cores, without a GPU, and shows where the cycles went.")
set(CPACK_PACKAGE_FILE_NAME heddle_${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libjs-chart.js")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, clang | clang-14, g++, cmake") # heddle-cc and plug-ins
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
