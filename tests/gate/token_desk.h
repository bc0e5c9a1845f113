#pragma once

#include "shared/crypto/ed25519.h"
#include "shared/net/security.h"
#include "shared/secure/token.h"
#include "tests/secure/seeded_random.h"
#include "tools/web_client/web_socket_transport.h"

#include <cstdint>
#include <string>

namespace jostle::gate {

/// Keys and tokens of a server in mode Token.
struct TokenDesk {
  crypto::Ed25519Seed issuer = crypto::random_secret<32>(secure::seeded(1));
  crypto::KeyPair server = crypto::key_pair(secure::seeded(2));
  secure::TokenRegistry registry{crypto::verify_key(issuer), server.shown};

  net::SecurityOptions security() {
    net::SecurityOptions options;
    options.mode = secure::AccessMode::Token;
    options.key = server;
    options.tokens = &registry;
    return options;
  }
  std::string token(secure::Role role, bool is_reusable = false,
                    std::int64_t not_after_s = 1LL << 40) {
    secure::Token token;
    token.id[0] = static_cast<std::byte>(++count);
    token.client = 40 + count;
    token.role = role;
    token.is_reusable = is_reusable;
    token.server = server.shown;
    token.not_after_s = not_after_s;
    return secure::token_text(secure::encode_token(token, issuer));
  }
  std::uint64_t count = 0;
};

inline web_client::WebSocketOptions with_token(const std::string& text, int secret = 1) {
  web_client::WebSocketOptions options;
  options.entry.token_text = text;
  options.entry.secret[0] = static_cast<std::byte>(secret);
  return options;
}

}  // namespace jostle::gate
