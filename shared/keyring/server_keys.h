#pragma once

#include "shared/base/result.h"
#include "shared/crypto/ed25519.h"
#include "shared/crypto/x25519.h"
#include "shared/net/io.h"

#include <string>

namespace jostle::keyring {

// A server's key folder:
//
// - `server.key`: the server's secret key.
// - `server.pub`: its public key, by which clients recognise the server.
// - `issuer.key`: the secret that signs tokens; needed only on machines that issue tokens.
// - `issuer.pub`: the public key with which the server verifies tokens.
//
// A missing secret is generated only if its public key is missing too. A server or issuer that lost
// its secret therefore reports an error and does not silently get a new identity. Errors name the
// file, the line and the problem.

/// The keys that a server needs.
struct ServerKeys {
  crypto::KeyPair server;
  crypto::Ed25519PublicKey issuer{};
  bool is_new = false;  // true if this call generated a key
};
/// Reads the server's keys from the folder, and generates missing ones.
base::Result<ServerKeys, std::string> server_keys(net::Io& io, const std::string& folder);

/// The keys that are needed to issue tokens. `server` is the public key of the only server that
/// accepts these tokens.
struct IssuerKeys {
  crypto::Ed25519Seed issuer;
  crypto::PublicKey server{};
  bool is_new = false;
};
/// Reads the issuer's keys from the folder, and generates missing ones.
base::Result<IssuerKeys, std::string> issuer_keys(net::Io& io, const std::string& folder);

}  // namespace jostle::keyring
