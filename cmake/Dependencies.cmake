# Third-party packages, each behind one target name. All come from the distribution (see ./run).
find_package(Threads REQUIRED)
if(JOSTLE_BUILD_TESTS AND JOSTLE_ENGINE_ONLY)
  # Debian has GoogleTest built for its own processor only, and its sources beside that.
  find_path(GOOGLETEST_SOURCES googletest/src/gtest-all.cc PATHS /usr/src/googletest
    NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  set(INSTALL_GTEST OFF)
  add_subdirectory("${GOOGLETEST_SOURCES}" "${CMAKE_BINARY_DIR}/googletest" EXCLUDE_FROM_ALL)
endif()
if(JOSTLE_ENGINE_ONLY)
  return()
endif()

find_package(PkgConfig REQUIRED)

pkg_check_modules(ENET REQUIRED IMPORTED_TARGET libenet)
add_library(jostle_enet INTERFACE)
target_link_libraries(jostle_enet INTERFACE PkgConfig::ENET)

pkg_check_modules(SODIUM REQUIRED IMPORTED_TARGET libsodium)
add_library(jostle_sodium INTERFACE)
target_link_libraries(jostle_sodium INTERFACE PkgConfig::SODIUM)

pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
add_library(jostle_zstd INTERFACE)
target_link_libraries(jostle_zstd INTERFACE PkgConfig::ZSTD)

# FlatBuffers: Debian 12's package lists a static and a shared target; either will do.
find_package(Flatbuffers CONFIG QUIET)
if(NOT Flatbuffers_FOUND)
  find_package(FlatBuffers CONFIG REQUIRED)
endif()
find_program(FLATC flatc REQUIRED)
add_library(jostle_flatbuffers INTERFACE)
foreach(candidate flatbuffers::flatbuffers flatbuffers::flatbuffers_shared)
  if(TARGET ${candidate})
    target_link_libraries(jostle_flatbuffers INTERFACE ${candidate})
    break()
  endif()
endforeach()

# Standalone Asio is headers only.
find_path(ASIO_INCLUDE_DIR asio.hpp REQUIRED)
add_library(jostle_asio INTERFACE)
target_include_directories(jostle_asio SYSTEM INTERFACE "${ASIO_INCLUDE_DIR}")
target_compile_definitions(jostle_asio INTERFACE ASIO_STANDALONE ASIO_NO_DEPRECATED)
target_link_libraries(jostle_asio INTERFACE Threads::Threads)

find_package(CLI11 CONFIG REQUIRED)

# By what it installs: the package's own targets name no folder for the header.
find_path(TINYGLTF_INCLUDE_DIR tiny_gltf.h REQUIRED)
find_library(TINYGLTF_LIBRARY tinygltf REQUIRED)
add_library(jostle_tinygltf INTERFACE)
target_include_directories(jostle_tinygltf SYSTEM INTERFACE "${TINYGLTF_INCLUDE_DIR}")
target_link_libraries(jostle_tinygltf INTERFACE "${TINYGLTF_LIBRARY}")

if(JOSTLE_BUILD_APP)
  find_package(SDL2 CONFIG REQUIRED)
  find_package(PNG REQUIRED)
  # Dear ImGui: by its .pc file where the package has one (Debian 12), else by what it installs.
  add_library(jostle_imgui INTERFACE)
  pkg_check_modules(IMGUI IMPORTED_TARGET imgui)
  if(IMGUI_FOUND)
    target_link_libraries(jostle_imgui INTERFACE PkgConfig::IMGUI)
  else()
    find_path(IMGUI_INCLUDE_DIR imgui.h PATH_SUFFIXES imgui REQUIRED)
    find_library(IMGUI_LIBRARY imgui REQUIRED)
    find_library(STB_LIBRARY stb)
    target_include_directories(jostle_imgui SYSTEM INTERFACE "${IMGUI_INCLUDE_DIR}")
    target_link_libraries(jostle_imgui INTERFACE "${IMGUI_LIBRARY}")
    if(STB_LIBRARY)
      target_link_libraries(jostle_imgui INTERFACE "${STB_LIBRARY}")
    endif()
  endif()
endif()
if(JOSTLE_BUILD_TESTS)
  find_package(GTest CONFIG REQUIRED)
endif()
if(JOSTLE_BUILD_BENCH)
  find_package(benchmark CONFIG REQUIRED)
endif()

# jostle_flatbuffer_headers(target schema.fbs ...): generates <name>_generated.h with the installed
# flatc (generated code is locked to one library version) into the build tree, at the same path
# as the schema. Options after OPTIONS go to flatc.
function(jostle_flatbuffer_headers target)
  cmake_parse_arguments(PARSE_ARGV 1 FBS "" "" "SCHEMAS;OPTIONS")
  set(outputs "")
  foreach(schema IN LISTS FBS_SCHEMAS)
    get_filename_component(name "${schema}" NAME_WE)
    file(RELATIVE_PATH folder "${CMAKE_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}/${schema}")
    get_filename_component(folder "${folder}" DIRECTORY)
    set(output "${CMAKE_BINARY_DIR}/generated/${folder}/${name}_generated.h")
    add_custom_command(OUTPUT "${output}"
      COMMAND ${FLATC} --cpp --cpp-std c++17 --scoped-enums --warnings-as-errors ${FBS_OPTIONS}
              -I "${CMAKE_SOURCE_DIR}" -o "${CMAKE_BINARY_DIR}/generated/${folder}"
              "${CMAKE_CURRENT_SOURCE_DIR}/${schema}"
      DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${schema}" VERBATIM
      COMMENT "flatc ${schema}")
    list(APPEND outputs "${output}")
  endforeach()
  add_custom_target(${target}_schemas DEPENDS ${outputs})
  add_dependencies(${target} ${target}_schemas)
  target_include_directories(${target} SYSTEM PRIVATE "${CMAKE_BINARY_DIR}/generated")
endfunction()
