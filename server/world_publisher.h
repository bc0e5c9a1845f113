#pragma once

#include "server/blob_sender.h"
#include "server/clients.h"
#include "shared/sim/simulation.h"

#include <cstdint>
#include <vector>

namespace jostle::server {

/// Sends the definition of the world, which lists its bodies and shapes, and the changes of that
/// definition.
class WorldPublisher {
 public:
  WorldPublisher(const sim::Simulation& simulation, Clients& clients)
      : simulation_(simulation), clients_(clients) {}

  /// Sends the whole world to a client, and a keyframe with the next snapshot.
  void send_whole(ClientSession& session);
  /// Sends the last tick's change of the world to all clients, or the whole world if the scene was
  /// reset or the change does not fit in a control message.
  void publish_change();

 private:
  const sim::Simulation& simulation_;
  Clients& clients_;
  std::vector<SharedBlob> blobs_;  // blobs of `revision_`, encoded on first use
  std::uint32_t revision_ = 0;
};

}  // namespace jostle::server
