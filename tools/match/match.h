#pragma once

#include "client/client.h"
#include "client/predictor.h"
#include "server/server.h"
#include "server/tick_schedule.h"
#include "shared/net/enet_firewall.h"
#include "shared/net/enet_transport.h"
#include "shared/net/security.h"
#include "shared/net/virtual_network.h"
#include "shared/record/recording_writer.h"
#include "shared/scene/scene.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"
#include "tools/match/observed_transport.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jostle::match {

inline constexpr std::uint32_t server_ip = 0x0A000001U;
inline constexpr std::uint32_t first_client_ip = 0x0A000002U;
inline constexpr std::uint16_t server_port = 7777;

/// A scene with a few falling crates, a lift and spawns for players.
extern const std::string_view match_scene;

/// Maximum distance between the position that a client shows and the server's. Positions are
/// rounded to 1/512 m. If several snapshots in a row are lost, a rolling ball is extrapolated along
/// its last velocity.
inline constexpr double shown_tolerance = 0.05;  // m

/// The times at which a client is updated.
struct Pace {
  std::int64_t interval_us = 2'000;
  /// Also update when a datagram arrives, as a program that waits on its socket does.
  bool wakes_on_arrival = false;
};

/// One client with its own machine in the virtual network.
struct Seat {
  std::uint32_t ip = 0;
  std::string name;
  Pace pace;
  std::unique_ptr<ObservedTransport> transport;
  std::unique_ptr<client::Predictor> predictor;  // null if the client does not predict
  std::unique_ptr<client::Client> client;
  std::int64_t next_update_us = 0;    // due time of the next update, in network time
  std::int64_t stopped_until_us = 0;  // network time until which the process stands still
  std::int64_t suspended_us = 0;      // duration of the machine's suspend; 0: it runs
  /// Called after each periodic update, not after updates caused by an arrival.
  std::function<void()> on_update;
  /// Called for every complete snapshot.
  std::function<void(const protocol::QuantizedSnapshot&)> on_complete;
  /// Hash of the quantised world per tick, as this client decoded it.
  std::map<std::uint32_t, std::uint64_t> hashes;
};

/// Parses a scene. Contract: `text` is a valid scene.
scene::SceneDef scene_of(std::string_view text);

struct MatchOptions {
  std::uint64_t seed = 1;
  net::LinkFaults faults;
  /// Makes the network's carrier. Without this function, datagrams are delivered in memory.
  std::function<std::unique_ptr<net::Carrier>()> make_carrier;
  server::Options server;
  protocol::Profile profile = protocol::Profile::Visual;  // the profile that clients request
  // Security options of the server. The token registry in them must outlive the match.
  net::SecurityOptions security;
  /// Makes the security options of each new server in place of `security`, for example from its
  /// files. The argument is its machine.
  std::function<net::SecurityOptions(net::Io&)> make_security;
  scene::SceneDef scene = scene_of(match_scene);
  server::SceneCatalogue scenes;
  bool is_recorded = true;
  /// True to keep the history that agreement() and largest_error() need. It takes gigabytes per
  /// simulated day.
  bool is_remembered = true;
  /// Makes a rule that runs after the default rules. A match with such a rule is not recorded.
  std::function<std::unique_ptr<sim::Rule>()> own_rule;
};

/// The whole system in one process and in virtual time: the server, its clients, unmodified ENet,
/// and a simulated network with the given faults. A run is determined by its seed.
class Match {
 public:
  explicit Match(const MatchOptions& options);
  ~Match();

  /// Adds a client, which connects as the match runs. References to seats stay valid. Its machine
  /// has the address `ip`, which several clients may share; 0: an address of its own. With
  /// `reconnect_token`, the client continues as the player of an earlier client.
  Seat& add_client(const std::string& name, protocol::Role role = protocol::Role::Player,
                   Pace pace = {}, const net::SecurityOptions& security = {}, std::uint32_t ip = 0,
                   std::uint64_t reconnect_token = 0);
  /// Ends the client without a disconnect message, as if its process crashed.
  void kill_client(std::size_t index);
  void kill_server();
  /// Starts a new server on the same address and port.
  void start_server();

  // Hitches: the process stands still, as if it were stopped by a debugger or waited for its disk.
  // Its machine's clock runs on, and its sockets store datagrams up to their capacity.

  void stop_client(Seat& seat, double seconds);
  void stop_server(double seconds);

  // Suspends: the whole machine stands still, with its monotonic clock, and loses the datagrams
  // that reach it.

  void suspend_client(Seat& seat, double seconds);
  void suspend_server(double seconds);

  void run_seconds(double seconds);
  /// Runs until the network's time is `end_us`, in µs.
  void run_to(std::int64_t end_us);
  /// Runs until `condition` returns true. Returns false if that takes longer than `seconds`.
  template <typename Condition>
  bool run_until(Condition condition, double seconds) {
    const auto limit_us = network_.now_us() + static_cast<std::int64_t>(seconds * 1e6);
    while (network_.now_us() < limit_us) {
      if (condition()) return true;
      run_seconds(0.02);
    }
    return condition();
  }
  bool run_until_playing(double seconds);

  /// Returns the server's tick at the current network time, with fraction.
  double true_tick() const;
  /// Returns the network time at which a tick is due, if the server skips no further ticks.
  std::int64_t due_us(state::Tick tick) const;
  /// Sets a function that is called after each tick.
  void set_tick_hook(std::function<void()> hook) { tick_hook_ = std::move(hook); }

  net::VirtualNetwork& network() { return network_; }
  ObservedTransport& server_transport() { return *server_transport_; }
  /// Returns the number of datagrams that the server has received since its start, by verdict.
  const std::array<std::uint64_t, net::datagram_verdict_count>& server_verdicts() const {
    return server_enet_->verdicts();
  }
  server::Server& server() { return *server_; }
  sim::Simulation& simulation() { return *simulation_; }
  std::vector<std::unique_ptr<Seat>>& seats() { return seats_; }
  const std::vector<std::byte>& recording() const { return recording_; }
  void close_recording();

  /// Number of ticks that both a client and the server hashed, and number of those that differ.
  struct Agreement {
    std::size_t common = 0;
    std::size_t different = 0;
  };
  Agreement agreement(const Seat& seat) const;
  /// Returns the largest distance, in m, between a body's position on the client and on the server
  /// at the shown time. Returns infinity if a body that existed then is not shown, or if the
  /// history does not contain that time.
  double largest_error(const Seat& seat) const;

 private:
  void remember(const protocol::QuantizedSnapshot& snapshot);
  std::int64_t next_moment_us(std::int64_t end_us) const;
  void serve();
  void update_clients();
  void wake(Seat& seat);

  net::VirtualNetwork network_;
  MatchOptions options_;
  std::unique_ptr<ObservedTransport> server_transport_;
  net::EnetTransport* server_enet_ = nullptr;  // inside of server_transport_
  std::unique_ptr<sim::Simulation> simulation_;
  std::unique_ptr<server::Server> server_;
  std::vector<std::byte> recording_;
  std::unique_ptr<record::RecordingWriter> writer_;
  server::TickSchedule schedule_;
  std::int64_t server_stopped_until_us_ = 0;
  std::int64_t server_suspended_us_ = 0;
  std::map<std::uint32_t, std::uint64_t> server_hashes_;
  /// Positions on the server in the last 200 snapshots, by tick.
  std::map<std::uint32_t, std::map<state::BodyId, math::Position>> truths_;
  std::vector<std::unique_ptr<Seat>> seats_;
  std::function<void()> tick_hook_;
};

}  // namespace jostle::match
