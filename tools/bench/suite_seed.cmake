# cmake -D SOURCE_DIR=. -D OUTPUT=suite_seed.cpp -P suite_seed.cmake
#
# Writes the definition of bench::default_suite_seed(): the first 8 digits of the hash of the last
# commit that touched shared/physics in the checkout at SOURCE_DIR. Outside a checkout, writes those
# of a SHA-256 of the folder's files. OUTPUT is rewritten only if its text changes.
set(hash "")
find_program(GIT git)
if(GIT AND EXISTS "${SOURCE_DIR}/.git")
  execute_process(COMMAND ${GIT} -C "${SOURCE_DIR}" log -1 --format=%H -- shared/physics
    OUTPUT_VARIABLE hash OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT hash MATCHES "^[0-9a-f]+$")
  file(GLOB_RECURSE sources RELATIVE "${SOURCE_DIR}" "${SOURCE_DIR}/shared/physics/*")
  list(SORT sources)
  set(all "")
  foreach(source IN LISTS sources)
    file(SHA256 "${SOURCE_DIR}/${source}" one)
    string(APPEND all "${source} ${one}\n")
  endforeach()
  string(SHA256 hash "${all}")
endif()
string(SUBSTRING "${hash}" 0 8 digits)
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "#include \"tools/bench/suite.h\"

namespace jostle::bench {

std::uint32_t default_suite_seed() {
  return 0x${digits}U;
}

}  // namespace jostle::bench
")
