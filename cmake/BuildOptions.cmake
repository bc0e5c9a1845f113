# Flags that every target of the project compiles with, carried by the target jostle_options.
include(CheckCXXCompilerFlag)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
# -O3 of CMake's default Release brings nothing that a measurement here has shown; NDEBUG would
# switch nothing of ours off (JOSTLE_ASSERT stays on in every build).
set(JOSTLE_OPTIMISATION "-O2" CACHE STRING "Optimisation of release builds")
set(CMAKE_CXX_FLAGS_RELEASE "${JOSTLE_OPTIMISATION}")

add_library(jostle_options INTERFACE)
target_include_directories(jostle_options INTERFACE "${CMAKE_SOURCE_DIR}")
# Where sources are joined (BuildTime.cmake), a local name is often one at file scope of another source.
set(shadow "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>")
target_compile_options(jostle_options INTERFACE
  -Wall -Wextra -Wpedantic ${shadow} -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual
  -Wcast-align -Wnull-dereference
  $<$<BOOL:${JOSTLE_WERROR}>:-Werror>
  # Determinism (docs/DETERMINISM.md): no fused multiply-add, no reassociation. -fno-math-errno and
  # -fno-trapping-math change no value; they only let std::sqrt become one instruction.
  -ffp-contract=off -fno-fast-math -fno-math-errno -fno-trapping-math)
# g++ 12 inlines std::vector and std::variant so far that it reports null dereferences and
# uninitialised alternatives that no path can reach; clang keeps both warnings.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(jostle_options INTERFACE -Wno-null-dereference -Wno-maybe-uninitialized)
endif()
# g++ 12 leaves out the rounding of (double)(float)x where it puts two such side by side into a
# register (tests/math/rounding_test.cpp shows it): bits would depend on the compiler.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(jostle_options INTERFACE -fno-tree-slp-vectorize)
endif()
check_cxx_compiler_flag(-fexcess-precision=standard JOSTLE_HAS_EXCESS_PRECISION)
if(JOSTLE_HAS_EXCESS_PRECISION AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(jostle_options INTERFACE -fexcess-precision=standard)
endif()
# Bounds checks of the standard library stay on in optimised builds: strangers' bytes pass here.
target_compile_definitions(jostle_options INTERFACE _GLIBCXX_ASSERTIONS)

if(JOSTLE_SANITIZE)
  target_compile_options(jostle_options INTERFACE
    -fsanitize=${JOSTLE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(jostle_options INTERFACE -fsanitize=${JOSTLE_SANITIZE})
endif()

# In fuzz builds: sources that compute the same way whatever they are given (checksums, ciphers) are
# not watched for coverage, which tells nothing there and takes most of the time. The other
# sanitizers stay. To be called where the sources' target is made.
function(jostle_unwatched)
  if(JOSTLE_FUZZ)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=fuzzer-no-link)
    set_property(SOURCE ${ARGN} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()
