#pragma once

#include <sodium.h>

#include <cstddef>
#include <span>

namespace jostle::crypto::detail {

/// Initialises libsodium, which selects the fastest implementation for this processor. Later calls
/// cost nothing. Aborts the program if the library cannot start, which happens if the system has no
/// source of entropy.
void prepare_sodium();

inline const unsigned char* in(std::span<const std::byte> bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}
inline unsigned char* out(std::span<std::byte> bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());
}

}  // namespace jostle::crypto::detail
