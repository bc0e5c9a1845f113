#pragma once

#include "protocol/lockstep_messages.h"
#include "protocol/quantize.h"
#include "shared/state/command.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jostle::client {

/// State and statistics of lockstep.
struct LockstepMetrics {
  bool is_running = false;
  // text for display: why lockstep does not run, or where the simulation desynchronised
  std::string text;
  std::uint64_t ticks = 0;         // number of ticks simulated
  std::uint64_t hashes = 0;        // number of hashes sent to the server
  std::size_t frames_waiting = 0;  // number of frames that have arrived but are not simulated yet
  bool has_desynced = false;
};

/// Interface of an engine that simulates the same ticks as the server, from the inputs of each
/// tick. The thin client depends only on this interface, which client/sim implements with the
/// physics engine.
class LockstepEngine {
 public:
  virtual ~LockstepEngine() = default;

  /// Returns a hash of the physics engine's arithmetic. The server accepts only an equal hash.
  virtual std::uint64_t engine_hash() const = 0;
  /// Starts a new connection. Discards all state of an earlier one.
  virtual void begin() = 0;
  /// Loads a Simulation blob: the state of the server's simulation from which to continue. Returns
  /// false if the blob cannot be used; figures().text then has the reason.
  virtual bool handle_simulation(std::span<const std::byte> bytes) = 0;
  virtual void handle_frames(std::vector<state::TickCommands> frames) = 0;

  /// Simulates the next tick if its inputs have arrived, and returns the bodies after it; otherwise
  /// returns null.
  virtual std::optional<protocol::QuantizedSnapshot> step() = 0;
  /// Returns the bodies that were set elsewhere in the last simulated tick, sorted.
  virtual std::vector<state::BodyId> teleported() const { return {}; }
  /// Returns the progress report for the server, or nothing before a simulation was loaded.
  virtual std::optional<protocol::FrameReport> report() const = 0;
  virtual protocol::DesyncAnswer answer(const protocol::DesyncQuestion& question) = 0;
  /// Receives the server's report of where this peer desynchronised.
  virtual void handle_report(const protocol::DesyncReport& report) = 0;

  virtual const LockstepMetrics& figures() const = 0;
};

}  // namespace jostle::client
