# Manual pages and completion scripts. The programs generate them from their own options
# (shared/command_line/description.h); packaging/man adds sections to the manual pages.
#
# Cross builds have none, because their programs do not run here.
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  return()
endif()
set(pages "")
set(pages_dir "${PROJECT_BINARY_DIR}/pages")
set(man_dir "${PROJECT_SOURCE_DIR}/packaging/man")

# Adds a command that writes a text of a program into the folder of the pages.
function(jostle_generate_page program kind file)
  add_custom_command(OUTPUT "${pages_dir}/${file}"
    COMMAND "${CMAKE_COMMAND}" -DPROGRAM=$<TARGET_FILE:${program}> -DKIND=${kind} "-DOUTPUT=${pages_dir}/${file}"
            "-DAPPENDED=${ARGN}" -P "${PROJECT_SOURCE_DIR}/cmake/write_page.cmake"
    DEPENDS ${program} ${ARGN} "${PROJECT_SOURCE_DIR}/cmake/write_page.cmake" VERBATIM)
  set(pages ${pages} "${pages_dir}/${file}" PARENT_SCOPE)
endfunction()

foreach(program IN LISTS programs)
  jostle_generate_page(${program} man man1/${program}.1 "${man_dir}/common.roff" "${man_dir}/${program}.roff")
  jostle_generate_page(${program} complete-bash bash/${program})
  jostle_generate_page(${program} complete-zsh zsh/_${program})
  jostle_generate_page(${program} complete-fish fish/${program}.fish)
endforeach()
add_custom_target(jostle_pages ALL DEPENDS ${pages})
install(DIRECTORY "${pages_dir}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}" COMPONENT programs)
install(DIRECTORY "${pages_dir}/bash/" COMPONENT programs
  DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(DIRECTORY "${pages_dir}/zsh/" COMPONENT programs
  DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
install(DIRECTORY "${pages_dir}/fish/" COMPONENT programs
  DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
