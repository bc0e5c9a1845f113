#pragma once

#include "server/access.h"
#include "shared/base/hash.h"
#include "shared/base/random.h"
#include "shared/journal/journal.h"
#include "shared/journal/player_log.h"
#include "shared/journal/recovery.h"
#include "shared/net/enet_transport.h"
#include "shared/secure/token.h"
#include "tools/match/match.h"
#include "tools/simulate/disk_io.h"
#include "tools/simulate/run.h"
#include "tools/simulate/virtual_disk.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace jostle::simulate {

inline constexpr double healed_part = 0.8;  // part of a run after which all faults end
inline constexpr double recovery_s = 10;    // time in which every client must be current afterwards
inline constexpr std::uint32_t lossy_ticks = 6;  // ticks that a crash of the process may lose
inline constexpr double step_s = 0.05;
inline constexpr std::uint64_t seconds_per_fault = 4;

inline constexpr double window_s = 8;  // time for which a player without a client stays
inline constexpr std::uint32_t durable_ticks = 12, healthy_ticks = 90, hash_interval = 16;

inline constexpr const char* folder = "state/journal";
inline constexpr const char* keys_folder = "keys";

inline constexpr std::uint32_t attacker_ip = 0x0a000a0b;
inline constexpr std::size_t most_seats = 24;

/// Returns the seed of one of the streams of random numbers of a run. Seeds of neighbouring runs
/// have nothing in common.
inline std::uint64_t stream_seed(std::uint64_t seed, std::uint64_t stream) {
  return base::Random(base::Random(seed).next() ^ stream).next();
}

/// A run in progress.
class Run {
 public:
  explicit Run(const RunOptions& options)
      : options_(options),
        random_(stream_seed(options.seed, 0)),
        disk_(random_.next(), options.plant),
        writer_(random_.next(), options.plant),
        uses_tokens_(random_.next() % 2 == 0),
        schedule_(random_.next()),
        inputs_(random_.next()),
        credentials_(random_.next()),
        match_(match_options()) {}

  RunResult run();

 private:
  bool has(Fault fault) const { return (options_.faults & fault) != 0; }
  /// Returns the random numbers of a class of faults. Each class has its own, so that a run without
  /// one class has the same faults of the others, and can be made smaller.
  base::Random& random_of(Fault fault) {
    return faults_.try_emplace(fault, stream_seed(options_.seed, fault)).first->second;
  }
  /// Returns true once in `times` calls on average if the run has this class of faults.
  bool strikes(Fault fault, std::uint64_t times) {
    return has(fault) && random_of(fault).next() % times == 0;
  }
  match::MatchOptions match_options();
  void fail(const std::string& rule);
  double now_s() { return static_cast<double>(match_.network().now_us()) * 1e-6; }

  /// The credentials of a client, which outlive its process.
  struct User {
    crypto::KeyPair key;
    std::vector<std::byte> token{};  // empty if the server needs none
  };
  void add_user();
  void add_client(const User& user, std::uint64_t reconnect_token);
  void crash_client(std::size_t which);
  void drive(match::Seat& seat);
  void attach(bool is_restart);
  void after_tick();
  void inject_faults();
  net::SecurityOptions make_security(net::Io& machine);
  std::vector<std::byte> new_token(secure::Role role);

  // Hostile clients.

  void act_as_strangers();
  void harass();
  void record(const net::Datagram& datagram);
  void replay();
  void steal_token();
  void visit();
  void return_visitor();

  void fault_links();
  void fault_disk();
  void fault_clients();
  void crash(bool is_power_loss);
  void restart();
  void check_owners();
  void check_tokens();
  void check_replays();
  void check_damage(const VirtualDisk::Place& damage, const journal::Restored& restored);
  void check_absent_players();
  void check_durable();
  void check_actions(const std::vector<journal::SegmentFile>& segments);
  void check_restored(const journal::Restored& restored);
  void heal();
  void check_clients();
  void check_journal();

  RunOptions options_;
  base::Random random_;
  VirtualDisk disk_;
  VirtualWriter writer_;
  journal::InlineExecutor builder_;
  bool uses_tokens_;  // clients need single-use tokens
  base::Random schedule_, inputs_, credentials_;
  std::map<Fault, base::Random> faults_;
  std::unique_ptr<DiskIo> key_io_;
  std::unique_ptr<server::AccessControl> access_;
  match::Match match_;
  std::unique_ptr<journal::PlayerLog> players_;
  std::unique_ptr<journal::Journal> journal_;
  RunResult result_;
  base::Hasher events_;

  std::map<std::uint32_t, std::uint64_t> history_;  // hashes of the current timeline, by tick
  std::uint32_t last_tick_ = 0;
  std::uint32_t crashed_tick_ = 0, durable_tick_ = 0;
  std::uint32_t told_tick_ = 0;  // newest durable tick that a client knew at a crash
  bool has_gone_back_ = false;   // damage took durable ticks, which clients may know
  bool has_segment_ = false;     // a segment was durable since the world began
  bool was_writing_ = false;     // the journal was healthy and the disk answered before the crash
  bool is_power_loss_ = false, is_rotten_ = false, is_down_ = false;
  std::optional<VirtualDisk::Place> rot_;
  double back_at_s_ = 0;
  std::set<std::size_t> gone_;  // indices of clients that have crashed
  // Players, and the times at which their clients were last seen, by the key of the client.
  std::map<crypto::PublicKey, std::uint16_t> owners_;
  std::map<crypto::PublicKey, double> seen_s_;
  std::set<std::uint16_t> restored_players_;  // whose clients have not returned yet
  double restarted_s_ = 0;
  std::map<std::uint16_t, double> absent_since_;
  std::uint32_t healthy_since_ = 0;  // tick
  std::uint32_t last_durable_ = 0;   // durable tick of this server after its newest tick
  std::uint64_t actions_ = 0;
  bool was_ever_stalled_ = false;
  std::unique_ptr<net::EnetTransport> hostile_;
  net::PeerId hostile_peer_;
  bool is_hostile_connecting_ = false;
  std::deque<net::Datagram> recorded_;  // newest datagrams from and to the server
  std::uint64_t sealed_sent_ = 0;       // to the server since its start
  std::map<secure::TokenId, crypto::PublicKey> welcomed_;  // clients that entered, by their token
  std::map<std::size_t, User> users_;                      // honest players, by index of the seat
  std::optional<std::size_t> thief_, visitor_;             // indices of seats
  std::vector<std::byte> visitor_token_;
  bool was_visitor_refused_ = false;
  double thief_ends_s_ = 0;
};

}  // namespace jostle::simulate
