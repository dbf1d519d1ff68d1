# tests/fuzz/fuzz_NAME.c is one libFuzzer target with its corpus in tests/fuzz/corpus/NAME/.
#
# Two uses of the same file: with AFTERSTATE_FUZZ (preset fuzz, clang) a fuzzer that looks for new inputs; with
# AFTERSTATE_TESTS a plain program of any compiler that replays the corpus as a test.

file(GLOB FUZZ_SOURCES CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)

if(AFTERSTATE_FUZZ)
  add_custom_target(fuzz)
  foreach(source ${FUZZ_SOURCES})
    get_filename_component(target ${source} NAME_WE)
    add_executable(${target} ${source})
    target_link_libraries(${target} PRIVATE afterstate_core)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzz ${target})
  endforeach()
endif()

if(AFTERSTATE_TESTS)
  enable_testing()
  foreach(source ${FUZZ_SOURCES})
    get_filename_component(target ${source} NAME_WE)
    string(REGEX REPLACE "^fuzz_" "" name ${target})
    add_executable(replay_${name} ${source} tests/fuzz/replay_main.c)
    target_link_libraries(replay_${name} PRIVATE afterstate_core)
    add_test(NAME replay_${name} COMMAND replay_${name} ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus/${name})
    set_tests_properties(replay_${name} PROPERTIES LABELS fuzz TIMEOUT 300)
  endforeach()
endif()
