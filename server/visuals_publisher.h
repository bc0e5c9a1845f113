#pragma once

#include "server/clients.h"
#include "server/options.h"
#include "shared/sim/simulation.h"
#include "shared/state/label.h"

#include <cstddef>
#include <map>
#include <vector>

namespace jostle::server {

/// Sends displayed data other than bodies: particles, labels, values of rules and ropes.
class VisualsPublisher {
 public:
  VisualsPublisher(const sim::Simulation& simulation, const Options& options, Clients& clients)
      : simulation_(simulation), options_(options), clients_(clients) {}

  /// Sends the messages that are due in this tick.
  void publish();

 private:
  void publish_values();
  void publish_ropes();

  const sim::Simulation& simulation_;
  const Options& options_;
  Clients& clients_;
  /// The values that were sent last, by player; the null id stands for spectators.
  std::map<state::PlayerId, std::vector<state::Label>> sent_values_;
  bool has_ropes_ = false;     // true if there were ropes since the last restart of the scene
  std::size_t next_rope_ = 0;  // index of the first rope of the next message
};

}  // namespace jostle::server
