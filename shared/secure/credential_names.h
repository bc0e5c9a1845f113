#pragma once

#include <string>

namespace jostle::secure {

/// Names of the settings of a client's credentials, for messages: the options of the programs, or
/// the fields of the C API.
struct CredentialNames {
  std::string token = "--token", psk = "--psk", key = "--key", known_servers = "--known-servers";
  bool operator==(const CredentialNames&) const = default;
};

}  // namespace jostle::secure
