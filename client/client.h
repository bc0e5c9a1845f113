#pragma once

#include "client/failure.h"
#include "client/lockstep_engine.h"
#include "client/particle_buffer.h"
#include "client/predictor.h"
#include "protocol/messages.h"
#include "protocol/quantize.h"
#include "shared/base/result.h"
#include "shared/net/io.h"
#include "shared/net/peer_identity.h"
#include "shared/net/transport.h"
#include "shared/state/body_report.h"
#include "shared/state/debug_draw_frame.h"
#include "shared/state/input.h"
#include "shared/state/label.h"
#include "shared/state/rope.h"
#include "shared/state/server_statistics.h"
#include "shared/state/snapshot.h"
#include "shared/state/world_def.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::client {

/// Options of a client.
struct Options {
  net::Address server{net::loopback_ip, 7777};
  /// Other addresses of the same server. They are tried in turn until one answers.
  std::vector<net::Address> other_addresses{};
  std::string name = "player";
  protocol::Role role = protocol::Role::Player;
  /// Precision in which the server sends body states.
  protocol::Profile profile = protocol::Profile::Visual;
  /// Time without progress (no answer from the server, or no world) after which `status().state`
  /// becomes Failed.
  std::int64_t connect_timeout_us = 10'000'000;
  /// The same timeout for reconnecting after a lost connection; 0: `connect_timeout_us`.
  std::int64_t reconnect_timeout_us = 0;
  /// Reconnect token of an earlier client, see Client::reconnect_token(); 0: a new player.
  std::uint64_t reconnect_token = 0;
};

enum class ClientState : std::uint8_t {
  Connecting,  // no answer yet, or reconnecting; a client may start before the server
  Joining,     // accepted by the server, the world is being transferred
  Playing,     // the world is complete and snapshots arrive
  Failed,      // until try_again(); `text` gives the reason in one sentence
};

struct Status {
  ClientState state = ClientState::Connecting;
  std::string text;
  state::PlayerId player;
  Failure failure = Failure::None;  // the reason, in state Failed
  bool is_reconnecting = false;     // true while a lost connection is being re-established
  bool operator==(const Status&) const = default;
};

/// A body to draw or pick, at the displayed time.
struct ShownBody {
  const state::BodyInfo* info = nullptr;  // valid until the next update()
  math::Pose pose;
  bool is_awake = true;
};

/// A fault of the link to the server that the client notices now.
enum class LinkTrouble : std::uint8_t {
  None,
  NoData,         // nothing arrives: the server stands still, or the link is down
  NoSnapshots,    // the server answers, but no newer snapshot could be decoded
  UplinkStarved,  // snapshots arrive, but none of the newer inputs has reached the server
};
/// Returns one short sentence for users; empty without trouble.
std::string_view describe(LinkTrouble trouble);

/// Statistics for the HUD and the summary.
struct Metrics {
  state::Tick newest_tick;  // tick of the newest snapshot that was decoded completely
  // newest tick that survives the end of the server's machine, with the inputs up to it, as far as
  // the server has told; 0: none
  state::Tick durable_tick;
  std::uint64_t snapshots_complete = 0;    // this and the next two: sums over all connections
  std::uint64_t snapshots_incomplete = 0;  // snapshots whose missing parts came too late or never
  std::uint64_t parts_refused = 0;         // parts and debug data that could not be decoded
  double server_tick = 0;  // the server's current tick with fraction, as estimated; 0: unknown
  double round_trip_ms = 0;
  double clock_error_ms = 0;  // estimated half width of the server clock's error interval
  // fraction of snapshot parts (lockstep: frame messages) lost in the last seconds, 0..1
  double loss = 0;
  LinkTrouble trouble = LinkTrouble::None;                    // noticed after a quarter of a second
  double bytes_per_second_down = 0, bytes_per_second_up = 0;  // UDP payload
  std::uint64_t bytes_down = 0, bytes_up = 0;
  // time by which the displayed tick is behind the server's current tick
  double interpolation_delay_ms = 0;
  // time by which the newest complete snapshot is ahead of the displayed time
  double jitter_buffer_ms = 0;
  // Mean time from a key press until the display reaches the tick that applies it, without the time
  // to draw a frame; 0: no inputs. While prediction runs, the display of predicted bodies counts.
  double input_latency_ms = 0;
  // The same time, but until interpolated snapshots, the server's result, show the tick.
  double input_confirmation_ms = 0;
  double snapshot_age_ms = 0;  // age of the newest snapshot, mean over the last second
  // ticks by which inputs arrive before they are needed, as reported by the server
  double input_margin_ticks = 0;
  /// 90th percentile of the recent times between two updates of a moving body, if the link is too
  /// slow to send all bodies in every snapshot; 0 if every snapshot has all bodies.
  double update_interval_ms = 0;
  /// Bytes of the last full second per kind of message, and of the IP and UDP headers.
  std::vector<net::TrafficLine> wire_down, wire_up;
  PredictionMetrics prediction;
  LockstepMetrics lockstep;
};

/// The thin client: connects, sends inputs, receives snapshots and interpolates the world between
/// them. It does not depend on the physics engine. It reads time and bytes only through its Io and
/// Transport.
class Client {
 public:
  Client(net::Io& io, net::Transport& transport, const Options& options);
  ~Client();

  /// Sets the predictor, which shows the effect of the player's inputs before the server has
  /// applied them. Takes effect at the next Welcome; a spectator does not use the predictor.
  /// `predictor` must outlive the client.
  void set_predictor(Predictor* predictor);
  /// Sets the engine that simulates every tick on the client, for lockstep. Takes effect at the
  /// next Welcome. `engine` must outlive the client. Contract: no predictor is set.
  void set_lockstep(LockstepEngine* engine);

  /// Processes received messages, updates the displayed world and sends due packets. Call it at
  /// least once per client tick.
  void update();

  /// Sets the player's input until the next call. The input and its grab actions are sent for every
  /// client tick. Each other action is sent for one tick only.
  void set_input(const state::PlayerInput& input);

  /// Sends a control command, which requires a permission. If the server refuses it, the reason
  /// arrives as a notice, see take_notice().
  void request(const state::ControlCommand& command);

  /// Tells the server which region and bodies this client views and how much bandwidth it may use.
  /// If not all bodies fit, the server sends the most important ones first. Changes are sent at
  /// most five times a second. Contract: `interest` is within the limits of protocol::SetInterest,
  /// and its bodies ascend by id.
  void set_interest(const protocol::SetInterest& interest);

  /// Requests the list of the server's scenes.
  void ask_for_scenes();
  /// Returns the list of the server's scenes. Empty until the requested list has arrived
  /// completely.
  const std::vector<protocol::SceneInfo>& scenes() const;
  /// Asks the server to load the scene of this name. A refusal arrives as a notice.
  void load_scene(const std::string& name);
  /// Returns whether the scene is paused, its speed and its gravity and click settings. Defaults
  /// until the server has sent them.
  const protocol::SceneStatus& scene_status() const;
  /// Returns the server's last notice and clears it. Returns nothing if there is no new notice.
  std::optional<std::string> take_notice();

  /// Reconnects to the same server after a failure. If the server still holds this client's
  /// reconnect slot, the client continues as the same player.
  void try_again();
  /// Returns the time since the last packet from the server. While reconnecting, it includes the
  /// silence before the loss was detected.
  double seconds_silent() const;

  /// Starts a clean disconnect. Call update() until `is_closed()` returns true or the caller's own
  /// timeout is over.
  void close();
  bool is_closed() const;

  const Status& status() const;
  /// Returns the token with which another client can continue as this player, for a limited time
  /// after the connection broke; 0: none. It is a secret.
  std::uint64_t reconnect_token() const;
  /// Returns the server's identity and this client's rights there, or nothing if there is no
  /// connection.
  std::optional<net::PeerIdentity> server() const;
  const Metrics& metrics() const;
  /// Returns the world at the newest applied revision; empty before Playing.
  const state::WorldDef& world() const;

  /// Returns every body at the displayed time, sorted by id. Static bodies have the pose of their
  /// definition, others are interpolated or predicted.
  const std::vector<ShownBody>& shown_bodies() const;
  /// Returns the particles at the displayed time, in unspecified order.
  const std::vector<ShownParticle>& shown_particles() const;
  /// Returns ropes, springs and rods between bodies, or between bodies and the world.
  const std::vector<state::Rope>& ropes() const;
  /// Returns the newest values that the scene displays as labels.
  const state::Labels& labels() const;
  /// Returns the newest values, such as a score, that the rules of the server show to this client.
  const state::Labels& values() const;
  /// Returns all bodies of the newest whole snapshot in the precision in which they were sent; in
  /// profile lossless they are bit-identical to the server's. Returns nothing in profile visual, or
  /// before the first whole snapshot.
  std::optional<state::Snapshot> newest_states() const;
  /// Sets the debug data that the server sends in addition to the world. The request is repeated
  /// after a reconnect.
  void inspect(const protocol::InspectRequest& request);
  /// Returns the debug draw frame for the displayed time; null if no layers were requested or no
  /// frame is recent enough. Valid until the next update().
  const state::DebugDrawFrame* debug_draw() const;
  /// Returns the newest server statistics; nothing if they were not requested with inspect() or
  /// have not arrived.
  std::optional<state::ServerStatistics> statistics() const;
  /// Returns the newest report on the body requested with inspect(), or nothing if none has
  /// arrived.
  std::optional<state::BodyReport> body_report() const;
  /// Enables or disables newest_bodies(), from the next update() on.
  void set_newest_wanted(bool is_wanted);
  /// Returns every body as in the newest complete snapshot, which is ahead of the displayed time;
  /// empty while disabled.
  const std::vector<ShownBody>& newest_bodies() const;
  /// Returns the displayed server tick, with fraction.
  double shown_tick() const;
  /// Returns shown_tick() in seconds of server time.
  double shown_seconds() const;

  /// Function that is called with every snapshot whose bodies were all decoded, in order of
  /// completion.
  using CompleteHook = std::function<void(const protocol::QuantizedSnapshot&)>;
  void set_complete_hook(CompleteHook hook);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace jostle::client
