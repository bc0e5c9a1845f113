# cmake -D OUTPUT=x.cpp -D SCHEMAS=a.fbs,b.fbs -P schema_hash.cmake
#
# Writes the definition of protocol::schema_hash(): the first 64 bits of SHA-256 over the text of
# the schemas, in the order given, with line ends converted to LF.
string(REPLACE "," ";" schemas "${SCHEMAS}")
set(text "")
foreach(schema IN LISTS schemas)
  file(READ "${schema}" content)
  string(REPLACE "\r\n" "\n" content "${content}")
  string(APPEND text "${content}")
endforeach()
string(SHA256 digest "${text}")
string(SUBSTRING "${digest}" 0 16 head)
file(WRITE "${OUTPUT}" "#include \"protocol/version.h\"

namespace jostle::protocol {

std::uint64_t schema_hash() {
  return 0x${head}ULL;
}

}  // namespace jostle::protocol
")
