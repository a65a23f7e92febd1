# cmake -D source=... -D compiler=... -D include=... -D msvc=... -P compile_fail.cmake
# Fails unless `source` is refused with the text of its first line and compiles with -DTABLETOP_CONTROL.
if(msvc)
  set(
    command
    ${compiler}
    /nologo
    /std:c++20
    /EHsc
    /Zs
    /I
    ${include}
  )
  set(control /DTABLETOP_CONTROL)
else()
  set(
    command
    ${compiler}
    -std=c++20
    -fsyntax-only
    -I
    ${include}
  )
  set(control -DTABLETOP_CONTROL)
endif()

file(STRINGS ${source} first_line LIMIT_COUNT 1)
if(NOT first_line MATCHES "^// expect: (.+)$")
  message(FATAL_ERROR "${source}: the first line must be `// expect: <text of the diagnostic>`")
endif()
set(expected "${CMAKE_MATCH_1}")

execute_process(
  COMMAND ${command} ${control} ${source}
  RESULT_VARIABLE result
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output
)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${source}: must compile with -DTABLETOP_CONTROL\n${output}")
endif()

execute_process(
  COMMAND ${command} ${source}
  RESULT_VARIABLE result
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output
)
if(result EQUAL 0)
  message(FATAL_ERROR "${source}: compiles, but must not")
endif()
string(FIND "${output}" "${expected}" position)
if(position EQUAL -1)
  message(FATAL_ERROR "${source}: refused, but without the text\n  ${expected}\n${output}")
endif()
