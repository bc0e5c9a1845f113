# What keeps a clean build short. No result depends on it.

# Headers of other people, parsed once for all sources that may use them. They hide a missing include
# of a .cpp, so that JOSTLE_PRECOMPILE is off in the preset `dev`.
option(JOSTLE_PRECOMPILE "Precompile the headers of the standard library and GoogleTest" ON)

set(precompiled_standard <algorithm> <array> <bit> <cmath> <cstddef> <cstdint> <cstdio> <functional>
  <limits> <map> <memory> <optional> <set> <span> <string> <string_view> <tuple> <utility> <variant>
  <vector>)
set(precompiled_tests ${precompiled_standard} <sstream> <gmock/gmock.h> <gtest/gtest.h>)

# Lets `target` use the headers named precompiled_<kind>; LINKS are the libraries they come from.
function(jostle_precompile target kind)
  cmake_parse_arguments(PARSE_ARGV 2 PRECOMPILE "" "" "LINKS")
  if(NOT JOSTLE_PRECOMPILE)
    return()
  endif()
  if(NOT TARGET jostle_precompiled_${kind})
    add_library(jostle_precompiled_${kind} OBJECT "${CMAKE_SOURCE_DIR}/cmake/precompiled.cpp")
    target_link_libraries(jostle_precompiled_${kind} PRIVATE jostle_options ${PRECOMPILE_LINKS})
    if(kind STREQUAL "tests")
      target_compile_options(jostle_precompiled_${kind} PRIVATE ${JOSTLE_LIGHT_OPTIMISATION})
    endif()
    target_precompile_headers(jostle_precompiled_${kind} PRIVATE ${precompiled_${kind}})
  endif()
  target_precompile_headers(${target} REUSE_FROM jostle_precompiled_${kind})
endfunction()

# Sources whose speed nobody feels, because they run once or only check others, are optimised less.
set(JOSTLE_LIGHT_OPTIMISATION "$<$<CONFIG:Release>:-O1>")

# Test sources of one room, joined: six are compiled as one, which halves the time, since most of it goes
# into headers. They then share their anonymous namespaces: a name at file scope stands once in all
# sources of a target, and what several of them need in a header beside them. A missing include is hidden
# by the source before, so that JOSTLE_UNITY_TESTS is off in the preset `dev`, which proves that each
# source compiles for itself.
option(JOSTLE_UNITY_TESTS "Compile the test sources of a room several at a time" ON)

# Joins the sources of `target`, a program of tests.
function(jostle_join_sources target)
  if(JOSTLE_UNITY_TESTS)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  endif()
endfunction()
