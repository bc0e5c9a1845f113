# Options that shorten a clean build. None of them changes a result of the simulation.

# Precompiled headers of the standard library and of GoogleTest, shared by all targets. They hide a
# missing include in a .cpp, so JOSTLE_PRECOMPILE is off in the preset `dev`.
option(JOSTLE_PRECOMPILE "Precompile the headers of the standard library and GoogleTest" ON)

set(precompiled_standard <algorithm> <array> <bit> <cmath> <cstddef> <cstdint> <cstdio> <functional>
  <limits> <map> <memory> <optional> <set> <span> <string> <string_view> <tuple> <utility> <variant>
  <vector>)
set(precompiled_tests ${precompiled_standard} <sstream> <gmock/gmock.h> <gtest/gtest.h>)

# Makes `target` use the precompiled headers of the list precompiled_<kind>; `kind` is standard or
# tests. LINKS are the libraries that the headers belong to.
function(jostle_precompile target kind)
  cmake_parse_arguments(PARSE_ARGV 2 PRECOMPILE "" "" "LINKS")
  if(NOT JOSTLE_PRECOMPILE)
    return()
  endif()
  if(NOT TARGET jostle_precompiled_${kind})
    add_library(jostle_precompiled_${kind} OBJECT "${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp")
    target_link_libraries(jostle_precompiled_${kind} PRIVATE jostle_options jostle_warnings ${PRECOMPILE_LINKS})
    if(kind STREQUAL "tests")
      target_compile_options(jostle_precompiled_${kind} PRIVATE ${JOSTLE_LIGHT_OPTIMISATION})
    endif()
    target_precompile_headers(jostle_precompiled_${kind} PRIVATE ${precompiled_${kind}})
  endif()
  target_precompile_headers(${target} REUSE_FROM jostle_precompiled_${kind})
endfunction()

# Compile flags for sources whose speed does not matter, because they run once or only test other
# code. g++ compiles faster with -Og than with -O1. With ggc-min-heapsize, g++ allocates 512 MB
# before it collects garbage, because collections take time and free little memory.
set(JOSTLE_LIGHT_OPTIMISATION "$<$<CONFIG:Release>:-Og>"
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=524288>")

# Unity build: several sources of a target are compiled as one. This halves the compile time,
# because most of it is spent in headers.
#
# The sources of a target then share their anonymous namespaces, so names at file scope must be
# unique within a target; shared helpers belong in a header. A missing include stays undetected if
# an earlier source of the same unit has it. The presets `dev` and `clang` therefore turn
# JOSTLE_UNITY_BUILD off, which proves that each source compiles alone, with all warnings.
option(JOSTLE_UNITY_BUILD "Compile the sources of a target several at a time" ON)

# Turns on the unity build for `target`, with at most `size` sources at a time.
function(jostle_join_sources target size)
  if(JOSTLE_UNITY_BUILD)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
  endif()
endfunction()
