#pragma once

#include "shared/base/hash.h"
#include "shared/base/random.h"
#include "shared/journal/journal.h"
#include "shared/journal/player_log.h"
#include "shared/journal/recovery.h"
#include "shared/net/enet_transport.h"
#include "tools/match/match.h"
#include "tools/simulate/run.h"
#include "tools/simulate/virtual_disk.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
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

/// A run in progress.
class Run {
 public:
  explicit Run(const RunOptions& options)
      : options_(options),
        random_(options.seed * 0x9e3779b97f4a7c15ULL + 1),
        disk_(random_.next(), options.plant),
        writer_(random_.next(), options.plant),
        match_(match_options()) {}

  RunResult run();

 private:
  bool has(Fault fault) const { return (options_.faults & fault) != 0; }
  /// Returns true once in `times` calls on average.
  bool chance(std::uint64_t times) { return random_.next() % times == 0; }
  match::MatchOptions match_options();
  void fail(const std::string& rule);
  double now_s() { return static_cast<double>(match_.network().now_us()) * 1e-6; }

  void add_client();
  void drive(match::Seat& seat);
  void attach(bool is_restart);
  void after_tick();
  void inject_faults();
  void harass();
  void fault_links();
  void fault_disk();
  void fault_clients();
  void crash(bool is_power_loss);
  void restart();
  void check_owners();
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
  match::Match match_;
  std::unique_ptr<journal::PlayerLog> players_;
  std::unique_ptr<journal::Journal> journal_;
  RunResult result_;
  base::Hasher events_;

  std::map<std::uint32_t, std::uint64_t> history_;  // hashes of the current timeline, by tick
  std::uint32_t last_tick_ = 0;
  std::uint32_t crashed_tick_ = 0, durable_tick_ = 0;
  bool was_writing_ = false;  // the journal was healthy and the disk answered before the crash
  bool is_power_loss_ = false, is_rotten_ = false, is_down_ = false;
  double back_at_s_ = 0;
  std::set<std::size_t> gone_;                   // indices of clients that have crashed
  std::map<std::string, std::uint16_t> owners_;  // players by name of their client
  std::set<std::uint16_t> restored_players_;
  std::map<std::string, double> seen_s_;  // times at which the owners were last seen
  std::map<std::uint16_t, double> absent_since_;
  std::uint32_t healthy_since_ = 0;  // tick
  std::uint64_t actions_ = 0;
  bool was_ever_stalled_ = false;
  std::unique_ptr<net::EnetTransport> hostile_;
  net::PeerId hostile_peer_;
  bool is_hostile_connecting_ = false;
};

}  // namespace jostle::simulate
