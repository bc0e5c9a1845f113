#include "shared/crypto/ed25519.h"

#include "shared/crypto/detail/sodium.h"

namespace jostle::crypto {
namespace {

struct SigningKey {
  Secret<crypto_sign_ed25519_SECRETKEYBYTES> secret;
  Ed25519PublicKey shown{};
};

SigningKey expand(const Ed25519Seed& seed) {
  detail::prepare_sodium();
  SigningKey key;
  crypto_sign_ed25519_seed_keypair(detail::out(key.shown), detail::out(key.secret.bytes()),
                                   detail::in(seed.bytes()));
  return key;
}

}  // namespace

Ed25519PublicKey verify_key(const Ed25519Seed& seed) {
  return expand(seed).shown;
}

Signature sign(const Ed25519Seed& seed, std::span<const std::byte> text) {
  const SigningKey key = expand(seed);
  Signature signature;
  crypto_sign_ed25519_detached(detail::out(signature), nullptr, detail::in(text), text.size(),
                               detail::in(key.secret.bytes()));
  return signature;
}

bool verify_signature(const Ed25519PublicKey& key, std::span<const std::byte> text,
                      const Signature& signature) {
  detail::prepare_sodium();
  return crypto_sign_ed25519_verify_detached(detail::in(signature), detail::in(text), text.size(),
                                             detail::in(key)) == 0;
}

}  // namespace jostle::crypto
