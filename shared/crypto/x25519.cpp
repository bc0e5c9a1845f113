#include "shared/crypto/x25519.h"

#include "shared/crypto/detail/sodium.h"

namespace jostle::crypto {

KeyPair key_pair(const Secret<x25519_bytes>& secret) {
  detail::prepare_sodium();
  KeyPair pair{.secret = secret};
  crypto_scalarmult_curve25519_base(detail::out(pair.shown), detail::in(secret.bytes()));
  return pair;
}

KeyPair key_pair(const FillRandom& fill_random) {
  return key_pair(random_secret<x25519_bytes>(fill_random));
}

bool x25519(const Secret<x25519_bytes>& own, const PublicKey& other, Secret<x25519_bytes>& result) {
  detail::prepare_sodium();
  return crypto_scalarmult_curve25519(detail::out(result.bytes()), detail::in(own.bytes()),
                                      detail::in(other)) == 0;
}

}  // namespace jostle::crypto
