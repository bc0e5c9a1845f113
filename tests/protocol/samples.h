#pragma once

#include "protocol/lockstep_messages.h"
#include "protocol/messages.h"
#include "protocol/quantize.h"
#include "protocol/simulation_codec.h"
#include "protocol/snapshot_codec.h"
#include "shared/base/random.h"
#include "shared/math/transform.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace jostle::protocol::samples {

// Fixed messages that together use every field, and functions that return random values.

Hello hello();
Welcome welcome();
Reject reject();
BlobAnnounce announce();
ControlRequest request();
SceneInfo scene_info();
SceneRequest scene_request();
Notice notice();
SceneStatus scene_status();
SetInterest set_interest();
SimulationStart simulation();
state::WorldChange change();
BlobChunk chunk();
TimePing ping();
TimePong pong();
InputPacket input_packet();
state::TickCommands commands();
state::WorldDef world();
InputFrames frames();
std::vector<LockstepMessage> lockstep_messages();
SnapshotHeader header();

inline constexpr float nan = std::numeric_limits<float>::quiet_NaN();

math::Quat random_rotation(base::Random& random);
QuantizedBody random_body(base::Random& random);
state::PlayerInput random_input(base::Random& random, state::Tick tick);
state::BodyInfo random_body_info(base::Random& random, state::BodyId id);

/// Returns true if the rotation of `body` is within the limits of the wire format.
bool is_valid(const QuantizedBody& body);

/// Returns a snapshot of `tick` with `count` bodies that are asleep. Their ids are 1 to `count`.
QuantizedSnapshot resting(state::Tick tick, std::size_t count);
/// Returns the bodies of `before` at the later tick `tick`. About one in `one_in` bodies is moved
/// and rotated. Of the awake bodies that are not moved, a fifth falls asleep.
QuantizedSnapshot moved(const QuantizedSnapshot& before, state::Tick tick, std::uint32_t one_in,
                        base::Random& random);

/// Snapshots that the sender and the receiver have. Tick 0 holds the spawn poses.
class History {
 public:
  void put(const QuantizedSnapshot& snapshot);
  BaselineLookup lookup() const;

 private:
  std::map<std::uint32_t, std::map<std::uint32_t, QuantizedBody>> ticks_;
};

/// Returns the header of `parts[index]`, which is a part of `snapshot`.
SnapshotHeader header_of(const QuantizedSnapshot& snapshot, const std::vector<EncodedPart>& parts,
                         std::size_t index);

std::string to_hex(const std::vector<std::byte>& bytes);

}  // namespace jostle::protocol::samples
