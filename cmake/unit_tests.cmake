# tests/unit, in folders as in src, and tests/oracle: each test_NAME.c is one cmocka program and one test, so a crash in
# one hides nothing of the others. Also the rules vectors, the signature, and the examples of the public API.

if(NOT AFTERSTATE_TESTS)
  return()
endif()
enable_testing()
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)

# Tests that start threads: the ThreadSanitizer build runs these.
set(THREADED_TESTS test_workers test_searcher test_match test_fold test_trainer test_search test_transposition test_series test_api_search test_api_table test_api_exact
    test_campaign test_grow test_expand test_solver test_repair test_forecast test_exact_policy test_age_statistics test_age_dump test_evaluator test_neural_model
    test_neural_trainer test_network_file test_web_server test_web_busy test_web_hostile test_blas test_web_fuzz test_web_load test_web_streams test_visits test_fast_network
    test_compact_network test_shrink)
list(APPEND THREADED_TESTS test_cluster test_cluster_training test_goal_learning test_age_share)

# These learn for minutes under a sanitizer and differ in nothing but time from what test_trainer does there.
set(LONG_TESTS test_convergence test_learning)

# The longest ones; they run in the builds gcc and (but for LONG_TESTS) asan, so the portable build need not.
set(SLOW_TESTS ${LONG_TESTS} test_solver test_solve test_network_file)

file(GLOB TEST_SOURCES CONFIGURE_DEPENDS tests/unit/*/test_*.c tests/oracle/test_*.c)
list(FILTER TEST_SOURCES EXCLUDE REGEX tests/unit/cli/) # built with the files they test: frame_tests.cmake
foreach(source ${TEST_SOURCES})
  get_filename_component(name ${source} NAME_WE)
  if(source MATCHES tests/unit/)
    set(kind unit)
  else()
    set(kind oracle)
  endif()
  if(AFTERSTATE_SANITIZE AND name IN_LIST LONG_TESTS)
    continue()
  endif()
  if(AFTERSTATE_SANITIZE STREQUAL thread AND NOT name IN_LIST THREADED_TESTS)
    continue() # its test preset runs no others
  endif()
  add_executable(${name} ${source})
  target_include_directories(${name} PRIVATE tests/support)
  target_link_libraries(${name} PRIVATE afterstate_core PkgConfig::CMOCKA)
  if(kind STREQUAL unit) # a third of the whole build otherwise, and the tests' own lines take no time
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "-O0;-g1;$<$<C_COMPILER_ID:GNU>:-Wno-format-truncation>")
  endif()
  if(name STREQUAL test_boards)
    continue() # in parts, below
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set(labels ${kind})
  if(name IN_LIST THREADED_TESTS)
    list(APPEND labels threads)
  endif()
  if(name IN_LIST SLOW_TESTS)
    list(APPEND labels slow)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT 900)
endforeach()

# The longest test by far, so in parts that run side by side.
if(TARGET test_boards)
  target_compile_definitions(test_boards PRIVATE ORACLE_BOARDS=${AFTERSTATE_ORACLE_BOARDS})
  foreach(part test_4x4 test_3x3 test_3x4 test_2x5 test_every_size)
    add_test(NAME test_boards_${part} COMMAND test_boards ${part})
    set_tests_properties(test_boards_${part} PROPERTIES LABELS oracle TIMEOUT 900)
  endforeach()
endif()
# The neural folder once more in double: finite differences of floats would be noise.
if(TARGET test_neural_gradient)
  target_sources(test_neural_gradient PRIVATE src/neural/model.c src/neural/compute.c src/neural/levels.c src/neural/products.c
                                              src/neural/blas_products.c                                              src/neural/optimiser.c)
  target_compile_definitions(test_neural_gradient PRIVATE NEURAL_DOUBLE)
endif()
target_compile_definitions(test_search PRIVATE ORACLE_BOARDS=${AFTERSTATE_ORACLE_BOARDS})
# Malformed requests: all of them where AddressSanitizer looks.
if(AFTERSTATE_SANITIZE MATCHES address)
  target_compile_definitions(test_web_fuzz PRIVATE WEB_FUZZ_REQUESTS=100000)
elseif(AFTERSTATE_SANITIZE)
  target_compile_definitions(test_web_fuzz PRIVATE WEB_FUZZ_REQUESTS=5000)
endif()
if(TARGET test_vectors)
  target_compile_definitions(test_vectors PRIVATE TEST_VECTORS="${CMAKE_SOURCE_DIR}/tests/vectors")
endif()

# The committed vectors are what the reference says today, byte for byte.
add_executable(generate_vectors tests/vectors/generate_vectors.c)
target_link_libraries(generate_vectors PRIVATE afterstate_core PkgConfig::CMOCKA)
add_test(NAME vectors_unchanged COMMAND ${CMAKE_SOURCE_DIR}/tests/vectors/check_vectors
                                        $<TARGET_FILE:generate_vectors>)
set_tests_properties(vectors_unchanged PROPERTIES LABELS oracle TIMEOUT 60)

# Every compiler, instruction set and sanitizer decides the same in the same games.
add_test(NAME signature COMMAND ${CMAKE_SOURCE_DIR}/tests/golden/check_signature $<TARGET_FILE:afterstate_program>)
set_tests_properties(signature PROPERTIES LABELS oracle TIMEOUT 300)

# Every verb and option of the help is in the man page.
add_test(NAME man_page COMMAND ${CMAKE_SOURCE_DIR}/tests/cli/check_man_page $<TARGET_FILE:afterstate_program>
                               ${CMAKE_SOURCE_DIR}/docs/afterstate.1)
set_tests_properties(man_page PROPERTIES LABELS cli TIMEOUT 60)

# The examples of the guide, linked as a user's program is. The installation test builds them once more from outside.
if(TARGET afterstate)
  foreach(example example example_search example_table example_vector)
    add_executable(api_${example} docs/${example}.c)
    target_link_libraries(api_${example} PRIVATE afterstate)
    add_test(NAME api_${example} COMMAND ${CMAKE_SOURCE_DIR}/tests/golden/check_example $<TARGET_FILE:api_${example}>
                                         ${example} $<TARGET_FILE:afterstate_program>)
    set_tests_properties(api_${example} PROPERTIES LABELS unit TIMEOUT 60)
  endforeach()
endif()
