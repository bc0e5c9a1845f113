# Toolchain for WebAssembly with WASI: Debian's clang, its libc++ for wasm32, and Node to run the
# programs. The version of LLVM is in scripts/packages, in the table of the Debian release.
cmake_host_system_information(RESULT release QUERY DISTRIB_INFO)
set(packages ${CMAKE_CURRENT_LIST_DIR}/../scripts/packages)
set(table ${packages}/${release_ID}-${release_VERSION_ID})
if(NOT EXISTS ${table})
  set(table ${packages}/debian-13)
endif()
file(STRINGS ${table} llvm REGEX "^wasm_llvm=")
string(REPLACE "wasm_llvm=" "" llvm ${llvm})
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-${llvm})
set(CMAKE_CXX_COMPILER clang++-${llvm})
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar-${llvm})
set(CMAKE_RANLIB llvm-ranlib-${llvm})
set(libcxx /usr/lib/llvm-${llvm})
set(CMAKE_CXX_FLAGS_INIT
  "-fno-exceptions -nostdinc++ -isystem ${CMAKE_CURRENT_LIST_DIR}/wasi -isystem ${libcxx}/include/wasm32-wasi/c++/v1")
# Put the stack below all other memory, so that a stack overflow ends the program instead of
# overwriting data.
set(CMAKE_EXE_LINKER_FLAGS_INIT
  "-L${libcxx}/lib/wasm32-wasi -Wl,-z,stack-size=8388608 -Wl,--stack-first -Wl,--max-memory=2147483648")
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_CROSSCOMPILING_EMULATOR node --no-warnings ${CMAKE_CURRENT_LIST_DIR}/wasi/run.mjs)
