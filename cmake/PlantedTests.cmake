# A test program with deliberate errors in the code (shared/base/planted.h), which proves that the
# whole-system simulation finds them. `./run test --full slow` builds and runs it.
#
# The rooms below are compiled a second time, with JOSTLE_PLANTS. As for sanitized tests, their
# objects define all symbols of their rooms, so the linker takes nothing from the usual libraries.
set(jostle_planted_rooms shared/secure shared/record shared/journal server tools/simulate)

function(jostle_add_planted_test name)
  cmake_parse_arguments(PARSE_ARGV 1 TEST "" "" "SOURCES")
  set(program test_${name})
  set(objects "")
  set(rooms "")
  foreach(path IN LISTS jostle_planted_rooms)
    jostle_room_target(${path} target)
    set(copy ${target}_planted)
    get_target_property(folder ${target} SOURCE_DIR)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "[.]cpp$")
    set(absolute_sources "")
    foreach(source IN LISTS sources)
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}")
      list(APPEND absolute_sources "${source}")
    endforeach()
    add_library(${copy} OBJECT EXCLUDE_FROM_ALL ${absolute_sources})
    foreach(property IN ITEMS LINK_LIBRARIES INCLUDE_DIRECTORIES)
      set_target_properties(${copy} PROPERTIES ${property} "$<TARGET_PROPERTY:${target},${property}>")
    endforeach()
    target_compile_definitions(${copy} PRIVATE JOSTLE_PLANTS
      "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
    jostle_join_sources(${copy} 32)
    add_dependencies(${copy} ${target})  # which generates the headers of the schemas
    list(APPEND objects $<TARGET_OBJECTS:${copy}>)
    list(APPEND rooms ${target})
  endforeach()
  add_executable(${program} EXCLUDE_FROM_ALL ${TEST_SOURCES} ${objects})
  target_compile_definitions(${program} PRIVATE JOSTLE_PLANTS JOSTLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${program} PRIVATE jostle_options jostle_warnings GTest::gmock_main ${rooms})
  add_test(NAME ${name}_full CONFIGURATIONS full COMMAND ${program} --gtest_brief=1)
  set_tests_properties(${name}_full PROPERTIES TIMEOUT 36000)
endfunction()
