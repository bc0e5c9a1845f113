#include "client/client.h"

#include "client/detail/client_state.h"

#include <utility>

namespace jostle::client {

std::string_view describe(LinkTrouble trouble) {
  switch (trouble) {
    case LinkTrouble::None:
      break;
    case LinkTrouble::NoData:
      return "no data: server stalled or link down";
    case LinkTrouble::NoSnapshots:
      return "no snapshots from the server";
    case LinkTrouble::UplinkStarved:
      return "uplink starved: inputs do not reach the server";
  }
  return {};
}

Client::Client(net::Io& io, net::Transport& transport, const Options& options)
    : state_(std::make_unique<State>(io, transport, options)) {}
Client::~Client() = default;

void Client::update() {
  state_->update();
}

void Client::set_input(const state::PlayerInput& input) {
  if (state_->session) state_->session->inputs().set_input(input);
  // Actions refer to the current world. A later session therefore starts with the input without its
  // actions.
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

const protocol::SceneStatus& Client::scene_status() const {
  return state_->scene_status;
}

std::optional<std::string> Client::take_notice() {
  return std::exchange(state_->notice, std::nullopt);
}

void Client::try_again() {
  state_->connection.try_again(state_->io.now_us());
}

double Client::seconds_silent() const {
  return static_cast<double>(state_->connection.silence_us(state_->io.now_us())) * 1e-6;
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

std::uint64_t Client::reconnect_token() const {
  return state_->reconnect_token;
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

const std::vector<state::Rope>& Client::ropes() const {
  static const std::vector<state::Rope> none;
  return state_->session ? state_->session->ropes() : none;
}

const state::Labels& Client::values() const {
  static const state::Labels none;
  return state_->session ? state_->session->values() : none;
}

const state::Labels& Client::labels() const {
  static const state::Labels none;
  return state_->session ? state_->session->labels() : none;
}

std::optional<state::Snapshot> Client::newest_states() const {
  if (!state_->session) return {};
  return state_->session->snapshots().newest_states();
}

void Client::inspect(const protocol::InspectRequest& request) {
  state_->inspection = request;
}

const state::DebugDrawFrame* Client::debug_draw() const {
  const bool is_wanted = state_->session && state_->inspection.layers != 0;
  return is_wanted ? state_->session->debug_draw() : nullptr;
}

std::optional<state::ServerStatistics> Client::statistics() const {
  const bool is_wanted = state_->session && state_->inspection.wants_statistics;
  return is_wanted ? state_->session->statistics() : std::nullopt;
}

std::optional<state::BodyReport> Client::body_report() const {
  const auto report = state_->session ? state_->session->body_report() : std::nullopt;
  const bool is_wanted = report && report->body == state_->inspection.body;
  return is_wanted ? report : std::nullopt;
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
