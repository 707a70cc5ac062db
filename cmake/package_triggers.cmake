# Of cpack, behind the package: CPack gives a package with libraries scripts that call ldconfig, and dpkg keeps such a script
# when the package is removed. A trigger of dpkg does the same and leaves nothing.
find_program(DPKG_DEB dpkg-deb REQUIRED)
foreach(package ${CPACK_PACKAGE_FILES})
  set(folder ${CPACK_TOPLEVEL_DIRECTORY}/triggers)
  file(REMOVE_RECURSE ${folder})
  execute_process(COMMAND ${DPKG_DEB} -R ${package} ${folder} COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE ${folder}/DEBIAN/postinst ${folder}/DEBIAN/postrm)
  file(WRITE ${folder}/DEBIAN/triggers "activate-noawait ldconfig\n")
  execute_process(COMMAND ${DPKG_DEB} --root-owner-group -b ${folder} ${package} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE_RECURSE ${folder})
endforeach()
