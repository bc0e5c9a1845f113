# Usage: cmake -D INPUT=scene.bfbs -D OUTPUT=... -P embed_schema.cmake. Writes the file as a C++ array.
file(READ "${INPUT}" bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE "${OUTPUT}" "#include <cstdint>

namespace jostle::web {

alignas(8) extern const std::uint8_t scene_schema_bytes[];
alignas(8) const std::uint8_t scene_schema_bytes[] = {${bytes}};

}  // namespace jostle::web
")
