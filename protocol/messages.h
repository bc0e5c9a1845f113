#pragma once

#include "protocol/lockstep_messages.h"
#include "shared/state/command.h"
#include "shared/state/debug_draw_frame.h"
#include "shared/state/ids.h"
#include "shared/state/input.h"
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

// Plain data of the messages. docs/WIRE_FORMAT.md says which side sends each message and when.

// --- Channel::Control, reliable and ordered ------------------------------------------------------

enum class Role : std::uint8_t { Player = 0, Spectator = 1 };

/// Precision of body states sent to a client; see docs/WIRE_FORMAT.md, "Profiles".
enum class Profile : std::uint8_t { Visual = 0, Fine = 1, Lossless = 2 };
inline constexpr std::uint8_t profile_count = 3;
inline constexpr std::array<std::string_view, profile_count> profile_names{"visual", "fine",
                                                                           "lossless"};

/// Client → server: the first message. The server answers with Welcome or Reject.
struct Hello {
  std::uint16_t version_major = 0, version_minor = 0;
  std::uint64_t schema_hash = 0;
  std::uint64_t priors_hash = 0;  // priors of the context coder
  Role role = Role::Player;
  std::string client_name;            // name for display, at most max_name_bytes
  std::uint64_t reconnect_token = 0;  // token from an earlier Welcome, to reconnect; 0: new player
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
  /// Reconnect token: a player whose connection breaks can use it for a limited time to control the
  /// same body again; 0: none.
  std::uint64_t reconnect_token = 0;
  bool operator==(const Welcome&) const = default;
};

enum class RejectCode : std::uint8_t {
  VersionMismatch = 0,
  SchemaMismatch = 1,
  ServerFull = 2,
  BadHello = 3,
  NotAllowed = 4  // forbidden by the token or key that the client presented
};
inline constexpr std::uint8_t reject_code_count = 5;

/// Server → client; the server disconnects afterwards. `text` is the reason, for display. After a
/// mismatch of versions or hashes it names the values of both sides.
struct Reject {
  RejectCode code = RejectCode::BadHello;
  std::string text;
  bool operator==(const Reject&) const = default;
};

enum class BlobKind : std::uint8_t { WorldDef = 0, Shape = 1, Keyframe = 2, Simulation = 3 };
inline constexpr std::uint8_t blob_kind_count = 4;

/// Server → client: announces `size` bytes with this content hash on the Bulk channel. A shape is
/// sent only once per connection.
struct BlobAnnounce {
  std::uint64_t content_hash = 0;
  std::uint32_t size = 0;
  BlobKind kind = BlobKind::WorldDef;
  /// Size after decompression if the transferred bytes are a zstd frame; 0: the transferred bytes
  /// are the content itself.
  std::uint32_t content_size = 0;
  bool operator==(const BlobAnnounce&) const = default;
};

/// Client → server: a control command. It requires the operator role, or a server with --sandbox.
struct ControlRequest {
  state::ControlCommand command;
  bool operator==(const ControlRequest&) const = default;
};

/// Client → server: requests the list of scenes.
struct SceneListRequest {
  bool operator==(const SceneListRequest&) const = default;
};

/// Server → client: one message per scene, `index` from 0 to `count` − 1, sorted by name.
struct SceneInfo {
  std::uint16_t index = 0, count = 1;
  std::string name;         // 1..max_name_bytes
  std::string description;  // text for display, at most max_text_bytes
  bool operator==(const SceneInfo&) const = default;
};

/// Client → server: requests another scene, by a name from SceneInfo. Requires the same permission
/// as ControlRequest.
struct SceneRequest {
  std::string name;  // at most max_name_bytes
  bool operator==(const SceneRequest&) const = default;
};

/// Server → client: text for display. It says that a request was refused, failed or was replaced.
struct Notice {
  std::string text;  // text for display, at most max_text_bytes
  bool operator==(const Notice&) const = default;
};

/// Client → server: the camera's view. If not all bodies fit in the rate of the link, those that
/// matter most to this view are sent first. Bodies that the client's player owns have the highest
/// priority.
struct SetInterest {
  math::Position eye;
  math::Vec3 forward;    // unit length; zero: no direction is preferred
  float half_angle = 0;  // half angle of the view cone around `forward`, rad, 0..π
  float radius = 0;      // m; bodies beyond it are not sent; 0: no limit
  // snapshots, other State messages and blobs with all headers; 0: no limit
  std::uint32_t max_bytes_per_second = 0;
  // bodies with the same priority as the client's own, sent at any distance; ids ascending
  std::vector<state::BodyId> bodies;
  bool operator==(const SetInterest&) const = default;
};

/// Client → server: requests the full simulation state (a Simulation blob) and the commands
/// (TickCommands) of each later tick that has new ones. The last input of a player stays valid
/// until the player's next input, except for its actions. Grab actions are not sent.
struct SimulationRequest {
  bool operator==(const SimulationRequest&) const = default;
};

/// Client → server: offers to compute prediction baselines. `hash` is the hash of the client's
/// engine and priors, `scene_hash` that of its scene. If both equal the server's, snapshots may use
/// codec 3 until the scene changes.
struct PredictionBaselineOffer {
  std::uint64_t hash = 0;
  std::uint64_t scene_hash = 0;
  bool operator==(const PredictionBaselineOffer&) const = default;
};

/// Client → server: the debug information that the server sends from now on. Each request replaces
/// the previous one.
struct InspectRequest {
  state::DebugDrawLayers layers = 0;  // debug draw layers, drawn around the camera; 0: none
  bool wants_statistics = false;
  state::BodyId body;  // body for which reports are requested (state::BodyReport); null: none
  bool operator==(const InspectRequest&) const = default;
};

/// Server → client, after joining and at each change: state of time and gravity, and the effect of
/// clicks in the scene.
struct SceneStatus {
  bool is_paused = false, is_gravity_off = false;
  bool shoot_on_click = false;       // true: clicks shoot; false: clicks push
  std::uint16_t rate_percent = 100;  // 1..max_rate_percent
  bool operator==(const SceneStatus&) const = default;
};

using ControlMessage =
    std::variant<Hello, Welcome, Reject, BlobAnnounce, state::WorldChange, ControlRequest,
                 SceneListRequest, SceneInfo, SceneRequest, Notice, SetInterest, SimulationRequest,
                 PredictionBaselineOffer, InspectRequest, SceneStatus, state::TickCommands>;

// --- Channel::Bulk, reliable and ordered, paced --------------------------------------------------

struct BlobChunk {
  std::uint64_t content_hash = 0;
  std::uint32_t offset = 0;
  std::vector<std::byte> bytes;  // 1..max_blob_chunk_bytes
  bool operator==(const BlobChunk&) const = default;
};

// --- Channel::State, unsequenced -----------------------------------------------------------------

/// Parts of one tick that the client has decoded. ack_bit() gives the bit of a part.
struct PartAck {
  state::Tick tick;
  std::uint64_t parts = 0;
  bool operator==(const PartAck&) const = default;
};

/// Acknowledgement of snapshots, repeated in every input packet so that the loss of one does not
/// matter.
struct SnapshotAck {
  state::Tick newest;         // newest tick that was decoded completely; 0: none
  std::uint32_t history = 0;  // ack bitmask; bit i: tick newest − 1 − i was decoded completely
  std::vector<PartAck> partial;  // newer or incomplete ticks, at most 8, in tick order
  bool operator==(const SnapshotAck&) const = default;
};

/// Client → server, one per client tick.
struct InputPacket {
  SnapshotAck ack;
  /// Inputs that the server has not acknowledged, ticks ascending. encode_input() drops the oldest
  /// if there are more than max_inputs_per_packet or if the packet would be too long.
  std::vector<state::PlayerInput> inputs;
  /// Progress in lockstep; null outside lockstep.
  std::optional<FrameReport> frames{};
  bool operator==(const InputPacket&) const = default;
};

// --- Channel::Time, unsequenced ------------------------------------------------------------------

/// Client → server: request of a clock sample.
struct TimePing {
  std::uint32_t id = 0;
  std::int64_t client_send_us = 0;
  bool operator==(const TimePing&) const = default;
};

/// Server → client: answer to a TimePing. The message and its arrival time contain the four
/// timestamps of a clock sample (RFC 5905 §8).
struct TimePong {
  std::uint32_t id = 0;
  std::int64_t client_send_us = 0;
  std::int64_t server_receive_us = 0;
  std::int64_t server_send_us = 0;
  /// The server's current tick and the server time at which it was due. With the tick rate, they
  /// map server time to ticks.
  state::Tick tick;
  std::int64_t tick_due_us = 0;
  /// The newest tick that survives the end of the server's machine, with the inputs up to it; 0 if
  /// the server keeps no state.
  state::Tick durable_tick;
  bool operator==(const TimePong&) const = default;
};

}  // namespace jostle::protocol
