#pragma once

#include "shared/crypto/x25519.h"
#include "shared/secure/handshake_wire.h"
#include "shared/secure/token_book.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jostle::net {

/// What the two ends of a connection must know of each other before they talk.
struct SecurityOptions {
  // Of those who accept connections:
  secure::AccessMode mode = secure::AccessMode::Open;
  // Of both ends:
  std::optional<crypto::KeyPair> key{};  // by which the other knows it again; nothing: a fresh one
  // Of those who accept:
  secure::TokenBook* tokens = nullptr;  // of mode Token; outlives the transport
  // Of both ends, in mode SharedKey:
  std::optional<secure::PreSharedKey> psk{};
  // Of those who connect:
  std::optional<crypto::PublicKey> server{};  // the only one that will do; nothing: any
  std::string server_source{};                // appended where it is told of another: whence it is
  std::vector<std::byte> token{};
};

}  // namespace jostle::net
