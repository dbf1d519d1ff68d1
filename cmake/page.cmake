# The files of src/web/page as part of the program: one C file whose assembler lines take their bytes as they are
# (.incbin), which every compiler here understands and no size slows down. A new or removed file configures anew, a
# changed one compiles that C file again.

set(PAGE_FOLDER ${CMAKE_SOURCE_DIR}/src/web/page)
file(GLOB_RECURSE PAGE_FILES CONFIGURE_DEPENDS RELATIVE ${PAGE_FOLDER} ${PAGE_FOLDER}/*)
list(FILTER PAGE_FILES EXCLUDE REGEX "(^|/)\\.|\\.md$")

set(PAGE_BYTES "")
set(PAGE_DECLARATIONS "")
set(PAGE_FILL "")
set(PAGE_DEPENDS "")
set(i 0)
foreach(file ${PAGE_FILES})
  string(APPEND PAGE_BYTES "__asm__(\".section .rodata\\n.balign 16\\npage_${i}_begin:\\n\"\n"
                           "        \".incbin \\\"${PAGE_FOLDER}/${file}\\\"\\n\"\n"
                           "        \"page_${i}_end:\\n.byte 0\\n.previous\\n\");\n")
  string(APPEND PAGE_DECLARATIONS "HIDDEN const uint8_t page_${i}_begin[], page_${i}_end[];\n")
  string(APPEND PAGE_FILL "    {\"${file}\", page_${i}_begin, page_${i}_end},\n")
  list(APPEND PAGE_DEPENDS ${PAGE_FOLDER}/${file})
  math(EXPR i "${i} + 1")
endforeach()
configure_file(${CMAKE_SOURCE_DIR}/cmake/page_files.c.in ${CMAKE_BINARY_DIR}/generated/page_files.c @ONLY)
set_source_files_properties(${CMAKE_BINARY_DIR}/generated/page_files.c PROPERTIES OBJECT_DEPENDS "${PAGE_DEPENDS}")
