#include "server/version_mismatch.h"

#include "protocol/context/own_hello.h"

#include <cstdio>

namespace jostle::server {
namespace {

std::string version_text(const protocol::Hello& of) {
  char hashes[64];
  std::snprintf(hashes, sizeof hashes, " (schema %016llx, priors %016llx)",
                static_cast<unsigned long long>(of.schema_hash),
                static_cast<unsigned long long>(of.priors_hash));
  return std::to_string(of.version_major) + "." + std::to_string(of.version_minor) + hashes;
}

}  // namespace

std::string describe_version_mismatch(const protocol::Hello& hello) {
  return "the server uses protocol " + version_text(protocol::context::own_hello()) +
         ", the client " + version_text(hello) + "; run the same build on both sides";
}

}  // namespace jostle::server
