#include "server/encoded_snapshot.h"

#include <utility>

namespace jostle::server {

EncodedSnapshot share(protocol::SnapshotCodec codec, std::vector<protocol::EncodedPart> parts) {
  EncodedSnapshot coded{codec, nullptr, 0};
  for (const protocol::EncodedPart& part : parts)
    coded.payload_bytes += part.payload.size();
  coded.parts = std::make_shared<const std::vector<protocol::EncodedPart>>(std::move(parts));
  return coded;
}

}  // namespace jostle::server
