# Tests of the frame: the command line against its golden files, the option parser, the installed tree, the page.

if(NOT AFTERSTATE_TESTS)
  return()
endif()
enable_testing()

add_test(NAME cli_golden COMMAND ${CMAKE_SOURCE_DIR}/tests/cli/run $<TARGET_FILE:afterstate_program>)
set_tests_properties(cli_golden PROPERTIES LABELS cli TIMEOUT 300 COST 100)

pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)

# Tests of parts of src/cli, each with the files that it tests.
function(add_cli_test name labels)
  add_executable(${name} tests/unit/cli/${name}.c ${ARGN})
  target_include_directories(${name} PRIVATE tests/support)
  target_link_libraries(${name} PRIVATE afterstate_core PkgConfig::CMOCKA)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT 120)
endfunction()
add_cli_test(test_options cli src/cli/frame/options.c src/cli/frame/colour.c)
add_cli_test(test_screen_layout cli src/cli/play/screen_layout.c)
add_cli_test(test_play_history cli src/cli/play/play_history.c)
add_cli_test(test_thinker "cli;threads" src/cli/play/thinker.c)

add_test(NAME completion COMMAND ${CMAKE_SOURCE_DIR}/tests/cli/check_completion $<TARGET_FILE:afterstate_program>)
set_tests_properties(completion PROPERTIES LABELS cli TIMEOUT 300)

add_test(NAME commands COMMAND ${CMAKE_SOURCE_DIR}/tests/cli/check_commands $<TARGET_FILE:afterstate_program>
                               ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/docs/GUIDE.md
                               ${CMAKE_SOURCE_DIR}/docs/TRAINING.md ${CMAKE_SOURCE_DIR}/docs/NETWORK-HISTORY.md)
set_tests_properties(commands PROPERTIES LABELS cli TIMEOUT 120)

# The terminal: the program in a pseudo-terminal, played by keys.
add_executable(test_terminal tests/unit/cli/test_terminal.c)
target_include_directories(test_terminal PRIVATE tests/support)
target_link_libraries(test_terminal PRIVATE afterstate_core PkgConfig::CMOCKA util)
add_test(NAME test_terminal COMMAND test_terminal $<TARGET_FILE:afterstate_program>)
set_tests_properties(test_terminal PROPERTIES LABELS cli TIMEOUT 300)

# A program that uses the library would have to carry the same sanitizer, so those builds leave this test out.
if(TARGET afterstate AND NOT AFTERSTATE_SANITIZE)
  add_test(NAME install_tree COMMAND ${CMAKE_SOURCE_DIR}/tests/install/check_install ${CMAKE_COMMAND}
                                     ${CMAKE_BINARY_DIR} ${CMAKE_C_COMPILER})
  set_tests_properties(install_tree PROPERTIES LABELS install TIMEOUT 300)
endif()

# The tarball of the sources; in one build, it is the same in all.
if(AFTERSTATE_NATIVE AND NOT AFTERSTATE_SANITIZE)
  add_test(NAME dist COMMAND ${CMAKE_SOURCE_DIR}/tests/install/check_dist ${CMAKE_SOURCE_DIR} ${CMAKE_COMMAND})
  set_tests_properties(dist PROPERTIES LABELS install TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()

# The address space of a sanitized program is larger than any limit.
if(NOT AFTERSTATE_SANITIZE)
  add_test(NAME low_memory COMMAND ${CMAKE_SOURCE_DIR}/tests/cli/check_low_memory $<TARGET_FILE:afterstate_program>)
  set_tests_properties(low_memory PROPERTIES LABELS cli TIMEOUT 60)
endif()

if(NOT AFTERSTATE_SANITIZE)
  add_test(NAME hardened COMMAND ${CMAKE_SOURCE_DIR}/tests/install/check_hardening ${CMAKE_SOURCE_DIR}
                                 $<TARGET_FILE:afterstate_program> $<$<TARGET_EXISTS:afterstate>:$<TARGET_FILE:afterstate>>)
  set_tests_properties(hardened PROPERTIES LABELS install TIMEOUT 60)
endif()

# The library's interface is the one that tests/install/libafterstate.abi describes.
if(TARGET afterstate AND NOT AFTERSTATE_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  add_test(NAME abi COMMAND ${CMAKE_SOURCE_DIR}/tests/install/check_abi $<TARGET_FILE:afterstate>
                            ${CMAKE_SOURCE_DIR}/include)
  set_tests_properties(abi PROPERTIES LABELS install TIMEOUT 60 SKIP_RETURN_CODE 77)
endif()

# What once corrupted files, hung or got through.
if(TARGET afterstate)
  set(HOSTILE_LIBRARY $<TARGET_FILE:afterstate>)
endif()
if(AFTERSTATE_SANITIZE)
  set(HOSTILE_SANITIZED sanitized)
endif()
add_test(NAME hostile COMMAND ${CMAKE_SOURCE_DIR}/tests/cli/check_hostile $<TARGET_FILE:afterstate_program>
                              "${HOSTILE_LIBRARY}" ${HOSTILE_SANITIZED})
set_tests_properties(hostile PROPERTIES LABELS cli TIMEOUT 300)

# Files that earlier versions wrote.
add_test(NAME format COMMAND ${CMAKE_SOURCE_DIR}/tests/format/check $<TARGET_FILE:afterstate_program>)
set_tests_properties(format PROPERTIES LABELS cli TIMEOUT 120)

# Calls of the system made to fail (tests/faults), also where AddressSanitizer looks for leaks on the way out.
if(NOT AFTERSTATE_SANITIZE OR AFTERSTATE_SANITIZE MATCHES address)
  add_library(inject MODULE tests/faults/inject.c)
  target_link_libraries(inject PRIVATE ${CMAKE_DL_LIBS} Threads::Threads)
  set_target_properties(inject PROPERTIES PREFIX "" C_VISIBILITY_PRESET default)
  target_compile_options(inject PRIVATE -Wno-missing-prototypes -fvisibility=default)
  add_test(NAME faults COMMAND ${CMAKE_SOURCE_DIR}/tests/faults/run $<TARGET_FILE:afterstate_program>
                               $<TARGET_FILE:inject>)
  set_tests_properties(faults PROPERTIES LABELS "cli;slow" TIMEOUT 600 COST 90)
endif()
if(AFTERSTATE_SANITIZE MATCHES address)
  target_compile_options(inject PRIVATE -fno-sanitize=all)
  target_link_options(inject PRIVATE -fno-sanitize=all)
  target_sources(afterstate_program PRIVATE tests/faults/allocate.c)
  set_source_files_properties(tests/faults/allocate.c PROPERTIES COMPILE_OPTIONS -Wno-missing-prototypes)
  foreach(function malloc calloc realloc aligned_alloc posix_memalign)
    target_link_options(afterstate_program PRIVATE LINKER:--wrap=${function})
  endforeach()
elseif(NOT AFTERSTATE_SANITIZE)
  add_test(NAME power COMMAND ${CMAKE_SOURCE_DIR}/tests/faults/power $<TARGET_FILE:afterstate_program>
                              $<TARGET_FILE:inject>)
  set_tests_properties(power PROPERTIES LABELS "cli;slow" TIMEOUT 600 COST 60)
endif()

# The page in a real browser; its pictures are left in screenshots/ for a person to look at.
if(AFTERSTATE_BROWSER_TESTS)
  add_test(NAME browser COMMAND ${CMAKE_SOURCE_DIR}/tests/browser/run $<TARGET_FILE:afterstate_program>
                                ${CMAKE_BINARY_DIR}/screenshots)
  set_tests_properties(browser PROPERTIES LABELS browser TIMEOUT 600 COST 1000) # the longest: first
endif()
