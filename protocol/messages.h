#pragma once

#include "protocol/lockstep_messages.h"
#include "shared/state/command.h"
#include "shared/state/ids.h"
#include "shared/state/input.h"
#include "shared/state/overlay.h"
#include "shared/state/tick.h"
#include "shared/state/world_def.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace jostle::protocol {

// Plain data of the messages. docs/WIRE_FORMAT.md says who sends which when.

// --- Channel::Control, reliable and ordered ------------------------------------------------------

enum class Role : std::uint8_t { Player = 0, Spectator = 1 };

/// How exactly a client is told of bodies; docs/WIRE_FORMAT.md, "Profiles".
enum class Profile : std::uint8_t { Visual = 0, Fine = 1, Lossless = 2 };
inline constexpr std::uint8_t profile_count = 3;
inline constexpr std::array<std::string_view, profile_count> profile_names{"visual", "fine",
                                                                           "lossless"};

/// Client → server, first message. The server answers Welcome or Reject.
struct Hello {
  std::uint16_t version_major = 0, version_minor = 0;
  std::uint64_t schema_hash = 0;
  std::uint64_t priors_hash = 0;  // of the context coder of snapshots
  Role role = Role::Player;
  std::string client_name;      // at most max_name_bytes
  std::uint64_t place_key = 0;  // of a Welcome before; 0: a new place
  Profile profile = Profile::Visual;
  bool operator==(const Hello&) const = default;
};

struct Welcome {
  state::PlayerId player;  // null for spectators
  std::uint16_t tick_rate_hz = 0;
  std::uint16_t snapshot_interval_ticks = 0;
  state::Tick tick;
  std::uint32_t world_revision = 0;  // the WorldDef blob that follows has at least this revision
  std::string server_name;
  /// A player whose connection breaks takes its place up again with it, for a while; 0: none.
  std::uint64_t place_key = 0;
  bool operator==(const Welcome&) const = default;
};

enum class RejectCode : std::uint8_t {
  VersionMismatch = 0,
  SchemaMismatch = 1,
  ServerFull = 2,
  BadHello = 3,
  NotAllowed = 4  // by what it was let in with
};
inline constexpr std::uint8_t reject_code_count = 5;

/// Server → client; then the server disconnects. `words` holds both sides' values.
struct Reject {
  RejectCode code = RejectCode::BadHello;
  std::string words;
  bool operator==(const Reject&) const = default;
};

enum class BlobKind : std::uint8_t { WorldDef = 0, Shape = 1, Keyframe = 2, Simulation = 3 };
inline constexpr std::uint8_t blob_kind_count = 4;

/// Server → client: `size` bytes with this content hash will come on the Bulk channel. A blob that
/// the client already holds under that hash is not sent again in the same connection.
struct BlobAnnounce {
  std::uint64_t content_hash = 0;
  std::uint32_t size = 0;
  BlobKind kind = BlobKind::WorldDef;
  /// 0: the bytes that travel are the content; else they are a zstd frame of so many bytes.
  std::uint32_t content_size = 0;
  bool operator==(const BlobAnnounce&) const = default;
};

/// Client → server: wishes that need a right (--sandbox gives it to everyone).
struct ControlRequest {
  state::ControlCommand command;
  bool operator==(const ControlRequest&) const = default;
};

/// Client → server: asks for its scenes.
struct SceneListRequest {
  bool operator==(const SceneListRequest&) const = default;
};

/// Server → client, once for each of its scenes, `index` from 0 to `count` − 1, in order of names.
struct SceneInfo {
  std::uint16_t index = 0, count = 1;
  std::string name;         // 1..max_name_bytes
  std::string description;  // at most max_words_bytes
  bool operator==(const SceneInfo&) const = default;
};

/// Client → server: asks it to go on with another scene, by a name that it has told. Needs the same
/// right as ControlRequest.
struct SceneRequest {
  std::string name;  // at most max_name_bytes
  bool operator==(const SceneRequest&) const = default;
};

/// Server → client: why it did not do what was asked, for people.
struct Notice {
  std::string words;  // at most max_words_bytes
  bool operator==(const Notice&) const = default;
};

/// Client → server: what it looks at, so that what matters to it comes first where not everything
/// fits its link. A body of its own always comes first.
struct SetInterest {
  math::Position eye;
  math::Vec3 forward;                      // unit length, or zero: looks nowhere in particular
  float half_angle = 0;                    // of the cone that it sees around `forward`, rad, 0..π
  float radius = 0;                        // m; bodies beyond are not sent at all; 0: any may be
  std::uint32_t max_bytes_per_second = 0;  // of snapshots and blobs, all headers included; 0: none
  std::vector<state::BodyId> bodies;       // before all others and at any distance; ascending
  bool operator==(const SetInterest&) const = default;
};

/// Client → server: asks for all that its simulation is made of (a Simulation blob), and from then
/// on to be told what is done to it: TickCommands of each tick that has something new. In them an
/// input holds until the player's next one, except its actions; drags are left out.
struct SimulationRequest {
  bool operator==(const SimulationRequest&) const = default;
};

/// Client → server: it foresees with an engine and priors of this hash, in the scene of that one;
/// snapshots may be coded so from now on, until there is another scene.
struct ForesightOffer {
  std::uint64_t hash = 0;
  std::uint64_t scene_hash = 0;
  bool operator==(const ForesightOffer&) const = default;
};

/// Client → server: what it wants to be told of beside the world, until it asks for something else.
struct InspectRequest {
  state::OverlayLayers layers = 0;  // of an overlay around what it looks at; 0: none
  bool wants_statistics = false;
  state::BodyId body;  // one to be reported on (state::BodyReport); null: none
  bool operator==(const InspectRequest&) const = default;
};

/// Server → client, to who joins and when it changes: what time and gravity do, and what clicks are
/// for in the scene.
struct SceneStatus {
  bool is_paused = false, is_gravity_off = false;
  bool clicks_shoot = false;         // else they push
  std::uint16_t rate_percent = 100;  // 1..max_rate_percent
  bool operator==(const SceneStatus&) const = default;
};

using ControlMessage =
    std::variant<Hello, Welcome, Reject, BlobAnnounce, state::WorldChange, ControlRequest,
                 SceneListRequest, SceneInfo, SceneRequest, Notice, SetInterest, SimulationRequest,
                 ForesightOffer, InspectRequest, SceneStatus, state::TickCommands>;

// --- Channel::Bulk, reliable and ordered, paced --------------------------------------------------

struct BlobChunk {
  std::uint64_t content_hash = 0;
  std::uint32_t offset = 0;
  std::vector<std::byte> bytes;  // 1..max_blob_chunk_bytes
  bool operator==(const BlobChunk&) const = default;
};

// --- Channel::State, unsequenced -----------------------------------------------------------------

/// Parts of one tick that the client has decoded; bit i stands for part i.
struct PartAck {
  state::Tick tick;
  std::uint64_t parts = 0;
  bool operator==(const PartAck&) const = default;
};

/// What the client has decoded, repeated in every input packet so that none of them matters.
struct SnapshotAck {
  state::Tick newest;            // newest tick of which all parts are decoded; 0: none
  std::uint32_t history = 0;     // bit i: tick newest − 1 − i complete, too
  std::vector<PartAck> partial;  // newer or incomplete ticks, at most 8, by tick
  bool operator==(const SnapshotAck&) const = default;
};

/// Client → server, one per client tick.
struct InputPacket {
  SnapshotAck ack;
  /// All inputs that the server has not acknowledged, oldest first, ticks ascending, at most
  /// max_inputs_per_packet.
  std::vector<state::PlayerInput> inputs;
  /// In lockstep.
  std::optional<FrameReport> frames{};
  bool operator==(const InputPacket&) const = default;
};

// --- Channel::Time, unsequenced ------------------------------------------------------------------

/// Client → server.
struct TimePing {
  std::uint32_t id = 0;
  std::int64_t client_send_us = 0;
  bool operator==(const TimePing&) const = default;
};

/// Server → client. With the arrival time it gives the four timestamps of a clock sample (RFC 5905
/// §8).
struct TimePong {
  std::uint32_t id = 0;
  std::int64_t client_send_us = 0;
  std::int64_t server_receive_us = 0;
  std::int64_t server_send_us = 0;
  /// Server time at which `tick` was due; with the tick rate it maps server time to ticks.
  state::Tick tick;
  std::int64_t tick_due_us = 0;
  bool operator==(const TimePong&) const = default;
};

}  // namespace jostle::protocol
