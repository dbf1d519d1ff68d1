# afterstate-mpi: the same program for clusters, where CMake finds an MPI for C. Nothing else links MPI.
#
# The sources of src/cli are compiled again: their main() is another.

option(AFTERSTATE_MPI "Build afterstate-mpi if an MPI is installed" ON)

if(AFTERSTATE_FUZZ OR AFTERSTATE_SANITIZE) # what is above MPI is tested with threads as ranks (tests/support)
  return()
endif()
if(AFTERSTATE_MPI)
  find_package(MPI QUIET COMPONENTS C)
endif()
if(AFTERSTATE_TESTS)
  enable_testing()
  add_test(NAME mpi COMMAND ${CMAKE_SOURCE_DIR}/tests/mpi/run $<TARGET_FILE:afterstate_program>
                            ${CMAKE_BINARY_DIR}/afterstate-mpi)
  set_tests_properties(mpi PROPERTIES LABELS "cli;slow" TIMEOUT 600 SKIP_RETURN_CODE 77)
endif()
if(NOT MPI_C_FOUND)
  message(STATUS "no MPI: afterstate-mpi is not built (Debian: libopenmpi-dev, openmpi-bin)")
  return()
endif()

file(GLOB MPI_SOURCES CONFIGURE_DEPENDS src/mpi/*.c)
set(CLUSTER_SOURCES ${PROGRAM_SOURCES})
list(FILTER CLUSTER_SOURCES EXCLUDE REGEX "cli/frame/start\\.c$")
add_executable(afterstate_mpi ${CLUSTER_SOURCES} ${MPI_SOURCES} ${LEVEL_OBJECTS})
set_target_properties(afterstate_mpi PROPERTIES OUTPUT_NAME afterstate-mpi)
target_include_directories(afterstate_mpi PRIVATE bench)
target_link_libraries(afterstate_mpi PRIVATE afterstate_core PkgConfig::NCURSES MPI::MPI_C)
if(AFTERSTATE_NATIVE)
  target_compile_definitions(afterstate_mpi PRIVATE AFTERSTATE_NATIVE_BUILD)
endif()
if(AFTERSTATE_LEVELS)
  add_dependencies(afterstate_mpi levels)
endif()
install(TARGETS afterstate_mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT mpi)
