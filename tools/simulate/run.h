#pragma once

#include "tools/simulate/virtual_disk.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace jostle::simulate {

/// Classes of faults, as bits.
enum Fault : std::uint32_t {
  LossyLinks = 1U << 0,       // loss, latency, jitter, duplication, reordering, corruption
  Partitions = 1U << 1,       // links that are cut, also in one direction
  Clocks = 1U << 2,           // skew, and steps of the wall clock
  Stalls = 1U << 3,           // the server or a client stands still
  ClientCrashes = 1U << 4,    // clients end without a word and come back as new ones
  ServerCrashes = 1U << 5,    // the server's process ends and is started again
  PowerLosses = 1U << 6,      // the server's machine ends: un-synced data is lost or torn
  DiskErrors = 1U << 7,       // ENOSPC and EIO of writes and syncs
  DiskStalls = 1U << 8,       // the disk does not answer
  BitRot = 1U << 9,           // a bit of the journal changes while the server is down
  HostileClients = 1U << 10,  // a client that sends random messages
  // No fault, but a class that a smaller run may leave out: movement and actions of clients
  Inputs = 1U << 11
};
inline constexpr std::uint32_t all_faults = (1U << 12) - 1;
/// Returns the names of the classes in `faults`, such as "links,stalls".
std::string names_of(std::uint32_t faults);
/// Parses names_of(). Returns false for an unknown name.
bool parse_faults(const std::string& text, std::uint32_t& faults);

/// A simulated minute: a server with its journal, clients, network and disk, in virtual time.
struct RunOptions {
  std::uint64_t seed = 1;
  double seconds = 60;
  std::uint32_t faults = all_faults;
  std::size_t clients = 0;  // 0: from the seed, 1 to 6
  Plant plant = Plant::None;
  std::string code_plant{};  // the name of an error in the code, see shared/base/planted.h
};

/// The result of a run.
struct RunResult {
  std::string failure;           // the first broken rule; empty if all hold
  double failed_at_s = 0;        // virtual time of the failure
  double seconds = 0;            // simulated time
  std::uint64_t event_hash = 0;  // hash of all datagrams and states: equal for equal options
  std::uint64_t ticks = 0;
  std::size_t clients = 0;
  std::uint32_t crashes = 0, power_losses = 0, disk_errors = 0, refused_restores = 0;
  std::uint64_t ticks_lost = 0;  // ticks that crashes and the disk took
};
/// Runs a simulation. Reads no clock and no file.
RunResult simulate(const RunOptions& options);

/// Makes a failing run smaller: shorter, with fewer classes of faults and fewer clients, as long as
/// it fails. Returns the smallest options that fail.
RunOptions shrink(RunOptions options);

/// Returns the arguments of `jostle simulate` that repeat a run.
std::string command_of(const RunOptions& options);

}  // namespace jostle::simulate
