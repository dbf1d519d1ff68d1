# The Python package: built over this build's library and tested, in one build only (it is the same in all).
if(AFTERSTATE_PYTHON_TESTS AND TARGET afterstate)
  add_test(NAME python COMMAND ${CMAKE_SOURCE_DIR}/python/run_tests ${CMAKE_BINARY_DIR})
  set_tests_properties(python PROPERTIES LABELS python TIMEOUT 900 COST 500)
endif()
