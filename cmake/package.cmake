# Debian packages, one for each component of `make install`: `make package` configures build/package and runs cpack.
# tests/install/check_packages installs, uses and removes them in a fresh Debian.
#
#   afterstate            the program, its man page and documents
#   afterstate-data       the bundled network, recipes, lists of experiments: the same for every processor
#   libafterstate1        the library; the number is its SOVERSION
#   libafterstate-dev     headers, pkg-config and CMake files
#   python3-afterstate    the Python package, where AFTERSTATE_PACKAGE_PYTHON is the folder of a built one

set(AFTERSTATE_PACKAGE_PYTHON "" CACHE PATH "A built Python package (setup.py build --build-lib) to make a Debian package of")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME afterstate)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "the afterstate authors <afterstate@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL program data)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(OF_THIS_BUILD "(= ${PROJECT_VERSION})")

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME afterstate)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "2048 laboratory: the program\nTrains value functions for the game 2048, plays, solves small boards exactly.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "afterstate-data ${OF_THIS_BUILD}")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "libopenblas0-openmp, liblapacke") # loaded when a neural network is used

set(CPACK_DEBIAN_DATA_PACKAGE_NAME afterstate-data)
set(CPACK_COMPONENT_DATA_DESCRIPTION "2048 laboratory: the bundled network and recipes\nWhat the program afterstate loads beside itself.")
set(CPACK_DEBIAN_DATA_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DATA_PACKAGE_SHLIBDEPS OFF)

if(TARGET afterstate)
  list(APPEND CPACK_COMPONENTS_ALL library dev)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libafterstate${AFTERSTATE_SOVERSION})
  set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "2048 laboratory: the C library\nBoards, networks, search and solved boards for other programs.")
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "libopenblas0-openmp, liblapacke")
  file(WRITE ${CMAKE_BINARY_DIR}/package/triggers "activate-noawait ldconfig\n")
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/package/triggers)

  set(CPACK_DEBIAN_DEV_PACKAGE_NAME libafterstate-dev)
  set(CPACK_COMPONENT_DEV_DESCRIPTION "2048 laboratory: headers of the C library\nFor programs that use libafterstate.")
  set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${CPACK_DEBIAN_LIBRARY_PACKAGE_NAME} ${OF_THIS_BUILD}")
endif()

if(AFTERSTATE_PACKAGE_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
  install(DIRECTORY ${AFTERSTATE_PACKAGE_PYTHON}/afterstate DESTINATION lib/python3/dist-packages COMPONENT python
          PATTERN "libafterstate.so*" EXCLUDE PATTERN "glibc-hwcaps" EXCLUDE # Debian's loader finds that of the package libafterstate
          PATTERN "__pycache__" EXCLUDE PATTERN "*.so" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-afterstate)
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "2048 laboratory: the Python package\nEnvironments, networks, search and solved boards as NumPy arrays.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  # What Python compiles when root imports the package goes with it.
  file(WRITE ${CMAKE_BINARY_DIR}/package/prerm "#!/bin/sh\nset -e\nrm -rf /usr/lib/python3/dist-packages/afterstate/__pycache__\n")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/package/prerm)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "libc6, python3 (>= 3.9), python3-numpy, python3-cffi-backend, ${CPACK_DEBIAN_LIBRARY_PACKAGE_NAME} ${OF_THIS_BUILD}")
endif()

include(CPack)
