#include "server/world_publisher.h"

#include "protocol/control_codec.h"
#include "protocol/world_codec.h"

#include <utility>

namespace jostle::server {

void WorldPublisher::publish_change() {
  const auto& change = simulation_.last_change();
  if (!change) return;
  const bool is_whole_world_cheaper =
      simulation_.was_reset() || !protocol::fits_control_message(*change);
  for (auto& [peer, session] : clients_) {
    if (session.state == ClientSessionState::AwaitHello) continue;
    if (is_whole_world_cheaper) {
      send_whole(session);
    } else {
      clients_.send_control(session, *change);
    }
  }
}

void WorldPublisher::send_whole(ClientSession& session) {
  const state::WorldDef& world = simulation_.world_def();
  if (blobs_.empty() || revision_ != world.revision) {
    protocol::EncodedWorld encoded = protocol::encode_world(world);
    blobs_.clear();
    for (protocol::Blob& shape : encoded.shapes)
      blobs_.push_back(pack(protocol::BlobKind::Shape, std::move(shape)));
    blobs_.push_back(pack(protocol::BlobKind::WorldDef, std::move(encoded.world)));
    revision_ = world.revision;
  }
  for (const SharedBlob& blob : blobs_)
    session.blobs.add(blob);
  session.snapshots.wants_keyframe = true;
}

}  // namespace jostle::server
