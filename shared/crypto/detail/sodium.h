#pragma once

#include <sodium.h>

#include <cstddef>
#include <span>

namespace jostle::crypto::detail {

/// Chooses libsodium's fastest form for this processor; again costs nothing. Ends the program when
/// the library cannot start, which is when the system has no entropy.
void prepare_sodium();

inline const unsigned char* in(std::span<const std::byte> bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}
inline unsigned char* out(std::span<std::byte> bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());
}

}  // namespace jostle::crypto::detail
