# Hardened by default: what every program of a distribution has, and no path of the machine that built it.
# docs/SECURITY.md has what it costs. tests/install/check_hardening looks at the result.
#
# Sanitized builds have their own, stricter checks. _FORTIFY_SOURCE needs an optimising build, so the unit tests, which
# are compiled at -O0, are left out of it.

add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}/= -ffile-prefix-map=${CMAKE_BINARY_DIR}/=)
if(NOT AFTERSTATE_HARDEN OR AFTERSTATE_SANITIZE OR AFTERSTATE_FUZZ)
  function(harden target)
  endfunction()
  return()
endif()

include(CheckCCompilerFlag)
include(CheckPIESupported)
check_pie_supported()
foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=full)
  string(MAKE_C_IDENTIFIER HAVE${flag} known)
  check_c_compiler_flag(${flag} ${known})
  if(${known})
    add_compile_options(${flag})
  endif()
endforeach()
add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)

function(harden target)
  target_compile_options(${target} PRIVATE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endfunction()
