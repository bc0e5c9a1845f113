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
#include "shared/state/cord.h"
#include "shared/state/input.h"
#include "shared/state/overlay.h"
#include "shared/state/readout.h"
#include "shared/state/server_statistics.h"
#include "shared/state/snapshot.h"
#include "shared/state/world_def.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jostle::client {

struct Options {
  net::Address server{net::loopback_ip, 7777};
  /// Where it may be besides: tried one after the other, until one answers.
  std::vector<net::Address> other_addresses{};
  std::string name = "player";
  protocol::Role role = protocol::Role::Player;
  /// How exactly the server is to tell of bodies.
  protocol::Profile profile = protocol::Profile::Visual;
  /// How long to go on trying before `status().state` becomes Failed.
  std::int64_t connect_timeout_us = 10'000'000;
  /// How long to go on when a connection that stood was lost; 0: for as long.
  std::int64_t regain_timeout_us = 0;
};

enum class ClientState : std::uint8_t {
  Connecting,  // no answer yet: starting before the server is no error
  Joining,     // welcomed, world on its way
  Playing,     // the world is there, snapshots come
  Failed,      // for good: `words` says why in one sentence
};

struct Status {
  ClientState state = ClientState::Connecting;
  std::string words;
  state::PlayerId player;
  Failure failure = Failure::None;  // of Failed
  bool is_regaining = false;        // Connecting, after a connection that was lost
  bool operator==(const Status&) const = default;
};

/// A body to draw or pick, at the time that is shown.
struct ShownBody {
  const state::BodyInfo* info = nullptr;  // valid until the next update()
  math::Pose pose;
  bool is_awake = true;
};

/// Figures for the HUD and the summary.
struct Metrics {
  state::Tick newest_tick;                 // newest snapshot decoded
  std::uint64_t snapshots_complete = 0;    // these three of all connections
  std::uint64_t snapshots_incomplete = 0;  // left behind with parts missing
  std::uint64_t parts_refused = 0;         // could not be decoded
  double server_tick = 0;  // in which the server is now, with fraction, as estimated; 0: not known
  double round_trip_ms = 0;
  double clock_error_ms = 0;  // estimated half width of the server clock
  double loss = 0;            // 0..1 over the last seconds, of snapshots; in lockstep of frames
  double bytes_per_second_down = 0, bytes_per_second_up = 0;  // UDP payload
  std::uint64_t bytes_down = 0, bytes_up = 0;
  double view_delay_ms = 0;       // behind the server's now
  double buffered_ms = 0;         // that the newest whole snapshot is ahead of what is shown
  double input_to_effect_ms = 0;  // from a key to the tick that has it being shown; 0: no inputs
  double snapshot_age_ms = 0;     // of the newest, mean over the last second
  double input_margin_ticks = 0;  // as the server last reported it
  /// From one state of a moving body to its next where the link does not take all bodies with
  /// every snapshot; 0 where it does.
  double update_gap_ms = 0;
  /// Where the bytes of the last whole second went, headers of IP and UDP included.
  std::vector<net::LedgerLine> wire_down, wire_up;
  PredictionFigures prediction;
  LockstepFigures lockstep;
};

/// The thin client: connects, sends inputs, takes snapshots in and shows the world between them.
/// Knows nothing of the engine. Reads time and bytes through its Io and Transport only.
class Client {
 public:
  Client(net::Io& io, net::Transport& transport, const Options& options);
  ~Client();

  /// Shows what the player does before the server has done it, from the next Welcome on; not for
  /// spectators. Must outlive the client.
  void set_predictor(Predictor* predictor);
  /// Plays in lockstep, with an engine of its own, from the next Welcome on. Must outlive the
  /// client, which has no predictor then.
  void set_lockstep(LockstepEngine* engine);

  /// Call at least once per client tick; everything happens in here.
  void update();

  /// What the player does from now on until the next call: held for every client tick that comes,
  /// except its actions, which are sent in one tick only (Drag actions excepted: they are held).
  void set_input(const state::PlayerInput& input);

  /// Asks for what needs a right; the server may ignore it.
  void request(const state::ControlCommand& command);

  /// What this client looks at and how much it wants to be told: the server sends what matters
  /// most first where not everything fits. Told a few times a second, as it changes. Contract:
  /// within the limits of SetInterest, bodies ascending.
  void set_interest(const protocol::SetInterest& interest);

  /// Asks the server which scenes it has.
  void ask_for_scenes();
  /// The scenes of the server by name, once they were asked for and are all there; empty before.
  const std::vector<protocol::SceneInfo>& scenes() const;
  /// Asks it to go on with the scene of this name. What it has against that comes as a notice.
  void load_scene(const std::string& name);
  /// What time, gravity and clicks do in the scene; as usual until the server has told.
  const protocol::SceneStatus& scene_status() const;
  /// What the server last had to say to its people, once; nothing where it said nothing new.
  std::optional<std::string> take_notice();

  /// Begins anew where it has failed, with the same server and, where that still keeps it, in the
  /// same place.
  void try_again();
  /// For how long nothing has come from the server; while a lost connection is regained, since
  /// before it was given up.
  double seconds_silent() const;

  /// Says goodbye; call update() until `is_closed()` or give up.
  void close();
  bool is_closed() const;

  const Status& status() const;
  /// Who is at the other end, and what this client may do there; nothing while there is no
  /// connection.
  std::optional<net::PeerIdentity> server() const;
  const Metrics& metrics() const;
  /// The world as of the newest revision applied; empty before Playing.
  const state::WorldDef& world() const;

  /// Every body at the shown time: static bodies from their definition, others interpolated.
  /// Sorted by id.
  const std::vector<ShownBody>& shown_bodies() const;
  /// The particles at the shown time, in no order that lasts.
  const std::vector<ShownParticle>& shown_particles() const;
  /// Ropes, springs and rods between bodies, or between bodies and the world.
  const std::vector<state::Cord>& cords() const;
  /// The newest figures that the scene shows of itself.
  const state::Readouts& readouts() const;
  /// All bodies of the newest snapshot that is whole, as exactly as they were told: in profile
  /// lossless bit for bit the server's. Nothing in profile visual, or before the first.
  std::optional<state::Snapshot> newest_states() const;
  /// What it wants to be told of beside the world, from now on and of every server after this one.
  void inspect(const protocol::InspectRequest& request);
  /// What the server tells of the time that is shown, or null; valid until the next update().
  const state::Overlay* overlay() const;
  /// The newest that it has told; nothing before it was asked.
  std::optional<state::ServerStatistics> statistics() const;
  /// The newest of the body that it asks about; nothing before one has come.
  std::optional<state::BodyReport> body_report() const;
  /// Whether newest_bodies() are wanted, from the next update() on.
  void set_newest_wanted(bool is_wanted);
  /// Every body as the newest whole snapshot has it: what is shown lies behind that.
  const std::vector<ShownBody>& newest_bodies() const;
  /// The server tick (with fraction) that is shown.
  double shown_tick() const;
  /// The same in seconds of the server's time.
  double shown_seconds() const;

  /// Called for every tick of which all bodies were decoded, in order of completion.
  using CompleteHook = std::function<void(const protocol::QuantizedSnapshot&)>;
  void set_complete_hook(CompleteHook hook);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace jostle::client
