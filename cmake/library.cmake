# The shared library, and what `make install` puts where.
#
# Only as_* functions leave the library: everything is compiled with hidden visibility, AS_API in the public header
# makes the exceptions, and --exclude-libs hides whatever a static archive might bring. The API's own files are compiled
# into the library itself, since --exclude-libs would hide them too; of the core it takes only what the API calls. A
# version script gives every symbol the version AFTERSTATE_N, where libafterstate.so.N is the SONAME.
#
# CONTRIBUTING.md (Releases) says when N grows.
set(AFTERSTATE_SOVERSION 1)

set(AFTERSTATE_DATA_DIR ${CMAKE_INSTALL_DATADIR}/afterstate)

# The components are the packages of cmake/package.cmake.
install(TARGETS afterstate_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(FILES docs/afterstate.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
file(GLOB DOCUMENTS CONFIGURE_DEPENDS LICENSE README.md CHANGELOG.md docs/*.md)
install(FILES ${DOCUMENTS} DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
foreach(folder recipes reproduce nets)
  if(EXISTS ${CMAKE_SOURCE_DIR}/${folder})
    install(DIRECTORY ${folder} DESTINATION ${AFTERSTATE_DATA_DIR} COMPONENT data)
  endif()
endforeach()

if(NOT API_SOURCES)
  return()
endif()

configure_file(cmake/library.map.in ${CMAKE_BINARY_DIR}/library.map @ONLY)

# The library `name`, whose code comes from the archive `core`.
function(add_api_library name core)
  add_library(${name} SHARED ${API_SOURCES})
  set_target_properties(${name} PROPERTIES OUTPUT_NAME afterstate VERSION ${PROJECT_VERSION} SOVERSION ${AFTERSTATE_SOVERSION}
                                           LINK_DEPENDS ${CMAKE_BINARY_DIR}/library.map)
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
                                            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:${core}>)
  harden(${name})
  target_link_options(${name} PRIVATE -Wl,--exclude-libs,ALL -Wl,--as-needed
                                      -Wl,--version-script=${CMAKE_BINARY_DIR}/library.map)
  if(NOT AFTERSTATE_SANITIZE) # a sanitizer's runtime lives in the program, so its symbols stay open in a library
    target_link_options(${name} PRIVATE -Wl,--no-undefined)
  endif()
endfunction()

add_api_library(afterstate afterstate_core)
if(AFTERSTATE_LEVELS)
  set(HWCAPS_DIR glibc-hwcaps/x86-64-v3)
  add_api_library(afterstate_avx2 core_avx2)
  target_compile_options(afterstate_avx2 PRIVATE ${AVX2_FLAGS})
  set_target_properties(afterstate_avx2 PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${HWCAPS_DIR})
  add_dependencies(afterstate afterstate_avx2)
  install(TARGETS afterstate_avx2 LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/${HWCAPS_DIR} COMPONENT library
                                  NAMELINK_SKIP)
endif()

install(TARGETS afterstate EXPORT afterstateTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
                           NAMELINK_COMPONENT dev)
install(DIRECTORY include/afterstate DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev FILES_MATCHING PATTERN "*.h")

# pkg-config: the prefix is found from the file's own place, so an installed tree may be moved.
file(RELATIVE_PATH PREFIX_FROM_PC "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" PREFIX_FROM_PC "${PREFIX_FROM_PC}")
configure_file(cmake/afterstate.pc.in ${CMAKE_BINARY_DIR}/afterstate.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/afterstate.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)

# CMake: find_package(afterstate) gives the target afterstate::afterstate.
include(CMakePackageConfigHelpers)
set(CMAKE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/afterstate)
configure_package_config_file(cmake/afterstateConfig.cmake.in ${CMAKE_BINARY_DIR}/afterstateConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_PACKAGE_DIR})
# Before 1.0 a minor version may change the API, so only the same minor version is compatible.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/afterstateConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/afterstateConfig.cmake ${CMAKE_BINARY_DIR}/afterstateConfigVersion.cmake
        DESTINATION ${CMAKE_PACKAGE_DIR} COMPONENT dev)
install(EXPORT afterstateTargets NAMESPACE afterstate:: DESTINATION ${CMAKE_PACKAGE_DIR} COMPONENT dev)
