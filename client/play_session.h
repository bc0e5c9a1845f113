#pragma once

#include "client/body_interpolator.h"
#include "client/client.h"
#include "client/debug_draw_buffer.h"
#include "client/frame_loss_meter.h"
#include "client/input_sender.h"
#include "client/interpolation_clock.h"
#include "client/lockstep_engine.h"
#include "client/particle_buffer.h"
#include "client/prediction_blend.h"
#include "client/predictor.h"
#include "client/server_clock.h"
#include "client/snapshot_receiver.h"
#include "client/update_intervals.h"
#include "client/uplink_pacer.h"
#include "client/world_loader.h"
#include "protocol/messages.h"
#include "shared/base/hitch_detector.h"
#include "shared/state/body_report.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace jostle::client {

/// State of a client since a Welcome: the world, the server's clock and the messages in flight.
/// Each connection starts a new session, so that no state of a restarted server survives.
class PlaySession {
 public:
  /// Creates a session. Contract: `welcome` passes is_acceptable(). `on_complete` is called for
  /// complete snapshots; `profile` is the profile requested from the server. `predictor` and
  /// `engine` (for lockstep) may be null, at least one of them is null, and both outlive the
  /// session.
  PlaySession(const protocol::Welcome& welcome, SnapshotReceiver::CompleteHook on_complete,
              protocol::Profile profile, Predictor* predictor, LockstepEngine* engine = nullptr);
  PlaySession(const PlaySession&) = delete;
  PlaySession& operator=(const PlaySession&) = delete;
  static bool is_acceptable(const protocol::Welcome& welcome);

  // Messages of the server. The functions return false for an invalid reliable message: the server
  // does not send it again, so the session cannot continue. Invalid unreliable messages are counted
  // and dropped.

  bool handle_announcement(const protocol::BlobAnnounce& announcement);
  bool handle_change(state::WorldChange change);
  bool handle_chunk(std::span<const std::byte> bytes);
  bool handle_commands(state::TickCommands commands);
  /// Processes a message of the State channel, for example a snapshot part or a frame of particles.
  void handle_state(std::span<const std::byte> bytes, std::int64_t now_us);
  void handle_pong(std::span<const std::byte> bytes, std::int64_t now_us);

  /// Advances the clock. Call it before processing the messages that arrived by `now_us`.
  void advance_clock(std::int64_t now_us);
  /// Advances inputs and view. Call it after processing the messages.
  void advance_play();

  /// Returns a ping if one is due; null otherwise. `has_packet` is true if an input packet is being
  /// sent too.
  std::optional<protocol::TimePing> next_ping(std::int64_t now_us, bool has_packet);
  /// Returns an input packet if one is due, else null. With inputs, a packet is due at the start of
  /// each client tick. Without inputs, it is due when a snapshot has become complete. In both cases
  /// it is due at the latest 1.25 ticks after the previous packet.
  std::optional<protocol::InputPacket> next_input_packet();
  /// Records the size of an input packet that was sent, with all headers.
  void note_packet_bytes(std::size_t bytes) { uplink_.set_packet_bytes(bytes); }
  /// Records how many bytes this client has sent since the last call, with all headers.
  void note_sent(std::uint64_t bytes) { uplink_.note_sent(now_us_.value_or(0), bytes); }

  /// Returns a request for the full simulation state if one is due; null otherwise.
  std::optional<protocol::SimulationRequest> next_simulation_request(std::int64_t now_us);
  /// Returns an offer to decode simulation-predicted snapshots (SnapshotCodec::Predicted), once per
  /// loaded simulation state; null otherwise.
  std::optional<protocol::PredictionBaselineOffer> next_prediction_baseline_offer();

  /// Returns the request for lockstep at the first call, if there is an engine; null otherwise.
  std::optional<protocol::LockstepRequest> next_lockstep_request();
  /// Returns the answer to a question of the desync search; null outside lockstep.
  std::optional<protocol::DesyncAnswer> answer(const protocol::DesyncQuestion& question);
  bool handle_report(const protocol::DesyncReport& report);
  /// Returns the reason why lockstep is not possible, as text. Empty if it runs or may still start.
  std::string why_no_lockstep() const;

  bool is_playing() const { return is_playing_; }
  /// Returns true if the session is playing and the server sends, but no part of a newer snapshot
  /// could be decoded for 5 s.
  bool is_stalled() const;
  state::PlayerId player() const { return welcome_.player; }
  InputSender& inputs() { return inputs_; }
  const WorldReplica& world() const { return loader_.replica(); }
  const SnapshotBuffer& snapshots() const { return receiver_.buffer(); }
  /// Returns every body at its displayed pose, predicted or interpolated.
  const std::vector<ShownBody>& shown_bodies() const {
    return predictor_ == nullptr ? interpolator_.bodies() : blend_.bodies();
  }
  const ParticleBuffer& particles() const { return particles_; }
  const state::Labels& labels() const { return labels_; }
  const state::Labels& values() const { return values_; }
  /// Returns the debug draw frame for the displayed time; null if there is none.
  const state::DebugDrawFrame* debug_draw() const {
    return debug_draws_.at(shown_tick_, welcome_.tick_rate_hz, shown_revisions());
  }
  const std::optional<state::ServerStatistics>& statistics() const { return statistics_; }
  const std::optional<state::BodyReport>& body_report() const { return body_report_; }
  /// Enables or disables newest_bodies(), from the next advance_play() on.
  void set_newest_wanted(bool is_wanted) { is_newest_wanted_ = is_wanted; }
  /// Returns every body as in the newest complete snapshot; empty while disabled.
  const std::vector<ShownBody>& newest_bodies() const;
  const std::vector<state::Rope>& ropes() const { return ropes_.ropes; }
  double shown_tick() const { return shown_tick_; }
  double shown_seconds() const { return shown_tick_ / welcome_.tick_rate_hz; }
  /// Returns the age of the newest snapshot with a decoded part; 0 while the server's clock is
  /// unknown.
  double snapshot_age_ms() const;
  double input_latency_ms(double shown_tick) const;
  LinkTrouble trouble() const;
  /// Fills in the fields of `metrics` that a session measures. The other fields stay unchanged.
  void report(Metrics& metrics) const;

 private:
  bool use(WorldLoader::Outcome outcome);
  void handle_snapshot(std::span<const std::byte> bytes, std::int64_t now_us);
  double age_at_arrival(state::Tick tick) const;
  void handle_frames(std::span<const std::byte> bytes, std::int64_t now_us);
  void make_ticks();
  void handle_particles(std::span<const std::byte> bytes);
  void handle_labels(std::span<const std::byte> bytes);
  void handle_values(std::span<const std::byte> bytes);
  void handle_ropes(std::span<const std::byte> bytes);
  void handle_debug_draw(std::span<const std::byte> bytes);
  void handle_statistics(std::span<const std::byte> bytes);
  void handle_body_report(std::span<const std::byte> bytes);
  void pace_packets(bool has_inputs, bool follows_snapshots);
  void show_bodies();
  void note_gap(state::Tick newest);
  double most_ticks_ahead() const;
  Revisions shown_revisions() const;
  double period_ms() const { return 1e3 / welcome_.tick_rate_hz; }

  protocol::Welcome welcome_;
  WorldLoader loader_;
  SnapshotReceiver receiver_;
  ServerClock clock_;
  InterpolationClock view_;
  UpdateIntervals gaps_;
  FrameLossMeter frames_;
  InputSender inputs_;
  UplinkPacer uplink_;
  BodyInterpolator interpolator_;
  bool is_newest_wanted_ = false;
  BodyInterpolator newest_interpolator_;
  Predictor* predictor_ = nullptr;
  LockstepEngine* engine_ = nullptr;
  bool is_lockstep_requested_ = false;
  std::uint64_t frames_refused_ = 0;
  PredictionBlend blend_;
  /// A request for the full simulation state that was sent to the server.
  struct RequestedSimulation {
    std::int64_t sent_us = 0;
    std::int64_t wait_us = 0;    // minimum time until the next request
    std::uint32_t revision = 0;  // revision of the scene when the request was sent
    bool is_answered = false;    // true: the server has sent the state
  };
  std::optional<RequestedSimulation> simulation_request_;  // the last request; null: none was sent
  ParticleBuffer particles_;
  state::Labels labels_;  // the newest labels
  state::Labels values_;  // the newest values of rules
  state::Ropes ropes_;    // all known ropes; tick and revision of the newest message
  DebugDrawBuffer debug_draws_;
  std::optional<state::ServerStatistics> statistics_;  // the newest statistics
  std::optional<state::BodyReport> body_report_;       // the newest report
  std::uint64_t shows_refused_ = 0;

  bool is_playing_ = false;
  std::optional<std::int64_t> now_us_;
  base::HitchDetector hitches_;
  bool is_retrying_ = false;  // snapshots that waited for their world revision are being decoded
  bool is_heard_ = false;     // a message has arrived since the last advance_play()
  double silent_ticks_ = 0;   // ticks since the last message
  double elapsed_ticks_ = 0;  // ticks between the last two calls of advance_clock()
  double shown_tick_ = 0;
  state::Tick newest_seen_;
  double gap_ticks_ = 0;          // ticks since newest_seen_ changed
  double longest_gap_ticks_ = 0;  // the longest of these times lately, without outages; decays
  double stalled_ticks_ = 0;      // ticks since a part of a newer snapshot was decoded

  std::uint32_t next_ping_id_ = 1;
  std::int64_t next_ping_us_ = 0;
  struct Ping {
    std::uint32_t id = 0;
    std::int64_t sent_us = 0;
  };
  std::array<Ping, 32> pings_{};  // indexed by ping id modulo size; id 0: unused
  state::Tick durable_tick_;      // the newest that the server has told
  std::uint64_t times_refused_ = 0;

  bool is_packet_due_ = false;
  bool is_acknowledgement_due_ = false;  // a snapshot has become complete since the last packet
  double ticks_to_packet_ = 0;           // ticks until the next packet, while no inputs are created
};

}  // namespace jostle::client
