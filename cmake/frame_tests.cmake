# Tests of the frame: the command line against its golden files, the option parser, the installed tree, the page.

if(NOT AFTERSTATE_TESTS)
  return()
endif()
enable_testing()

add_test(NAME cli_golden COMMAND ${CMAKE_SOURCE_DIR}/tests/cli/run $<TARGET_FILE:afterstate_program>)
set_tests_properties(cli_golden PROPERTIES LABELS cli TIMEOUT 300)

pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
add_executable(test_options tests/cli/test_options.c src/cli/options.c)
target_link_libraries(test_options PRIVATE afterstate_core PkgConfig::CMOCKA)
add_test(NAME test_options COMMAND test_options)
set_tests_properties(test_options PROPERTIES LABELS cli TIMEOUT 60)

# A program that uses the library would have to carry the same sanitizer, so those builds leave this test out.
if(TARGET afterstate AND NOT AFTERSTATE_SANITIZE)
  add_test(NAME install_tree COMMAND ${CMAKE_SOURCE_DIR}/tests/install/check_install ${CMAKE_COMMAND}
                                     ${CMAKE_BINARY_DIR} ${CMAKE_C_COMPILER})
  set_tests_properties(install_tree PROPERTIES LABELS install TIMEOUT 300)
endif()

# The page in a real browser; its pictures are left in screenshots/ for a person to look at.
if(AFTERSTATE_BROWSER_TESTS)
  add_test(NAME browser COMMAND ${CMAKE_SOURCE_DIR}/tests/browser/run $<TARGET_FILE:afterstate_program>
                                ${CMAKE_BINARY_DIR}/screenshots)
  set_tests_properties(browser PROPERTIES LABELS browser TIMEOUT 300)
endif()
