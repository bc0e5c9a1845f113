# Tests of the code that reads untrusted bytes, with the address and undefined-behaviour sanitizers.
# `./run test --full sanitized` builds the target sanitized_tests and runs them.
#
# A whole build with sanitizers takes several times as long as the build itself (preset `asan`).
# Here, only the rooms below are compiled a second time, with sanitizers. A sanitized test links
# their objects with the object files of the usual test. Every allocation is checked, because the
# sanitizer's allocator serves the whole program.

set(jostle_sanitized_rooms shared/base shared/crypto shared/secure shared/net shared/lan
  shared/compression shared/scene protocol protocol/context protocol/precise shared/record)
set(jostle_sanitized_tests protocol protocol_context protocol_precise secure net lan scene record)

# Compiles the sources of the room `path` with sanitizers, into the object library <target>_sanitized.
function(jostle_sanitize_room path)
  jostle_room_target(${path} target)
  set(copy ${target}_sanitized)
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "[.]cpp$")
  set(absolute_sources "")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}")
    get_source_file_property(options "${source}" TARGET_DIRECTORY ${target} COMPILE_OPTIONS)
    list(APPEND absolute_sources "${source}")
    if(options)  # CMake compiles sources with options of their own alone
      set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  add_library(${copy} OBJECT EXCLUDE_FROM_ALL ${absolute_sources})
  foreach(property IN ITEMS LINK_LIBRARIES INCLUDE_DIRECTORIES COMPILE_DEFINITIONS)
    set_target_properties(${copy} PROPERTIES ${property} "$<TARGET_PROPERTY:${target},${property}>")
  endforeach()
  target_compile_options(${copy} PRIVATE -O1 -g1 -fsanitize=address,undefined
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  jostle_join_sources(${copy} 16)
  add_dependencies(${copy} ${target})  # which generates the headers of the schemas
endfunction()

# Links the test program test_<name> a second time, with the sanitized rooms, and registers it with
# CTest as sanitized_<name>.
function(jostle_sanitize_test name)
  set(program test_${name}_sanitized)
  set(objects "")
  set(rooms "")
  foreach(path IN LISTS jostle_sanitized_rooms)
    jostle_room_target(${path} target)
    list(APPEND objects $<TARGET_OBJECTS:${target}_sanitized>)
    list(APPEND rooms ${target})
  endforeach()
  # The sanitized objects come first, so that the linker takes inline functions from them. They
  # define all symbols of their rooms, so the linker takes nothing from the libraries of these rooms.
  add_executable(${program} EXCLUDE_FROM_ALL ${objects} $<TARGET_OBJECTS:test_${name}>)
  target_link_libraries(${program} PRIVATE $<TARGET_PROPERTY:test_${name},LINK_LIBRARIES> ${rooms})
  target_link_options(${program} PRIVATE -fsanitize=address,undefined)
  add_test(NAME sanitized_${name} CONFIGURATIONS sanitized COMMAND ${program} --gtest_brief=1)
  set_tests_properties(sanitized_${name} PROPERTIES TIMEOUT 10800)
endfunction()

function(jostle_add_sanitized_tests)
  foreach(path IN LISTS jostle_sanitized_rooms)
    jostle_sanitize_room(${path})
  endforeach()
  add_custom_target(sanitized_tests)
  foreach(name IN LISTS jostle_sanitized_tests)
    jostle_sanitize_test(${name})
    add_dependencies(sanitized_tests test_${name}_sanitized)
  endforeach()
endfunction()
