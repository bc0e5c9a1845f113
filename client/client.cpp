#include "client/client.h"

#include "client/connection.h"
#include "client/session.h"
#include "client/traffic_meter.h"
#include "protocol/context/own_hello.h"
#include "protocol/control_codec.h"
#include "protocol/input_codec.h"
#include "protocol/limits.h"
#include "protocol/lockstep_codec.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

namespace jostle::client {
namespace {

/// A server sends at most so much on its way before the Welcome is acknowledged.
constexpr std::size_t max_early_chunks = 1'024;
constexpr std::int64_t interest_interval_us = 200'000;
constexpr std::int64_t ledger_interval_us = 1'000'000;

}  // namespace

/// The walk of a client: events in, world forward, inputs out. What is known of the server lives in
/// a Session, which begins with its Welcome; Connection decides whom to talk to and until when.
struct Client::State {
  State(net::Io& io_, net::Transport& transport_, const Options& options_)
      : io(io_), transport(transport_), options(options_), connection(transport_, options_) {
    status.words = connection.words();
  }

  void update();
  void take(const net::PeerEvent& event, std::int64_t now_us);
  void take_message(const net::PeerEvent& event, std::int64_t now_us);
  void keep_early_chunk(const std::vector<std::byte>& bytes);
  void take_chunk(std::span<const std::byte> bytes, std::int64_t now_us);
  void take_control(const std::vector<std::byte>& bytes);
  void take_lockstep(const std::vector<std::byte>& bytes);
  void welcome(const protocol::Welcome& welcome);
  bool take_scene(protocol::SceneInfo info);
  void send_control(const protocol::ControlMessage& message);
  void say_hello();
  void fail_unreadable(std::string_view what);
  void send_packets();
  void tell_interest();
  void tell_inspection();
  void note_status();
  void note_metrics(std::int64_t now_us);

  net::Io& io;
  net::Transport& transport;
  Options options;
  Connection connection;
  /// Outlives its connection, so that the last picture stays until there is a new one.
  std::optional<Session> session;
  bool is_session_live = false;
  std::vector<std::vector<std::byte>> early_chunks;  // of the connection, before its Welcome

  state::PlayerInput input;     // what is held, for the session to come
  std::uint64_t place_key = 0;  // with which a connection after this one goes on as this player
  std::optional<protocol::SetInterest> interest, told_interest;
  std::int64_t interest_told_us = 0;
  protocol::InspectRequest inspection, told_inspection;  // told: on this connection
  bool is_newest_wanted = false;
  CompleteHook complete_hook;
  Predictor* predictor = nullptr;
  LockstepEngine* engine = nullptr;
  std::vector<protocol::SceneInfo> scenes, scenes_coming;
  std::optional<std::string> notice;
  Status status;
  Metrics metrics;
  /// Of the sessions before this one.
  struct {
    std::uint64_t complete = 0, incomplete = 0, refused = 0;
  } earlier;
  TrafficMeter traffic;
  net::ByteLedger ledger_down, ledger_up;  // when the last second began
  std::int64_t ledger_us = 0;
  std::vector<net::PeerEvent> events;
};

void Client::State::update() {
  events.clear();
  transport.service(events);
  const std::int64_t now_us = io.now_us();
  if (session) session->advance_clock(now_us);
  for (const net::PeerEvent& event : events)
    take(event, now_us);
  if (connection.advance(now_us) == Connection::Change::Lost) is_session_live = false;

  if (session) session->advance_play();
  if (is_session_live) {
    send_packets();
    tell_interest();
    tell_inspection();
    if (session->is_stalled()) {
      connection.start_over("its snapshots cannot be decoded", now_us);
      is_session_live = false;
    } else if (session->is_playing()) {
      connection.note_progress(now_us);
    }
  }
  transport.flush();
  note_status();
  note_metrics(now_us);
}

void Client::State::take(const net::PeerEvent& event, std::int64_t now_us) {
  switch (connection.take(event, now_us)) {
    case Connection::Change::None:
      break;
    case Connection::Change::Up:
      say_hello();
      break;
    case Connection::Change::Lost:
      is_session_live = false;
      break;
    case Connection::Change::Message:
      take_message(event, now_us);
      break;
  }
}

void Client::State::take_message(const net::PeerEvent& event, std::int64_t now_us) {
  if (event.channel == net::Channel::Control) {
    take_control(event.bytes);
    return;
  }
  // Channels overtake each other. What is reliable is not sent again, so it waits for the Welcome.
  if (!is_session_live) {
    if (event.channel == net::Channel::Bulk) keep_early_chunk(event.bytes);
    return;
  }
  switch (event.channel) {
    case net::Channel::Control:
      break;
    case net::Channel::State:
      session->take_state(event.bytes, now_us);
      break;
    case net::Channel::Time:
      session->take_pong(event.bytes, now_us);
      break;
    case net::Channel::Bulk:
      take_chunk(event.bytes, now_us);
      break;
  }
}

void Client::State::keep_early_chunk(const std::vector<std::byte>& bytes) {
  if (early_chunks.size() >= max_early_chunks ||
      bytes.size() > protocol::max_control_message_bytes) {
    fail_unreadable("world before it said welcome");
  } else {
    early_chunks.push_back(bytes);
  }
}

void Client::State::take_chunk(std::span<const std::byte> bytes, std::int64_t now_us) {
  if (!is_session_live) return;
  if (session->take_chunk(bytes)) {
    connection.note_progress(now_us);
    if (const std::string words = session->why_no_lockstep(); !words.empty()) {
      connection.fail("lockstep is not possible: " + words, net::DisconnectReason::Requested,
                      Failure::NotAllowed);
      is_session_live = false;
    }
  } else {
    fail_unreadable("piece of a world that does not fit");
  }
}

void Client::State::take_lockstep(const std::vector<std::byte>& bytes) {
  const auto message = protocol::decode_lockstep(bytes);
  if (!message) return fail_unreadable("message");
  bool is_understood = false;
  if (const auto* question = std::get_if<protocol::DesyncQuestion>(&*message)) {
    const auto answer = is_session_live ? session->answer(*question) : std::nullopt;
    is_understood = answer.has_value();
    if (answer) connection.send(net::Channel::Control, protocol::encode_lockstep(*answer));
  } else if (const auto* report = std::get_if<protocol::DesyncReport>(&*message)) {
    is_understood = is_session_live && session->take_report(*report);
  }
  if (!is_understood) fail_unreadable("message that makes no sense here");
}

void Client::State::take_control(const std::vector<std::byte>& bytes) {
  if (protocol::is_lockstep(bytes)) return take_lockstep(bytes);
  auto message = protocol::decode_control(bytes, protocol::max_control_message_bytes);
  if (!message) {
    fail_unreadable("message");
    return;
  }
  const bool is_understood = std::visit(
      [this](auto&& content) {
        using Content = std::remove_cvref_t<decltype(content)>;
        if constexpr (std::is_same_v<Content, protocol::Welcome>) {
          if (is_session_live || !Session::is_acceptable(content)) return false;
          welcome(content);
          return true;
        } else if constexpr (std::is_same_v<Content, protocol::Reject>) {
          connection.fail("the server refused the connection: " + content.words,
                          net::DisconnectReason::Requested, failure_of(content.code));
          is_session_live = false;
          return true;
        } else if constexpr (std::is_same_v<Content, protocol::BlobAnnounce>) {
          return is_session_live && session->take_announcement(content);
        } else if constexpr (std::is_same_v<Content, state::WorldChange>) {
          return is_session_live && session->take_change(std::forward<decltype(content)>(content));
        } else if constexpr (std::is_same_v<Content, state::TickCommands>) {
          return is_session_live &&
                 session->take_commands(std::forward<decltype(content)>(content));
        } else if constexpr (std::is_same_v<Content, protocol::SceneInfo>) {
          return is_session_live && take_scene(std::forward<decltype(content)>(content));
        } else if constexpr (std::is_same_v<Content, protocol::Notice>) {
          notice = content.words;
          return is_session_live;
        } else {
          return false;  // only clients send the others
        }
      },
      std::move(*message));
  if (!is_understood) fail_unreadable("message that makes no sense here");
}

void Client::State::welcome(const protocol::Welcome& welcome) {
  if (session) {
    Metrics last;
    session->report(last);
    earlier.complete += last.snapshots_complete;
    earlier.incomplete += last.snapshots_incomplete;
    earlier.refused += last.parts_refused;
  }
  session.emplace(
      welcome,
      [this](const BufferedSnapshot& snapshot, bool) {
        if (complete_hook && snapshot.is_whole()) complete_hook(snapshot.copy());
      },
      options.profile, predictor, engine);
  session->advance_clock(io.now_us());
  session->inputs().set_input(input);
  place_key = welcome.place_key;
  told_interest.reset();
  told_inspection = {};
  session->set_newest_wanted(is_newest_wanted);
  scenes.clear();
  scenes_coming.clear();
  is_session_live = true;
  for (const auto& chunk : std::exchange(early_chunks, {}))
    take_chunk(chunk, io.now_us());
}

// A list begins anew with its first scene, and takes the place of the last when it is whole.
bool Client::State::take_scene(protocol::SceneInfo info) {
  if (info.index == 0) scenes_coming.clear();
  const bool is_next = info.index == scenes_coming.size() &&
                       (scenes_coming.empty() || info.count == scenes_coming.front().count);
  if (!is_next) return false;
  scenes_coming.push_back(std::move(info));
  if (scenes_coming.size() == scenes_coming.front().count) {
    scenes = std::exchange(scenes_coming, {});
  }
  return true;
}

void Client::State::send_control(const protocol::ControlMessage& message) {
  if (!is_session_live) return;
  connection.send(net::Channel::Control, protocol::encode_control(message));
}

void Client::State::say_hello() {
  early_chunks.clear();
  protocol::Hello hello = protocol::context::own_hello();
  hello.role = options.role;
  hello.client_name = options.name.substr(0, protocol::max_name_bytes);
  hello.place_key = place_key;
  hello.profile = options.profile;
  connection.send(net::Channel::Control, protocol::encode_control(hello));
}

void Client::State::fail_unreadable(std::string_view what) {
  connection.fail("the server at " + net::to_string(connection.address()) + " sent a " +
                      std::string(what) + ": it cannot be trusted any more",
                  net::DisconnectReason::Misbehaved, Failure::Unreadable);
  is_session_live = false;
}

void Client::State::send_packets() {
  if (const auto ping = session->next_ping(io.now_us())) {
    connection.send(net::Channel::Time, protocol::encode_ping(*ping));
  }
  if (const auto request = session->next_simulation_request(io.now_us())) send_control(*request);
  if (const auto offer = session->next_foresight_offer()) send_control(*offer);
  if (const auto request = session->next_lockstep_request())
    connection.send(net::Channel::Control, protocol::encode_lockstep(*request));
  if (const auto packet = session->next_input_packet()) {
    connection.send(net::Channel::State, protocol::encode_input(*packet));
  }
}

void Client::State::tell_interest() {
  const std::int64_t now_us = io.now_us();
  if (!interest || interest == told_interest) return;
  if (told_interest && now_us - interest_told_us < interest_interval_us) return;
  send_control(*interest);
  told_interest = interest;
  interest_told_us = now_us;
}

void Client::State::tell_inspection() {
  if (inspection == told_inspection) return;
  send_control(inspection);
  told_inspection = inspection;
}

void Client::State::note_status() {
  const Connection::Phase phase = connection.phase();
  const bool is_over = phase == Connection::Phase::Closing || phase == Connection::Phase::Over;
  if (is_over && !connection.has_failed()) {
    status.words = "closed";  // the state stays what it was when it was closed
    return;
  }
  status.words = connection.words();
  status.player = session ? session->player() : state::PlayerId{};
  status.failure = connection.failure();
  status.is_regaining = connection.lost_us().has_value();
  if (connection.has_failed()) {
    status.state = ClientState::Failed;
  } else if (!is_session_live) {
    status.state = ClientState::Connecting;
  } else if (session->is_playing()) {
    status.state = ClientState::Playing;
  } else {
    status.state = ClientState::Joining;
    status.words = "loading the world";
  }
}

void Client::State::note_metrics(std::int64_t now_us) {
  const net::TransportCounters counters = transport.counters();
  metrics.bytes_down = counters.bytes_received;
  metrics.bytes_up = counters.bytes_sent;
  if (is_session_live) {
    session->report(metrics);
    metrics.snapshots_complete += earlier.complete;
    metrics.snapshots_incomplete += earlier.incomplete;
    metrics.parts_refused += earlier.refused;
    if (session->is_playing()) traffic.note_age(session->snapshot_age_ms());
  }
  if (now_us - ledger_us >= ledger_interval_us) {
    metrics.wire_down = net::lines_of(counters.received - ledger_down);
    metrics.wire_up = net::lines_of(counters.sent - ledger_up);
    ledger_down = counters.received;
    ledger_up = counters.sent;
    ledger_us = now_us;
  }
  traffic.advance(now_us, counters.bytes_received, counters.bytes_sent);
  metrics.bytes_per_second_down = traffic.bytes_per_second_down();
  metrics.bytes_per_second_up = traffic.bytes_per_second_up();
  metrics.snapshot_age_ms = traffic.mean_age_ms();
}

Client::Client(net::Io& io, net::Transport& transport, const Options& options)
    : state_(std::make_unique<State>(io, transport, options)) {}
Client::~Client() = default;

void Client::update() {
  state_->update();
}

void Client::set_input(const state::PlayerInput& input) {
  if (state_->session) state_->session->inputs().set_input(input);
  // What is done once is done to the world that is there; a later one gets only what is held.
  state_->input = input;
  state_->input.actions.clear();
}

void Client::request(const state::ControlCommand& command) {
  state_->send_control(protocol::ControlRequest{command});
}

void Client::set_interest(const protocol::SetInterest& interest) {
  state_->interest = interest;
}

void Client::ask_for_scenes() {
  state_->send_control(protocol::SceneListRequest{});
}

const std::vector<protocol::SceneInfo>& Client::scenes() const {
  return state_->scenes;
}

void Client::load_scene(const std::string& name) {
  state_->send_control(protocol::SceneRequest{name});
}

std::optional<std::string> Client::take_notice() {
  return std::exchange(state_->notice, std::nullopt);
}

void Client::try_again() {
  state_->connection.try_again(state_->io.now_us());
}

double Client::seconds_lost() const {
  const auto since_us = state_->connection.lost_us();
  return since_us ? static_cast<double>(state_->io.now_us() - *since_us) * 1e-6 : 0;
}

void Client::close() {
  state_->connection.close(state_->io.now_us());
  state_->is_session_live = false;
}

bool Client::is_closed() const {
  return state_->connection.phase() == Connection::Phase::Over;
}

std::optional<net::PeerIdentity> Client::server() const {
  return state_->connection.server();
}

const Status& Client::status() const {
  return state_->status;
}

const Metrics& Client::metrics() const {
  return state_->metrics;
}

const state::WorldDef& Client::world() const {
  static const state::WorldDef none;
  return state_->session && state_->session->is_playing() ? state_->session->world().world() : none;
}

const std::vector<ShownBody>& Client::shown_bodies() const {
  static const std::vector<ShownBody> none;
  return state_->session ? state_->session->shown_bodies() : none;
}

const std::vector<ShownParticle>& Client::shown_particles() const {
  static const std::vector<ShownParticle> none;
  return state_->session ? state_->session->particles().particles() : none;
}

const std::vector<state::Cord>& Client::cords() const {
  static const std::vector<state::Cord> none;
  return state_->session ? state_->session->cords() : none;
}

const state::Readouts& Client::readouts() const {
  static const state::Readouts none;
  return state_->session ? state_->session->readouts() : none;
}

std::optional<state::Snapshot> Client::newest_states() const {
  if (!state_->session) return {};
  return state_->session->snapshots().newest_states();
}

void Client::inspect(const protocol::InspectRequest& request) {
  state_->inspection = request;
}

const state::Overlay* Client::overlay() const {
  const bool is_wanted = state_->session && state_->inspection.layers != 0;
  return is_wanted ? state_->session->overlay() : nullptr;
}

std::optional<state::ServerStatistics> Client::statistics() const {
  const bool is_wanted = state_->session && state_->inspection.wants_statistics;
  return is_wanted ? state_->session->statistics() : std::nullopt;
}

void Client::set_newest_wanted(bool is_wanted) {
  state_->is_newest_wanted = is_wanted;
  if (state_->session) state_->session->set_newest_wanted(is_wanted);
}

const std::vector<ShownBody>& Client::newest_bodies() const {
  static const std::vector<ShownBody> none;
  return state_->session ? state_->session->newest_bodies() : none;
}

double Client::shown_tick() const {
  return state_->session ? state_->session->shown_tick() : 0;
}

double Client::shown_seconds() const {
  return state_->session ? state_->session->shown_seconds() : 0;
}

void Client::set_predictor(Predictor* predictor) {
  state_->predictor = predictor;
}

void Client::set_lockstep(LockstepEngine* engine) {
  state_->engine = engine;
}

void Client::set_complete_hook(CompleteHook hook) {
  state_->complete_hook = std::move(hook);
}

}  // namespace jostle::client
