# Toolchain for the programs other than jostle-view on aarch64. Extends aarch64.cmake by the arm64
# libraries that `./run test --full machines` unpacks into build/arm64.
include("${CMAKE_CURRENT_LIST_DIR}/aarch64.cmake")
get_filename_component(packages "${CMAKE_CURRENT_LIST_DIR}/../build/arm64/root" ABSOLUTE)
list(PREPEND CMAKE_FIND_ROOT_PATH "${packages}")
set(CMAKE_LIBRARY_ARCHITECTURE ${triplet})
set(ENV{PKG_CONFIG_LIBDIR} "${packages}/usr/lib/${triplet}/pkgconfig:${packages}/usr/share/pkgconfig")
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${packages}")
set(CMAKE_CROSSCOMPILING_EMULATOR ${emulator} -L /usr/${triplet}
  -E LD_LIBRARY_PATH=${packages}/usr/lib/${triplet})
