#pragma once

#include "shared/crypto/x25519.h"
#include "shared/net/address.h"
#include "shared/secure/admission.h"
#include "shared/secure/credential_names.h"
#include "shared/secure/handshake_wire.h"
#include "shared/secure/token.h"
#include "shared/secure/token_registry.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace jostle::net {

/// A client that a server has refused at the key exchange.
struct RefusedEntry {
  Address from;
  /// The reason; null: the client does not have the keys that it needs.
  std::optional<secure::Admission> reason;
  std::optional<secure::TokenId> token;  // the token that the client sent, if it can be read
};

/// The keys and credentials of one end of a connection.
struct SecurityOptions {
  /// For servers: the credential that clients must have.
  secure::AccessMode mode = secure::AccessMode::Open;
  /// For both ends: the long-term key pair. If empty, a new one is generated.
  std::optional<crypto::KeyPair> key{};
  /// For servers in mode Token; must outlive the transport.
  secure::TokenRegistry* tokens = nullptr;
  /// For both ends in mode SharedKey: the shared key.
  std::optional<secure::PreSharedKey> psk{};
  /// For clients: the server's expected key. If empty, only the server that `token` names is
  /// accepted, or any server if there is no token.
  std::optional<crypto::PublicKey> server{};
  /// For clients: a clause for error messages that says where `server` was read.
  std::string server_source{};
  /// For clients: the bytes of a token; empty if there is none.
  std::vector<std::byte> token{};
  /// For clients: for error messages.
  secure::CredentialNames names{};
  /// For servers: called for each client that is refused; may be empty.
  std::function<void(const RefusedEntry&)> on_refused{};
};

}  // namespace jostle::net
