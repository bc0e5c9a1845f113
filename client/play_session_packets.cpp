#include "client/play_session.h"

#include <algorithm>
#include <utility>

// Implements the functions that return the packets to send; play_session.cpp has the others.

namespace jostle::client {
namespace {

/// Number of pings that are sent at the shorter interval, so that the clock settles soon.
constexpr std::uint32_t fast_pings = 10;
constexpr std::int64_t fast_ping_interval_us = 50'000;
/// Interval of later pings of a spectator until the capacity of its uplink is known.
constexpr std::int64_t start_ping_interval_us = 100'000;
/// Time for which a ping waits for a packet over a narrow link.
constexpr std::int64_t longest_ping_wait_us = 100'000;
/// Interval of later pings.
constexpr std::int64_t ping_interval_us = 250'000;

/// Minimum interval between requests for the full simulation state. A server refuses more than one
/// request per second.
constexpr std::int64_t simulation_interval_us = 2'000'000;
/// Maximum of this interval, which doubles while there is no answer, for example because the world
/// cannot be predicted.
constexpr std::int64_t max_simulation_interval_us = 64'000'000;

}  // namespace

std::optional<protocol::TimePing> PlaySession::next_ping(std::int64_t now_us, bool has_packet) {
  if (now_us < next_ping_us_) return {};
  // Over a narrow link, a ping shares the datagram of a packet: its headers are longer than itself.
  const bool may_wait = is_playing_ && uplink_.is_limited();
  if (may_wait && !has_packet && now_us - next_ping_us_ < longest_ping_wait_us) return {};
  const protocol::TimePing ping{.id = next_ping_id_++, .client_send_us = now_us};
  if (next_ping_id_ == 0) next_ping_id_ = 1;
  pings_[ping.id % pings_.size()] = {ping.id, now_us};
  // Only pings measure the uplink of a spectator.
  const bool is_measuring = welcome_.player.is_null() && uplink_.is_starting();
  next_ping_us_ = now_us + (ping.id <= fast_pings ? fast_ping_interval_us
                            : is_measuring        ? start_ping_interval_us
                                                  : ping_interval_us);
  return ping;
}

std::optional<protocol::SimulationRequest> PlaySession::next_simulation_request(
    std::int64_t now_us) {
  if (predictor_ == nullptr || !predictor_->wants_simulation()) return {};
  if (loader_.is_simulation_under_way()) return {};
  const std::uint32_t revision = loader_.replica().whole_revision();
  const auto& last = simulation_request_;
  const bool is_repeated = last && !last->is_answered && last->revision == revision;
  const std::int64_t last_wait_us = is_repeated ? last->wait_us : simulation_interval_us;
  if (last && now_us - last->sent_us < last_wait_us) return {};
  const std::int64_t wait_us =
      is_repeated ? std::min(2 * last_wait_us, max_simulation_interval_us) : simulation_interval_us;
  simulation_request_ = {.sent_us = now_us, .wait_us = wait_us, .revision = revision};
  return protocol::SimulationRequest{};
}

std::optional<protocol::PredictionBaselineOffer> PlaySession::next_prediction_baseline_offer() {
  return predictor_ == nullptr ? std::nullopt : predictor_->take_offer();
}

std::optional<protocol::InputPacket> PlaySession::next_input_packet() {
  const bool is_urgent = inputs_.has_waiting_actions(uplink_.is_starting());
  if (!is_packet_due_ || !uplink_.may_send(*now_us_, is_urgent)) return {};
  is_packet_due_ = is_acknowledgement_due_ = false;
  std::vector<state::PlayerInput> inputs = inputs_.take_useful(uplink_.is_limited());
  if (engine_ != nullptr) return protocol::InputPacket{{}, std::move(inputs), engine_->report()};
  return protocol::InputPacket{receiver_.buffer().ack(), std::move(inputs), {}};
}

}  // namespace jostle::client
