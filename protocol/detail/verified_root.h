#pragma once

#include "protocol/detail/message_bytes.h"

#include <flatbuffers/flatbuffers.h>

#include <cstddef>
#include <cstdint>

namespace jostle::protocol::detail {

/// Maximum nesting depth and maximum number of tables of a message.
struct TableLimits {
  std::uint32_t max_depth = 2, max_tables = 1;
};

/// Verifies a message of `size` bytes and returns its root; null if it is invalid or has another
/// file identifier.
template <typename T>
const T* verified_root(const AlignedBytes& message, std::size_t size, const char* identifier,
                       TableLimits limits = {}) {
  flatbuffers::Verifier verifier(message.data(), size, limits.max_depth, limits.max_tables);
  if (!verifier.VerifyBuffer<T>(identifier)) return nullptr;
  return flatbuffers::GetRoot<T>(message.data());
}

}  // namespace jostle::protocol::detail
