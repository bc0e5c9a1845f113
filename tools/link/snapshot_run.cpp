#include "tools/link/snapshot_run.h"

#include "protocol/snapshot_codec.h"
#include "protocol/visuals_codec.h"
#include "tools/snapshots/scripted_player.h"

#include <cmath>
#include <map>
#include <memory>
#include <span>
#include <utility>

namespace jostle::link {
namespace {

/// Pace of the clients. 15 ms is not a whole tick (16.7 ms), so updates occur at all phases of a
/// tick.
constexpr match::Pace snapshot_pace{.interval_us = 15'000, .wakes_on_arrival = true};
constexpr double snapshot_join_seconds = 20, snapshot_settle_seconds = 8, drain_seconds = 1,
                 snapshot_slice_seconds = 10;

/// One match with the player and one SnapshotWatch per spectator.
class Evening {
 public:
  Evening(const SnapshotRun& run, std::uint64_t seed, std::vector<SnapshotFigures>& figures)
      : match_(options_for(run, seed)),
        script_(seed, snapshots::Activity::Mid),
        player_(match_.add_client("player", protocol::Role::Player, snapshot_pace)) {
    for (std::size_t i = 0; i < run.links.size(); ++i) {
      for (int k = 0; k < run.clients; ++k)
        add_spectator(run.links[i], figures[i]);
    }
    match_.server().set_snapshot_hook([this](const protocol::QuantizedSnapshot& snapshot) {
      const std::uint64_t hash = protocol::hash(snapshot);
      for (const auto& watch : watches_)
        watch->note_truth(snapshot.tick, hash);
    });
    match_.server_transport().set_send_listener(
        [this](net::PeerId peer, net::Channel channel, std::span<const std::byte> bytes) {
          if (channel == net::Channel::State) note_sent(peer, bytes);
        });
    match_.network().set_tap([this](const net::Datagram& datagram) {
      const auto watch = watch_by_ip_.find(datagram.to.ip);
      if (watch != watch_by_ip_.end()) watch->second->note_datagram(datagram.bytes.size());
    });
    match_.set_tick_hook([this] { play(); });
  }

  bool join() {
    if (!match_.run_until_playing(snapshot_join_seconds)) return false;
    match_.run_seconds(snapshot_settle_seconds);
    return true;
  }
  void start() {
    for (const auto& watch : watches_)
      watch->start();
  }
  void run_seconds(double seconds) { match_.run_seconds(seconds); }
  void finish() {
    for (const auto& watch : watches_)
      watch->stop();
    match_.run_seconds(drain_seconds);
  }

 private:
  static match::MatchOptions options_for(const SnapshotRun& run, std::uint64_t seed) {
    match::MatchOptions options;
    options.seed = seed;
    options.scene = run.scene;
    options.is_recorded = false;
    options.is_remembered = false;
    return options;
  }

  void add_spectator(const Link& link, SnapshotFigures& figures) {
    const std::string name = "spectator-" + std::to_string(watches_.size() + 1);
    match::Seat& seat = match_.add_client(name, protocol::Role::Spectator, snapshot_pace);
    // Spread the updates, so that not all clients update at the same instant.
    seat.next_update_us += static_cast<std::int64_t>(watches_.size()) * 1'733;
    match_.network().set_faults(match::server_ip, seat.ip, link.faults);
    match_.network().set_faults(seat.ip, match::server_ip, link.faults);
    watches_.push_back(
        std::make_unique<SnapshotWatch>(match_, seat, link.faults.latency_us, figures));
    watch_by_ip_[seat.ip] = watches_.back().get();
  }

  void note_sent(net::PeerId peer, std::span<const std::byte> bytes) {
    if (protocol::kind_of_state_message(bytes) != protocol::StateMessage::Snapshot) return;
    const auto session = match_.server().sessions().find(peer);
    const auto message = protocol::decode_snapshot_message(bytes);
    if (session == match_.server().sessions().end() || !message) return;
    for (const auto& watch : watches_) {
      if (watch->seat().name == session->second.name) {
        watch->note_sent(message->header, message->payload.size());
      }
    }
  }

  void play() {
    const sim::Simulation& simulation = match_.simulation();
    const auto body = simulation.find_body(simulation.player_body(player_.client->status().player));
    if (!body) return;
    player_.client->set_input(script_.next(simulation.world().pose(*body).position));
  }

  match::Match match_;
  snapshots::ScriptedPlayer script_;
  match::Seat& player_;
  std::vector<std::unique_ptr<SnapshotWatch>> watches_;
  std::map<net::Ip, SnapshotWatch*> watch_by_ip_;
};

}  // namespace

base::Result<std::vector<SnapshotFigures>, std::string> run_snapshots(const SnapshotRun& run) {
  std::vector<SnapshotFigures> figures(run.links.size());
  const double seconds = run.minutes * 60;
  const int slices = static_cast<int>(std::ceil(seconds / snapshot_slice_seconds));
  for (int i = 0; i < run.seeds; ++i) {
    Evening evening(run, run.first_seed + static_cast<std::uint64_t>(i), figures);
    if (!evening.join()) {
      return "not all clients have joined after " +
             std::to_string(static_cast<int>(snapshot_join_seconds)) +
             " s: choose links with less loss or latency";
    }
    evening.start();
    for (int slice = 0; slice < slices; ++slice) {
      evening.run_seconds(seconds / slices);
      if (run.progress) run.progress((i + (slice + 1.0) / slices) / run.seeds);
    }
    evening.finish();
  }
  return figures;
}

}  // namespace jostle::link
