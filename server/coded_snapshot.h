#pragma once

#include "protocol/snapshot_codec.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace jostle::server {

/// The parts of a snapshot as they were sent, shared by all sessions that got the same.
using SharedParts = std::shared_ptr<const std::vector<protocol::EncodedPart>>;

/// A snapshot as it goes out to one or more sessions.
struct CodedSnapshot {
  protocol::SnapshotCodec codec = protocol::SnapshotCodec::Context;
  SharedParts parts;
  std::uint64_t payload_bytes = 0;
};

CodedSnapshot share(protocol::SnapshotCodec codec, std::vector<protocol::EncodedPart> parts);

}  // namespace jostle::server
