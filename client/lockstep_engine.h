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

/// What lockstep costs, and whether all is well.
struct LockstepFigures {
  bool is_running = false;
  std::string words;               // why it is not, or where it has parted, for people
  std::uint64_t ticks = 0;         // made
  std::uint64_t hashes = 0;        // told to the server
  std::size_t frames_waiting = 0;  // that have arrived and are not made
  bool has_parted = false;
};

/// Makes the same ticks as the server, from what is done in them. The thin client knows this much
/// of it; client/sim has one with the engine in it.
class LockstepEngine {
 public:
  virtual ~LockstepEngine() = default;

  /// Of the engine and the rules: only equal ones can play together.
  virtual std::uint64_t engine_hash() const = 0;
  /// A new connection: nothing of an earlier one holds.
  virtual void begin() = 0;
  /// A Simulation blob: what the server's simulation is, to go on from. False where it cannot be
  /// used; the words of figures() say why.
  virtual bool take_simulation(std::span<const std::byte> bytes) = 0;
  virtual void take_frames(std::vector<state::TickCommands> frames) = 0;

  /// Makes the next tick, if what is done in it has arrived: the bodies after it.
  virtual std::optional<protocol::QuantizedSnapshot> step() = 0;
  /// How far it has come; nothing before it has a simulation.
  virtual std::optional<protocol::FrameReport> report() const = 0;
  virtual protocol::DesyncAnswer answer(const protocol::DesyncQuestion& question) = 0;
  /// Where it has parted from the server.
  virtual void take_report(const protocol::DesyncReport& report) = 0;

  virtual const LockstepFigures& figures() const = 0;
};

}  // namespace jostle::client
