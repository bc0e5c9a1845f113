# Install rules. `cmake --install build/release --prefix P` installs everything that was built; with
# --component, one of these parts:
#
#   programs     jostled, jostle, jostle-gate and jostle-view with manual pages and completions, the
#                scenes, and the page of the gate if JOSTLE_PAGE_DIR names its folder
#   library      libjostle.so.0 and libjostle-client.so.0
#   development  the headers, the libraries' names without a version, the CMake package, .pc files,
#                the examples
#   python       the Python package, in lib/python3/dist-packages
#
# A component of the CMake package, find_package(jostle COMPONENTS physics), is a file
# jostle-NAME.cmake beside jostleConfig.cmake. A further part of the API adds such a file with
# jostle_install_component(); a further library also adds its export set and its .pc file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(jostle_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/jostle")
set(jostle_scenes_dir "${CMAKE_INSTALL_DATADIR}/jostle/scenes")

# Installs the component NAME of the CMake package: its targets are those of the export set EXPORT.
function(jostle_install_component name export)
  file(WRITE "${PROJECT_BINARY_DIR}/package/jostle-${name}.cmake"
    "include(\"\${CMAKE_CURRENT_LIST_DIR}/${export}.cmake\")\n")
  install(FILES "${PROJECT_BINARY_DIR}/package/jostle-${name}.cmake"
    DESTINATION "${jostle_cmake_dir}" COMPONENT development)
endfunction()

# Installs a library and the C++ targets ARGN with their headers, the export set and the .pc file,
# which have the library's name.
function(jostle_install_library target name)
  install(TARGETS ${target} ${ARGN} EXPORT ${name}-targets
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT development
    FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development)
  install(EXPORT ${name}-targets NAMESPACE jostle::
    DESTINATION "${jostle_cmake_dir}" COMPONENT development)
  # Paths relative to the .pc file, so that the installed tree can be moved.
  file(RELATIVE_PATH pc_to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  configure_file(cmake/package/${name}.pc.in "${PROJECT_BINARY_DIR}/package/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/package/${name}.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)
endfunction()

if(JOSTLE_BUILD_LIBRARY)
  jostle_install_library(jostle_shared jostle jostle_cpp_physics jostle_cpp_server)
  jostle_install_component(physics jostle-targets)
  jostle_install_component(server jostle-targets)
  jostle_install_library(jostle_client_shared jostle-client jostle_cpp_client)
  jostle_install_component(client jostle-client-targets)
  install(DIRECTORY examples DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT development)
  install(DIRECTORY "${PROJECT_BINARY_DIR}/python/jostle" DESTINATION lib/python3/dist-packages
    COMPONENT python PATTERN __pycache__ EXCLUDE)
  configure_package_config_file(cmake/package/jostleConfig.cmake.in
    "${PROJECT_BINARY_DIR}/package/jostleConfig.cmake" INSTALL_DESTINATION "${jostle_cmake_dir}")
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/jostleConfigVersion.cmake"
    COMPATIBILITY SameMajorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/package/jostleConfig.cmake"
    "${PROJECT_BINARY_DIR}/package/jostleConfigVersion.cmake"
    DESTINATION "${jostle_cmake_dir}" COMPONENT development)
endif()

set(programs jostled jostle jostle-gate)
if(TARGET jostle-view)
  list(APPEND programs jostle-view)
  install(FILES packaging/jostle-view.desktop DESTINATION "${CMAKE_INSTALL_DATADIR}/applications"
    COMPONENT programs)
  install(FILES packaging/jostle.svg DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps"
    COMPONENT programs)
endif()
include(Pages)
install(TARGETS ${programs} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT programs)
install(DIRECTORY scenes/ DESTINATION "${jostle_scenes_dir}" COMPONENT programs)
set(JOSTLE_PAGE_DIR "" CACHE PATH "Folder of the built page, as ./run package makes it; empty: install no page")
if(JOSTLE_PAGE_DIR)
  if(NOT EXISTS "${JOSTLE_PAGE_DIR}/index.html")
    message(FATAL_ERROR "JOSTLE_PAGE_DIR '${JOSTLE_PAGE_DIR}' holds no index.html; name the folder of a built page")
  endif()
  install(DIRECTORY "${JOSTLE_PAGE_DIR}/" DESTINATION "${CMAKE_INSTALL_DATADIR}/jostle/web" COMPONENT programs
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endif()
install(FILES LICENSE README.md CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  COMPONENT programs)
