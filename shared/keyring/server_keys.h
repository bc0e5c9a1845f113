#pragma once

#include "shared/base/result.h"
#include "shared/crypto/ed25519.h"
#include "shared/crypto/x25519.h"
#include "shared/net/io.h"

#include <string>

namespace jostle::keyring {

// A server's folder of keys:
//
//   server.key   by which clients know the server; secret
//   server.pub   what they know of it
//   issuer.key   what signs tokens; secret, and needed only where tokens are issued
//   issuer.pub   what the server checks them by
//
// What is missing is made only where nothing that belongs to it is there: a server or an issuer
// that has lost its secret does not silently become another one. Errors name file, line and what is
// wrong.

/// What a server needs of it.
struct ServerKeys {
  crypto::KeyPair server;
  crypto::VerifyKey issuer{};
  bool is_new = false;  // some were made just now
};
base::Result<ServerKeys, std::string> server_keys(net::Io& io, const std::string& folder);

/// What is needed to issue tokens.
struct IssuerKeys {
  crypto::SigningSeed issuer;
  crypto::PublicKey server{};
  bool is_new = false;
};
base::Result<IssuerKeys, std::string> issuer_keys(net::Io& io, const std::string& folder);

}  // namespace jostle::keyring
