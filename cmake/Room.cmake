# A room is a folder with a CMake target and a namespace. Its DEPENDS are the only rooms that it may
# include.
#
#   jostle_room(shared/physics
#     DEPENDS shared/base shared/math        rooms, added earlier: the root file's order is the layering
#     LINKS   Enet::Enet                     third-party targets (see tests/hygiene/check_layers.py)
#     HEADERS world.h                        public headers; each must compile alone
#     SOURCES world.cpp)
#
# The target is jostle_<path>, without "shared/" and with "_" for "/". The target of client/app is
# jostle_client_app. Names with the prefix jostle:: are those of the API (api/CMakeLists.txt).
define_property(GLOBAL PROPERTY JOSTLE_ROOMS BRIEF_DOCS "rooms" FULL_DOCS "path|dep,dep")

# Pattern of the rooms that read no untrusted bytes, except to restore a state. In fuzz builds they
# keep the sanitizers but get no coverage instrumentation, which would take half of the time and
# fill the corpora with paths through the solver.
set(jostle_engine_rooms
  "^shared/(math|simd|geometry|forces|physics|character|reference|state|prediction_baseline)")

function(jostle_room_target path out)
  string(REGEX REPLACE "^shared/" "" name "${path}")
  string(REPLACE "/" "_" name "${name}")
  set(${out} "jostle_${name}" PARENT_SCOPE)
endfunction()

function(jostle_room path)
  cmake_parse_arguments(PARSE_ARGV 1 ROOM "" "" "DEPENDS;LINKS;HEADERS;SOURCES")
  if(ROOM_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "room ${path}: unknown arguments ${ROOM_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT CMAKE_CURRENT_SOURCE_DIR STREQUAL "${PROJECT_SOURCE_DIR}/${path}")
    message(FATAL_ERROR "room ${path} is declared in ${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  jostle_room_target(${path} target)
  set(links "")
  foreach(dependency IN LISTS ROOM_DEPENDS)
    jostle_room_target(${dependency} dependency_target)
    if(NOT TARGET ${dependency_target})
      message(FATAL_ERROR "room ${path} depends on ${dependency}, which is not added before it: "
                          "see the order in the root CMakeLists.txt")
    endif()
    list(APPEND links ${dependency_target})
  endforeach()

  set(kind PUBLIC)
  if(ROOM_SOURCES)
    add_library(${target} STATIC ${ROOM_SOURCES})
    if(JOSTLE_FUZZ AND path MATCHES "${jostle_engine_rooms}")
      # Set the option per source, because CMake puts options of sources last on the command line of
      # the compiler. An option of the target would come before -fsanitize=fuzzer-no-link, which it
      # inherits from jostle_options, and would have no effect.
      set(engine_sources ${ROOM_SOURCES})
      list(FILTER engine_sources EXCLUDE REGEX "restore")
      jostle_unwatched(${engine_sources})
    endif()
    jostle_precompile(${target} standard)
    jostle_join_sources(${target} 16)
  else()
    add_library(${target} INTERFACE)
    set(kind INTERFACE)
  endif()
  target_sources(${target} ${kind}
    FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${ROOM_HEADERS})
  target_link_libraries(${target} ${kind} jostle_options ${links} ${ROOM_LINKS})
  if(ROOM_SOURCES)
    target_link_libraries(${target} PRIVATE jostle_warnings)
  endif()
  set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)

  list(JOIN ROOM_DEPENDS "," depends)
  set_property(GLOBAL APPEND PROPERTY JOSTLE_ROOMS "${path}|${depends}")
endfunction()

# Adds a program. Example: jostle_program(jostled DEPENDS server SOURCES main.cpp)
function(jostle_program name)
  cmake_parse_arguments(PARSE_ARGV 1 PROGRAM "" "" "DEPENDS;LINKS;SOURCES")
  add_executable(${name} ${PROGRAM_SOURCES})
  if(GTest::gmock_main IN_LIST PROGRAM_LINKS)
    jostle_precompile(${name} tests LINKS GTest::gmock_main)
  else()
    jostle_precompile(${name} standard)
  endif()
  target_link_libraries(${name} PRIVATE jostle_options jostle_warnings ${PROGRAM_LINKS})
  foreach(dependency IN LISTS PROGRAM_DEPENDS)
    jostle_room_target(${dependency} dependency_target)
    target_link_libraries(${name} PRIVATE ${dependency_target})
  endforeach()
endfunction()

# Adds a program with the tests of one room and registers it with CTest under `name`. Its time limit
# is 1,800 s, and six times as long in sanitizer and Debug builds. The slowest program takes 60 s on
# an idle machine; with a load of 12 on two processors, tests took 17 times as long. Example:
# jostle_test(physics DEPENDS shared/physics SOURCES a_test.cpp)
#
# HAS_FULL: the program has instantiations named Full of parameterised tests, which take long. The
# test `name` omits them; `name`_full runs them, in `./run test --full slow`.
function(jostle_test name)
  cmake_parse_arguments(PARSE_ARGV 1 TEST "HAS_FULL" "" "DEPENDS;LINKS;SOURCES")
  jostle_program(test_${name} DEPENDS ${TEST_DEPENDS} LINKS ${TEST_LINKS} GTest::gmock_main
    SOURCES ${TEST_SOURCES})
  jostle_join_sources(test_${name} 20)
  target_compile_options(test_${name} PRIVATE ${JOSTLE_LIGHT_OPTIMISATION})
  target_compile_definitions(test_${name} PRIVATE JOSTLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  set(timeout 1800)
  if(JOSTLE_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug")
    math(EXPR timeout "${timeout} * 6")
  endif()
  add_test(NAME ${name} COMMAND test_${name} --gtest_brief=1)
  set_tests_properties(${name} PROPERTIES TIMEOUT ${timeout})
  if(TEST_HAS_FULL)
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "GTEST_FILTER=-Full/*")
    add_test(NAME ${name}_full CONFIGURATIONS full
      COMMAND test_${name} --gtest_brief=1 --gtest_filter=Full/*)
    set_tests_properties(${name}_full PROPERTIES TIMEOUT ${timeout})
  endif()
endfunction()

# Writes the rooms for tests/hygiene/check_layers.py, one line per room:
# "path|dependency,dependency".
function(jostle_write_room_list)
  get_property(rooms GLOBAL PROPERTY JOSTLE_ROOMS)
  list(JOIN rooms "\n" lines)
  file(WRITE "${PROJECT_BINARY_DIR}/rooms.txt" "${lines}\n")
endfunction()
