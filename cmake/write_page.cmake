# cmake -D PROGRAM=jostled -D KIND=man -D OUTPUT=jostled.1 [-D APPENDED=a;b] -P write_page.cmake
#
# Writes what `PROGRAM --generate KIND` prints, and the files APPENDED after it.
unset(ENV{JOSTLE_RUN})  # it changes the names of the programs
execute_process(COMMAND "${PROGRAM}" --generate ${KIND} OUTPUT_VARIABLE text RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${PROGRAM} --generate ${KIND} failed: ${failed}")
endif()
foreach(file IN LISTS APPENDED)
  file(READ "${file}" more)
  string(APPEND text "${more}")
endforeach()
file(WRITE "${OUTPUT}" "${text}")
