# Finds the third-party packages; each gets one target name. All come from the distribution (see
# ./run).
if(CMAKE_SYSTEM_NAME STREQUAL "WASI")  # WASI has no threads; cmake/wasi has stubs
  add_library(Threads::Threads INTERFACE IMPORTED)
else()
  find_package(Threads REQUIRED)
endif()
if(JOSTLE_BUILD_TESTS AND CMAKE_CROSSCOMPILING)
  # Cross builds compile GoogleTest from Debian's source package, because its binaries are for the
  # host processor only.
  find_path(GOOGLETEST_SOURCES googletest/src/gtest-all.cc PATHS /usr/src/googletest
    NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  set(INSTALL_GTEST OFF)
  add_subdirectory("${GOOGLETEST_SOURCES}" "${PROJECT_BINARY_DIR}/googletest" EXCLUDE_FROM_ALL)
endif()
find_program(FLATC flatc REQUIRED)
add_library(jostle_flatbuffers INTERFACE)
if(JOSTLE_ENGINE_ONLY OR JOSTLE_BROWSER_MODULES)
  # Use only FlatBuffers' headers, which are the same for every processor. /usr/include also has
  # headers of the host processor, so make only this folder visible, by a symbolic link.
  find_path(FLATBUFFERS_HEADERS flatbuffers/flatbuffers.h PATHS /usr/include
    NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/headers")
  file(CREATE_LINK "${FLATBUFFERS_HEADERS}/flatbuffers" "${PROJECT_BINARY_DIR}/headers/flatbuffers"
    COPY_ON_ERROR SYMBOLIC)
  target_include_directories(jostle_flatbuffers SYSTEM INTERFACE "${PROJECT_BINARY_DIR}/headers")
  if(JOSTLE_BUILD_TESTS AND NOT CMAKE_CROSSCOMPILING)
    find_package(GTest CONFIG REQUIRED)
  endif()
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

pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
add_library(jostle_utf8proc INTERFACE)
target_link_libraries(jostle_utf8proc INTERFACE PkgConfig::UTF8PROC)

# Debian 12's FlatBuffers package lists a static and a shared target. The shared one comes first,
# because libjostle.so cannot contain a static library that was not compiled for it.
find_package(Flatbuffers CONFIG QUIET)
if(NOT Flatbuffers_FOUND)
  find_package(FlatBuffers CONFIG REQUIRED)
endif()
foreach(candidate flatbuffers::flatbuffers_shared flatbuffers::flatbuffers)
  if(TARGET ${candidate})
    target_link_libraries(jostle_flatbuffers INTERFACE ${candidate})
    break()
  endif()
endforeach()

# Standalone Asio is header-only.
find_path(ASIO_INCLUDE_DIR asio.hpp REQUIRED)
add_library(jostle_asio INTERFACE)
target_include_directories(jostle_asio SYSTEM INTERFACE "${ASIO_INCLUDE_DIR}")
target_compile_definitions(jostle_asio INTERFACE ASIO_STANDALONE ASIO_NO_DEPRECATED)
target_link_libraries(jostle_asio INTERFACE Threads::Threads)

# Boost is used header-only: Beast, and Asio with OpenSSL. 1.81 is the oldest version that is tested.
set(Boost_NO_WARN_NEW_VERSIONS ON)
find_package(Boost 1.81 REQUIRED)
find_package(OpenSSL REQUIRED)
add_library(jostle_boost INTERFACE)
target_include_directories(jostle_boost SYSTEM INTERFACE "${Boost_INCLUDE_DIRS}")
target_compile_definitions(jostle_boost INTERFACE BOOST_ASIO_NO_DEPRECATED
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION)
target_link_libraries(jostle_boost INTERFACE OpenSSL::SSL OpenSSL::Crypto Threads::Threads)

find_package(CLI11 CONFIG REQUIRED)

# Search for the files, because the CMake targets of the tinygltf package do not set the include
# folder.
find_path(TINYGLTF_INCLUDE_DIR tiny_gltf.h REQUIRED)
find_library(TINYGLTF_LIBRARY tinygltf REQUIRED)
add_library(jostle_tinygltf INTERFACE)
target_include_directories(jostle_tinygltf SYSTEM INTERFACE "${TINYGLTF_INCLUDE_DIR}")
target_link_libraries(jostle_tinygltf INTERFACE "${TINYGLTF_LIBRARY}")

if(JOSTLE_BUILD_APP)
  # toml++ is used as a header-only library.
  find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED)
  add_library(jostle_tomlplusplus INTERFACE)
  target_include_directories(jostle_tomlplusplus SYSTEM INTERFACE "${TOMLPLUSPLUS_INCLUDE_DIR}")

  find_package(SDL2 CONFIG REQUIRED)
  find_package(PNG REQUIRED)
  # Use the .pc file of Dear ImGui if the package has one (Debian 12), otherwise search for its
  # installed files.
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
