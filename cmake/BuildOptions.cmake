# Compile flags of all targets of the project, in the interface target jostle_options.
include(CheckCXXCompilerFlag)

# If another project includes this one with add_subdirectory(), keep the build type of that project.
if(NOT CMAKE_BUILD_TYPE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
# -O3 shortens the steps of the engine a little (docs/BENCHMARKS.md), but takes longer to compile. NDEBUG
# is not defined, so all assertions stay on in release builds.
set(JOSTLE_OPTIMISATION "-O2" CACHE STRING "Optimisation of release builds")
set(JOSTLE_ENGINE_OPTIMISATION "-O3" CACHE STRING "Optimisation of shared/physics in release builds")
set(CMAKE_CXX_FLAGS_RELEASE "${JOSTLE_OPTIMISATION}")
set(JOSTLE_ARCHITECTURE "" CACHE STRING "Processor to compile for, as -march names it; empty: every processor of its family")

add_library(jostle_options INTERFACE)
target_include_directories(jostle_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_features(jostle_options INTERFACE cxx_std_20)
if(JOSTLE_ARCHITECTURE)
  target_compile_options(jostle_options INTERFACE "-march=${JOSTLE_ARCHITECTURE}")
endif()
# Warnings are for the sources of this project only: targets link jostle_warnings privately.
add_library(jostle_warnings INTERFACE)
# In unity builds (BuildTime.cmake), a local variable often has the same name as a file-scope
# identifier of another source, so -Wshadow is off there.
set(shadow "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>")
target_compile_options(jostle_warnings INTERFACE
  -Wall -Wextra -Wpedantic ${shadow} -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual
  -Wcast-align -Wnull-dereference
  $<$<BOOL:${JOSTLE_WERROR}>:-Werror>)
target_compile_options(jostle_options INTERFACE
  # Determinism (docs/DETERMINISM.md): no fused multiply-add, no reassociation. -fno-math-errno and
  # -fno-trapping-math change no value; they only let std::sqrt compile to one instruction.
  -ffp-contract=off -fno-fast-math -fno-math-errno -fno-trapping-math)
# g++ 12 inlines std::vector and std::variant so deeply that it reports null dereferences and
# uninitialised alternatives on unreachable paths. clang keeps both warnings.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(jostle_warnings INTERFACE -Wno-null-dereference -Wno-maybe-uninitialized)
endif()
# When g++ 12 vectorises two conversions (double)(float)x into one register, it omits the rounding
# (tests/math/rounding_test.cpp shows this). Results would then depend on the compiler.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(jostle_options INTERFACE -fno-tree-slp-vectorize)
endif()
check_cxx_compiler_flag(-fexcess-precision=standard JOSTLE_HAS_EXCESS_PRECISION)
if(JOSTLE_HAS_EXCESS_PRECISION AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(jostle_options INTERFACE -fexcess-precision=standard)
endif()
# Keep the bounds checks of the standard library in optimised builds, because the programs read
# untrusted bytes. shared/physics removes them from its own sources.
target_compile_definitions(jostle_options INTERFACE _GLIBCXX_ASSERTIONS)

# libjostle.so contains the same objects as the programs, so that nothing is compiled twice. Hidden
# symbols are bound at link time, so this code executes as many instructions as code for programs
# alone. The options are the same for all targets, because they share precompiled headers.
if(JOSTLE_BUILD_LIBRARY)
  target_compile_options(jostle_options INTERFACE -fPIC -fvisibility=hidden -fvisibility-inlines-hidden)
endif()

if(JOSTLE_SANITIZE)
  target_compile_options(jostle_options INTERFACE
    -fsanitize=${JOSTLE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(jostle_options INTERFACE -fsanitize=${JOSTLE_SANITIZE})
endif()

# Compiles the sources ARGN without coverage instrumentation in fuzz builds; other sanitizers stay
# on. Use it for code whose coverage gives the fuzzer no useful information but takes much of the
# time: checksums, ciphers, the physics engine. Call it in the CMakeLists.txt of the sources'
# target, because properties of a source are visible only in their own directory.
function(jostle_unwatched)
  if(JOSTLE_FUZZ)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=fuzzer-no-link)
    set_property(SOURCE ${ARGN} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()
