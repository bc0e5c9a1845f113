#pragma once

#include "client/sim/world_predictor.h"
#include "tools/match/match.h"

#include <memory>
#include <string>

namespace jostle::prediction {

/// Adds a player with client-side prediction.
inline match::Seat& add_predicting(match::Match& match, const std::string& name,
                                   PredictorOptions options = {}) {
  match::Seat& seat = match.add_client(name, protocol::Role::Player, {4'000, true});
  seat.predictor = std::make_unique<WorldPredictor>(match.network().node(seat.ip), options);
  seat.client->set_predictor(seat.predictor.get());
  return seat;
}

}  // namespace jostle::prediction
