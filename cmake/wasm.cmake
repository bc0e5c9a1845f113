# Toolchain for WebAssembly with WASI: Debian's clang 16, its libc++ for wasm32, and Node to run the
# programs.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-16)
set(CMAKE_CXX_COMPILER clang++-16)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar-16)
set(CMAKE_RANLIB llvm-ranlib-16)
set(libcxx /usr/lib/llvm-16)
set(CMAKE_CXX_FLAGS_INIT
  "-fno-exceptions -nostdinc++ -isystem ${CMAKE_CURRENT_LIST_DIR}/wasi -isystem ${libcxx}/include/wasm32-wasi/c++/v1")
# Put the stack below all other memory, so that a stack overflow ends the program instead of
# overwriting data.
set(CMAKE_EXE_LINKER_FLAGS_INIT
  "-L${libcxx}/lib/wasm32-wasi -Wl,-z,stack-size=8388608 -Wl,--stack-first -Wl,--max-memory=2147483648")
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_CROSSCOMPILING_EMULATOR node --no-warnings ${CMAKE_CURRENT_LIST_DIR}/wasi/run.mjs)
