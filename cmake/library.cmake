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

add_library(afterstate SHARED ${API_SOURCES})
set_target_properties(afterstate PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${AFTERSTATE_SOVERSION})
target_include_directories(afterstate PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
                                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(afterstate PRIVATE $<BUILD_INTERFACE:afterstate_core>)
harden(afterstate)
configure_file(cmake/library.map.in ${CMAKE_BINARY_DIR}/library.map @ONLY)
target_link_options(afterstate PRIVATE -Wl,--exclude-libs,ALL -Wl,--as-needed
                                       -Wl,--version-script=${CMAKE_BINARY_DIR}/library.map)
set_target_properties(afterstate PROPERTIES LINK_DEPENDS ${CMAKE_BINARY_DIR}/library.map)
if(NOT AFTERSTATE_SANITIZE) # a sanitizer's runtime lives in the program, so its symbols stay open in a library
  target_link_options(afterstate PRIVATE -Wl,--no-undefined)
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
