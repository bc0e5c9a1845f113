#pragma once

#include "protocol/snapshot_codec.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace jostle::server {

/// The encoded parts of a snapshot as sent, shared by all sessions that received the same parts.
using SharedParts = std::shared_ptr<const std::vector<protocol::EncodedPart>>;

/// An encoded snapshot, sent to one or more sessions.
struct EncodedSnapshot {
  protocol::SnapshotCodec codec = protocol::SnapshotCodec::Context;
  SharedParts parts;
  std::uint64_t payload_bytes = 0;
};

EncodedSnapshot share(protocol::SnapshotCodec codec, std::vector<protocol::EncodedPart> parts);

}  // namespace jostle::server
