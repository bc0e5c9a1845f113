#pragma once

#include "client/client.h"
#include "client/connection.h"
#include "client/play_session.h"
#include "client/traffic_meter.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::client {

/// State and main loop of a client: processes events, advances the world and sends inputs. The
/// PlaySession holds everything that the server has sent since its Welcome. The Connection decides
/// which address to dial and when to give up.
struct Client::State {
  State(net::Io& io_, net::Transport& transport_, const Options& options_)
      : io(io_), transport(transport_), options(options_), connection(transport_, options_) {
    reconnect_token = options.reconnect_token;
    status.text = connection.text();
  }

  void update();
  void take(const net::PeerEvent& event, std::int64_t now_us);
  void handle_message(const net::PeerEvent& event, std::int64_t now_us);
  void keep_early_chunk(const std::vector<std::byte>& bytes);
  void handle_chunk(std::span<const std::byte> bytes, std::int64_t now_us);
  void handle_control(const std::vector<std::byte>& bytes);
  void handle_lockstep(const std::vector<std::byte>& bytes);
  void welcome(const protocol::Welcome& welcome);
  bool handle_scene(protocol::SceneInfo info);
  void send_control(const protocol::ControlMessage& message);
  void say_hello();
  void fail_unreadable(std::string_view what);
  void send_packets();
  void send_interest();
  void send_inspection();
  void note_sent();
  void note_status();
  void note_metrics(std::int64_t now_us);

  net::Io& io;
  net::Transport& transport;
  Options options;
  Connection connection;
  /// The session outlives its connection, so that the last frame stays visible until the next
  /// session starts.
  std::optional<PlaySession> session;
  bool is_session_live = false;
  // chunks of this connection that arrived before its Welcome
  std::vector<std::vector<std::byte>> early_chunks;

  state::PlayerInput input;  // the input without its actions, with which the next session starts
  // token with which a later connection continues as the same player; 0: none
  std::uint64_t reconnect_token = 0;
  std::optional<protocol::SetInterest> interest, sent_interest;
  std::int64_t interest_sent_us = 0;
  // `sent_inspection` and `sent_interest` were sent on this connection.
  protocol::InspectRequest inspection, sent_inspection;
  bool is_newest_wanted = false;
  CompleteHook complete_hook;
  Predictor* predictor = nullptr;
  LockstepEngine* engine = nullptr;
  std::vector<protocol::SceneInfo> scenes, scenes_coming;
  std::optional<std::string> notice;
  protocol::SceneStatus scene_status;
  Status status;
  Metrics metrics;
  /// Sums of the sessions before this one: snapshots complete, snapshots incomplete and parts
  /// refused.
  struct {
    std::uint64_t complete = 0, incomplete = 0, refused = 0;
  } earlier;
  TrafficMeter traffic;
  std::uint64_t sent_bytes = 0;  // with all headers, until the last update
  // traffic counters at the start of the current second
  net::TrafficBreakdown ledger_down, ledger_up;
  std::int64_t ledger_us = 0;
  std::vector<net::PeerEvent> events;
};

}  // namespace jostle::client
