# Usage: cmake -D FOLDER=... -D OUTPUT=... -P embed_scenes.cmake. Writes every binary scene in
# FOLDER into a C++ table (tools/matrix/embedded_scenes.h).
file(GLOB files "${FOLDER}/*.scene.bin")
list(SORT files)
set(arrays "")
set(rows "")
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME)
  string(REPLACE ".scene.bin" "" name "${name}")
  file(READ "${file}" bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "alignas(8) constexpr std::uint8_t ${name}[] = {${bytes}};\n")
  string(APPEND rows "    {\"${name}\", ${name}},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"tools/matrix/embedded_scenes.h\"

namespace jostle::matrix {
namespace {

${arrays}
constexpr EmbeddedScene scenes[] = {
${rows}};

}  // namespace

std::span<const EmbeddedScene> embedded_scenes() {
  return scenes;
}

}  // namespace jostle::matrix
")
