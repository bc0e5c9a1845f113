#pragma once

#include "client/client.h"
#include "server/server.h"
#include "shared/net/enet_transport.h"
#include "shared/net/virtual_network.h"
#include "shared/record/recording_writer.h"
#include "shared/sim/simulation.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::match {

inline constexpr std::uint32_t server_ip = 0x0A000001U;
inline constexpr std::uint32_t first_client_ip = 0x0A000002U;
inline constexpr std::uint16_t server_port = 7777;

/// A few crates that fall, a lift, and room for players.
extern const std::string_view match_scene;

/// How far from the truth a client may show a body: positions are rounded to 1/512 m, and where a
/// few snapshots in a row are lost, a rolling ball is carried on along its last velocity.
inline constexpr double shown_tolerance = 0.05;  // m

/// One client on a machine of its own.
struct Seat {
  std::uint32_t ip = 0;
  std::unique_ptr<net::Transport> transport;
  std::unique_ptr<client::Client> client;
  /// Hash of the quantised world per tick, as this client decoded it.
  std::map<std::uint32_t, std::uint64_t> hashes;
};

struct MatchOptions {
  std::uint64_t seed = 1;
  net::LinkFaults faults;
  server::Options server;
  std::string_view scene = match_scene;
  server::SceneCatalogue scenes;
  bool is_recorded = true;
};

/// The whole system in one process and in virtual time: the server, its clients, unmodified ENet,
/// and a network between them that does what the faults say. Every run follows from its seed.
class Match {
 public:
  explicit Match(const MatchOptions& options);
  ~Match();

  /// A new client; it connects as the match runs. Returned seats keep their place.
  Seat& add_client(const std::string& name, protocol::Role role = protocol::Role::Player);
  /// The client's process dies: nobody is told.
  void kill_client(std::size_t index);
  void kill_server();
  /// A fresh server on the same machine and port.
  void start_server();

  void run_seconds(double seconds);
  /// Runs until `condition` holds; false when it does not within `seconds`.
  template <typename Condition>
  bool run_until(Condition condition, double seconds) {
    for (double waited = 0; waited < seconds; waited += 0.02) {
      if (condition()) return true;
      run_seconds(0.02);
    }
    return condition();
  }
  bool run_until_playing(double seconds);

  net::VirtualNetwork& network() { return network_; }
  server::Server& server() { return *server_; }
  sim::Simulation& simulation() { return *simulation_; }
  std::vector<std::unique_ptr<Seat>>& seats() { return seats_; }
  const std::vector<std::byte>& recording() const { return recording_; }
  void close_recording();

  /// Ticks that a client and the server both hashed, and how many of those differ.
  struct Agreement {
    std::size_t common = 0;
    std::size_t different = 0;
  };
  Agreement agreement(const Seat& seat) const;
  /// The largest distance between where the client shows a body and where the server had it at the
  /// time that is shown, m; infinite where a body that was there then is not shown.
  double largest_error(const Seat& seat) const;

 private:
  net::VirtualNetwork network_;
  MatchOptions options_;
  std::unique_ptr<net::Transport> server_transport_;
  std::unique_ptr<sim::Simulation> simulation_;
  std::unique_ptr<server::Server> server_;
  std::vector<std::byte> recording_;
  std::unique_ptr<record::RecordingWriter> writer_;
  std::int64_t server_start_us_ = 0;
  std::int64_t server_ticks_ = 0;
  std::map<std::uint32_t, std::uint64_t> server_hashes_;
  std::map<std::uint32_t, std::map<state::BodyId, math::Position>> truths_;  // of the last seconds
  std::vector<std::unique_ptr<Seat>> seats_;
};

}  // namespace jostle::match
