# One program for every x86-64 processor: all of src above src/base is compiled again for AVX2 and for AVX-512, and
# main() picks a copy at its start (src/cli/frame/level.c). docs/decisions/071 has what it gains.
#
#   afterstate = main, base, row table, page          once, for any processor
#              + the rest: baseline | avx2 | avx512   three times, bit for bit the same results
#
# A copy is linked into one object file whose only global name is its own program_main(), so that copies do not meet.
#
# The library has no main(): the dynamic loader of glibc 2.33 and newer picks the AVX2 one, which is installed in
# glibc-hwcaps/x86-64-v3 beside the other. None for AVX-512, which gains in the solver only, and that the library lacks.

if(AFTERSTATE_NATIVE OR AFTERSTATE_SANITIZE OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  set(LEVELS_DEFAULT OFF)
else()
  set(LEVELS_DEFAULT ON)
endif()
option(AFTERSTATE_LEVELS "Compile for AVX2 and AVX-512 too, and choose when the program starts" ${LEVELS_DEFAULT})
if(NOT AFTERSTATE_LEVELS)
  return()
endif()

# The same instructions as level.c asks the processor for.
set(AVX2_FLAGS -mavx2 -mbmi -mbmi2 -mpopcnt)
set(AVX512_FLAGS ${AVX2_FLAGS} -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512vbmi -mavx512vbmi2 -mavx512vpopcntdq
                 -mavx512vnni -mavx512cd ${STORE_MAX})

set(LEVEL_CORE_SOURCES ${CORE_SOURCES})
list(FILTER LEVEL_CORE_SOURCES EXCLUDE REGEX "src/base/")
set(LEVEL_PROGRAM_SOURCES ${PROGRAM_SOURCES})
list(FILTER LEVEL_PROGRAM_SOURCES EXCLUDE REGEX "cli/frame/(start|level)\\.c$")

foreach(level avx2 avx512)
  string(TOUPPER ${level} LEVEL)
  add_library(core_${level} STATIC ${LEVEL_CORE_SOURCES})
  add_library(program_${level} OBJECT ${LEVEL_PROGRAM_SOURCES})
  target_include_directories(program_${level} PRIVATE bench)
  target_compile_definitions(program_${level} PRIVATE program_main=program_main_${level})
  target_link_libraries(core_${level} PUBLIC afterstate_core)
  target_link_libraries(program_${level} PRIVATE afterstate_core PkgConfig::NCURSES)
  foreach(target core_${level} program_${level})
    target_compile_options(${target} PRIVATE ${${LEVEL}_FLAGS})
    harden(${target})
  endforeach()
  set(object ${CMAKE_BINARY_DIR}/${level}.o)
  add_custom_command(
    OUTPUT ${object}
    COMMAND ${CMAKE_LINKER} -r -o ${object} $<TARGET_OBJECTS:program_${level}> $<TARGET_FILE:core_${level}>
    COMMAND ${CMAKE_OBJCOPY} --keep-global-symbol=program_main_${level} ${object}
    DEPENDS program_${level} $<TARGET_OBJECTS:program_${level}> core_${level}
    COMMAND_EXPAND_LISTS VERBATIM)
  list(APPEND LEVEL_OBJECTS ${object})
endforeach()
add_custom_target(levels DEPENDS ${LEVEL_OBJECTS}) # in one place, since two programs link them
