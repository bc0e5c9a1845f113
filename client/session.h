#pragma once

#include "client/client.h"
#include "client/frame_arrivals.h"
#include "client/input_sender.h"
#include "client/lockstep_engine.h"
#include "client/overlay_buffer.h"
#include "client/particle_buffer.h"
#include "client/prediction_blend.h"
#include "client/predictor.h"
#include "client/server_clock.h"
#include "client/snapshot_receiver.h"
#include "client/stage.h"
#include "client/update_gaps.h"
#include "client/view_clock.h"
#include "client/world_loader.h"
#include "protocol/messages.h"
#include "shared/state/body_report.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace jostle::client {

/// All that a client knows between one Welcome and the end of its connection: the world, the
/// server's time, what is on the way in both directions. A new connection starts a new one, so that
/// nothing of a server that has restarted survives.
class Session {
 public:
  /// Contract: welcome passes is_acceptable(). `on_complete` is called for complete snapshots,
  /// `profile` is what the server was asked for. `predictor` and `engine`, which plays in lockstep,
  /// may be null, at least one of them is, and outlive the session.
  Session(const protocol::Welcome& welcome, SnapshotReceiver::CompleteHook on_complete,
          protocol::Profile profile, Predictor* predictor, LockstepEngine* engine = nullptr);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  static bool is_acceptable(const protocol::Welcome& welcome);

  // Messages of the server. A reliable one that makes no sense is told by `false`: it does not
  // come again, so the session cannot go on. Unreliable ones are counted and forgotten.

  bool take_announcement(const protocol::BlobAnnounce& announcement);
  bool take_change(state::WorldChange change);
  bool take_chunk(std::span<const std::byte> bytes);
  bool take_commands(state::TickCommands commands);
  /// Of the State channel: a part of a snapshot or of a frame of particles, or figures.
  void take_state(std::span<const std::byte> bytes, std::int64_t now_us);
  void take_pong(std::span<const std::byte> bytes, std::int64_t now_us);

  /// To be called first when time has passed, before the messages that came by then.
  void advance_clock(std::int64_t now_us);
  /// Inputs and view; after the messages.
  void advance_play();

  /// A ping that is to be sent now, or nothing.
  std::optional<protocol::TimePing> next_ping(std::int64_t now_us);
  /// The packet of a client tick that has begun, or nothing.
  std::optional<protocol::InputPacket> next_input_packet();

  /// A request for the whole simulation that is to be sent now, or nothing.
  std::optional<protocol::SimulationRequest> next_simulation_request(std::int64_t now_us);
  /// That snapshots may be foreseen from now on, or nothing.
  std::optional<protocol::ForesightOffer> next_foresight_offer();

  /// In lockstep: once, that it is wanted.
  std::optional<protocol::LockstepRequest> next_lockstep_request();
  /// What the server is to be answered to a question; nothing where it should not ask.
  std::optional<protocol::DesyncAnswer> answer(const protocol::DesyncQuestion& question);
  bool take_report(const protocol::DesyncReport& report);
  /// Why there is no lockstep, in words; empty where there is, or may be.
  std::string why_no_lockstep() const;

  bool is_playing() const { return is_playing_; }
  /// Plays, but nothing new could be decoded for seconds.
  bool is_stalled() const;
  state::PlayerId player() const { return welcome_.player; }
  InputSender& inputs() { return inputs_; }
  const WorldReplica& world() const { return loader_.replica(); }
  const SnapshotBuffer& snapshots() const { return receiver_.buffer(); }
  /// Every body as it is to be seen, predicted or between snapshots.
  const std::vector<ShownBody>& shown_bodies() const {
    return predictor_ == nullptr ? stage_.bodies() : blend_.bodies();
  }
  const ParticleBuffer& particles() const { return particles_; }
  const state::Readouts& readouts() const { return readouts_; }
  /// Of the time that is shown, or null.
  const state::Overlay* overlay() const {
    return overlays_.at(shown_tick_, welcome_.tick_rate_hz, shown_revisions());
  }
  const std::optional<state::ServerStatistics>& statistics() const { return statistics_; }
  const std::optional<state::BodyReport>& body_report() const { return body_report_; }
  /// Whether newest_bodies() are wanted from the next advance_play() on.
  void set_newest_wanted(bool is_wanted) { is_newest_wanted_ = is_wanted; }
  /// Every body as the newest whole snapshot has it.
  const std::vector<ShownBody>& newest_bodies() const;
  const std::vector<state::Cord>& cords() const { return cords_.cords; }
  double shown_tick() const { return shown_tick_; }
  double shown_seconds() const { return shown_tick_ / welcome_.tick_rate_hz; }
  /// How old the newest snapshot is; 0 while nobody knows.
  double snapshot_age_ms() const;
  /// Fills in what a session knows.
  void report(Metrics& metrics) const;

 private:
  bool use(WorldLoader::Outcome outcome);
  void take_snapshot(std::span<const std::byte> bytes, std::int64_t now_us);
  double age_at_arrival(state::Tick tick) const;
  void take_frames(std::span<const std::byte> bytes, std::int64_t now_us);
  void make_ticks();
  void take_particles(std::span<const std::byte> bytes);
  void take_readouts(std::span<const std::byte> bytes);
  void take_cords(std::span<const std::byte> bytes);
  void take_overlay(std::span<const std::byte> bytes);
  void take_statistics(std::span<const std::byte> bytes);
  void take_body_report(std::span<const std::byte> bytes);
  void pace_packets();
  void show_bodies();
  Revisions shown_revisions() const;
  double period_ms() const { return 1e3 / welcome_.tick_rate_hz; }

  protocol::Welcome welcome_;
  WorldLoader loader_;
  SnapshotReceiver receiver_;
  ServerClock clock_;
  ViewClock view_;
  UpdateGaps gaps_;
  FrameArrivals frames_;
  InputSender inputs_;
  Stage stage_;
  bool is_newest_wanted_ = false;
  Stage newest_stage_;
  Predictor* predictor_ = nullptr;
  LockstepEngine* engine_ = nullptr;
  bool is_lockstep_asked_ = false;
  std::uint64_t frames_refused_ = 0;
  PredictionBlend blend_;
  /// The last one for the whole simulation.
  struct AskedForSimulation {
    std::int64_t sent_us = 0, wait_us = 0;  // wait: before the next one
    std::uint32_t revision = 0;             // of the scene then
    bool is_answered = false;
  };
  std::optional<AskedForSimulation> simulation_request_;
  ParticleBuffer particles_;
  state::Readouts readouts_;  // the newest
  state::Cords cords_;        // all that were told of, of the newest message
  OverlayBuffer overlays_;
  std::optional<state::ServerStatistics> statistics_;  // the newest
  std::optional<state::BodyReport> body_report_;       // the newest
  std::uint64_t shows_refused_ = 0;

  bool is_playing_ = false;
  std::optional<std::int64_t> now_us_;
  double elapsed_ticks_ = 0;  // between the last two advances
  double shown_tick_ = 0;
  state::Tick newest_seen_;
  double stalled_ticks_ = 0;  // since a part of a newer snapshot was decoded

  std::uint32_t next_ping_id_ = 1;
  std::int64_t next_ping_us_ = 0;
  struct Ping {
    std::uint32_t id = 0;
    std::int64_t sent_us = 0;
  };
  std::array<Ping, 32> pings_{};  // by id modulo size; 0: none
  std::uint64_t times_refused_ = 0;

  bool is_packet_due_ = false;
  bool is_acknowledgement_due_ = false;  // a snapshot has become complete since the last packet
  double ticks_to_packet_ = 0;           // while the inputs have no clock to number them by
};

}  // namespace jostle::client
