#include "tools/link/play_run.h"

#include "client/sim/world_predictor.h"
#include "protocol/snapshot_codec.h"
#include "shared/base/random.h"

#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace jostle::link {
namespace {

constexpr double play_join_seconds = 60, play_settle_seconds = 8;
/// Time between two hitches.
constexpr double hitch_pause_seconds = 12;
constexpr std::int64_t play_frame_us = 16'667;
constexpr int frames_per_input = 40;  // a player changes its movement after this many frames
constexpr double frozen_ticks = 2;    // bodies are extrapolated for two ticks

/// The time at which each player gave the input that the newest tick has applied.
using AppliedInputs = std::map<state::PlayerId, std::int64_t>;

/// Reads the time of each input from its custom data.
class InputAgeRule final : public sim::Rule {
 public:
  explicit InputAgeRule(AppliedInputs& applied) : applied_(applied) {}
  std::string_view name() const override { return "input ages"; }
  std::unique_ptr<sim::Rule> another() const override {
    return std::make_unique<InputAgeRule>(applied_);
  }
  void before_step(sim::RuleContext& stage) override {
    for (const sim::Player& player : stage.players.all()) {
      std::int64_t given_us = 0;
      if (player.input.custom.size() != sizeof given_us) continue;
      std::memcpy(&given_us, player.input.custom.data(), sizeof given_us);
      applied_[player.id] = given_us;
    }
  }

 private:
  AppliedInputs& applied_;
};

/// Records the figures of one client.
class PlayWatch {
 public:
  PlayWatch(match::Match& match, match::Seat& seat, const AppliedInputs& applied,
            std::uint64_t seed, PlayFigures& figures)
      : match_(match), seat_(seat), applied_(applied), random_(seed), figures_(figures) {
    seat.on_complete = [this](const protocol::QuantizedSnapshot& snapshot) {
      decoded_[snapshot.tick.number] = true;
    };
  }
  ~PlayWatch() { seat_.on_complete = nullptr; }
  PlayWatch(const PlayWatch&) = delete;
  PlayWatch& operator=(const PlayWatch&) = delete;

  void start() {
    begin_ = match_.simulation().tick();
    begin_us_ = match_.network().now_us();
    up_before_ = seat_.client->metrics().bytes_up;
    down_before_ = seat_.client->metrics().bytes_down;
  }
  void stop() {
    const std::uint32_t end = match_.simulation().tick().number;
    figures_.ticks += end - begin_.number;
    for (auto at = decoded_.upper_bound(begin_.number); at != decoded_.upper_bound(end); ++at)
      ++figures_.decoded;
    figures_.sent += sent_.size();
    figures_.up_bytes += static_cast<double>(seat_.client->metrics().bytes_up - up_before_);
    figures_.down_bytes += static_cast<double>(seat_.client->metrics().bytes_down - down_before_);
    figures_.seconds += static_cast<double>(match_.network().now_us() - begin_us_) * 1e-6;
  }
  /// Begins to measure how long the client needs to play on.
  void note_resumed() {
    resumed_us_ = match_.network().now_us();
    resumed_tick_ = match_.simulation().tick();
    is_picture_back_ = false;
    are_inputs_back_ = is_spectator();
  }
  void note_sent(state::Tick tick) {
    if (begin_.number > 0 && tick > begin_) sent_[tick.number] = true;
  }
  const match::Seat& seat() const { return seat_; }

  /// Gives the player's input, at the start of a frame.
  void give_input() {
    if (is_spectator()) return;
    if (frame_++ % frames_per_input == 0) {
      input_ = {};
      input_.move_x = random_.between(-0.7f, 0.7f);
      input_.move_z = random_.between(-0.7f, 0.7f);
    }
    const std::int64_t now_us = match_.network().now_us();
    input_.custom.resize(sizeof now_us);
    std::memcpy(input_.custom.data(), &now_us, sizeof now_us);
    seat_.client->set_input(input_);
  }

  /// Records what the client displays, at the end of a frame in which it ran.
  void look() {
    const client::Metrics& now = seat_.client->metrics();
    const double shown = seat_.client->shown_tick();
    const double delay_ms = (match_.true_tick() - shown) * 1e3 / tick_rate();
    if (begin_.number == 0 || seat_.client->status().state != client::ClientState::Playing) return;
    ++figures_.frames;
    figures_.frozen += shown > now.newest_tick.number + frozen_ticks ? 1 : 0;
    figures_.view_delay_ms.add(delay_ms);
    figures_.round_trip_ms.add(now.round_trip_ms);
    if (!is_picture_back_ && now.newest_tick > resumed_tick_ &&
        shown > static_cast<double>(resumed_tick_.number)) {
      is_picture_back_ = true;
      figures_.picture_back_ms.add(since_resumed_ms());
    }
    note_shown(now.prediction);
  }

  /// Records where the bodies are displayed while the predicting client displays `tick`.
  void look_for(double tick) {
    if (begin_.number == 0 || seat_.client->status().state != client::ClientState::Playing) return;
    Picture picture{.tick = tick, .bodies = {}};
    for (const client::ShownBody& body : seat_.client->shown_bodies())
      if (body.info->motion == state::MotionType::Dynamic &&
          (body.info->owner.is_null() || body.info->owner == seat_.client->status().player))
        picture.bodies.emplace_back(body.info->id, body.pose.position);
    pictures_.push_back(std::move(picture));
  }

  /// Compares the pictures whose tick the server has reached.
  void compare_pictures() {
    const sim::Simulation& server = match_.simulation();
    const state::BodyId own = server.player_body(seat_.client->status().player);
    // Half a tick is a small part of the delays.
    for (; !pictures_.empty() && pictures_.front().tick <= server.tick().number + 0.5;
         pictures_.pop_front()) {
      double sum = 0;
      int count = 0;
      for (const auto& [id, position] : pictures_.front().bodies) {
        const auto body = server.find_body(id);
        if (!body) continue;
        const double distance_mm =
            static_cast<double>(length(position - server.world().pose(*body).position)) * 1e3;
        if (id == own) {
          figures_.own_distance_mm.add(distance_mm);
        } else {
          sum += distance_mm;
          ++count;
        }
      }
      if (count > 0) figures_.others_distance_mm.add(sum / count);
    }
  }

  /// Records the applied inputs and the true position of the player's body, after a tick.
  void note_tick() {
    const auto tick = static_cast<double>(match_.simulation().tick().number);
    const auto here = own_position();
    while (!shown_.empty() && shown_.front().tick <= tick) {
      const Shown shown = shown_.front();
      shown_.pop_front();
      if (!here || !before_ || shown.tick < tick - 1) continue;
      const math::Position there =
          *before_ + (*here - *before_) * static_cast<float>(shown.tick - (tick - 1));
      figures_.own_error_mm.add(static_cast<double>(length(shown.position - there)) * 1e3);
    }
    before_ = here;
    const auto given = applied_.find(seat_.client->status().player);
    if (begin_.number == 0 || is_spectator() || given == applied_.end()) return;
    figures_.input_age_ms.add(static_cast<double>(match_.network().now_us() - given->second) *
                              1e-3);
    if (are_inputs_back_ || given->second < resumed_us_) return;
    are_inputs_back_ = true;
    figures_.inputs_back_ms.add(since_resumed_ms());
  }

 private:
  struct Shown {
    double tick = 0;
    math::Position position;
  };
  bool is_spectator() const { return seat_.client->status().player.is_null(); }
  double tick_rate() const { return match_.simulation().options().tick_rate_hz; }
  double since_resumed_ms() const {
    return static_cast<double>(match_.network().now_us() - resumed_us_) * 1e-3;
  }
  std::optional<math::Position> own_position() const {
    const state::BodyId own = match_.simulation().player_body(seat_.client->status().player);
    const auto body = match_.simulation().find_body(own);
    if (!body) return std::nullopt;
    return match_.simulation().world().pose(*body).position;
  }
  void note_shown(const client::PredictionMetrics& prediction) {
    if (!prediction.is_running) return;
    const state::BodyId own = match_.simulation().player_body(seat_.client->status().player);
    for (const client::ShownBody& body : seat_.client->shown_bodies())
      if (body.info->id == own) shown_.push_back({prediction.shown_tick, body.pose.position});
  }

  match::Match& match_;
  match::Seat& seat_;
  const AppliedInputs& applied_;
  base::Random random_;
  PlayFigures& figures_;
  state::PlayerInput input_;
  int frame_ = 0;
  std::map<std::uint32_t, bool> decoded_, sent_;
  state::Tick begin_, resumed_tick_;
  std::int64_t begin_us_ = 0, resumed_us_ = 0;
  std::uint64_t up_before_ = 0, down_before_ = 0;
  bool is_picture_back_ = true, are_inputs_back_ = true;
  std::deque<Shown> shown_;
  struct Picture {
    double tick = 0;
    std::vector<std::pair<state::BodyId, math::Position>> bodies;
  };
  std::deque<Picture> pictures_;
  std::optional<math::Position> before_;
};

/// A match with one client of each kind over one link.
class PlayMatch {
 public:
  PlayMatch(const PlayRun& run, const PlayLink& link, std::uint64_t seed,
            std::array<PlayFigures, play_clients.size()>& figures)
      : link_(link), match_(options_of(run, seed, applied_)) {
    for (std::size_t i = 0; i < play_clients.size(); ++i) {
      const bool is_spectator = play_clients[i] == "spectator";
      match::Seat& seat = match_.add_client(
          std::string(play_clients[i]),
          is_spectator ? protocol::Role::Spectator : protocol::Role::Player, link.pace);
      match_.network().set_conditions(seat.ip, match::server_ip, link.conditions);
      if (play_clients[i] == "predicting") {
        seat.predictor =
            std::make_unique<prediction::WorldPredictor>(match_.network().node(seat.ip));
        seat.client->set_predictor(seat.predictor.get());
      }
      watches_.push_back(
          std::make_unique<PlayWatch>(match_, seat, applied_, seed * 8 + i, figures[i]));
    }
    match_.set_tick_hook([this] {
      for (const auto& watch : watches_) {
        watch->note_tick();
        watch->compare_pictures();
      }
    });
    match_.server_transport().set_send_listener(
        [this](net::PeerId peer, net::Channel channel, std::span<const std::byte> bytes) {
          if (channel == net::Channel::State) note_sent(peer, bytes);
        });
  }

  /// Returns false if the clients could not join.
  bool run(double minutes) {
    if (!match_.run_until_playing(play_join_seconds)) return false;
    run_frames(play_settle_seconds);
    for (const auto& watch : watches_)
      watch->start();
    for (double left = minutes * 60; left > 0; left -= hitch_pause_seconds) {
      run_frames(std::min(left, hitch_pause_seconds));
      if (link_.hitches.seconds > 0 && left > hitch_pause_seconds) hitch();
    }
    for (const auto& watch : watches_)
      watch->stop();
    return true;
  }

 private:
  static match::MatchOptions options_of(const PlayRun& run, std::uint64_t seed,
                                        AppliedInputs& applied) {
    match::MatchOptions options;
    options.seed = seed;
    options.scene = run.scene;
    options.is_recorded = false;
    options.is_remembered = false;
    options.own_rule = [&applied] { return std::make_unique<InputAgeRule>(applied); };
    return options;
  }

  void run_frames(double seconds) {
    const std::int64_t end_us =
        match_.network().now_us() + static_cast<std::int64_t>(seconds * 1e6);
    while (match_.network().now_us() < end_us) {
      for (const auto& watch : watches_)
        watch->give_input();
      match_.run_to(match_.network().now_us() + play_frame_us);
      for (const auto& watch : watches_)
        watch->look();
      const client::PredictionMetrics& ahead = watches_.back()->seat().client->metrics().prediction;
      if (!ahead.is_running) continue;
      for (const auto& watch : watches_)
        watch->look_for(ahead.shown_tick);
    }
  }

  void hitch() {
    const Hitches& hitches = link_.hitches;
    if (hitches.stops_server) {
      hitches.are_suspends ? match_.suspend_server(hitches.seconds)
                           : match_.stop_server(hitches.seconds);
    }
    for (const auto& seat : match_.seats()) {
      if (!hitches.stops_clients) break;
      hitches.are_suspends ? match_.suspend_client(*seat, hitches.seconds)
                           : match_.stop_client(*seat, hitches.seconds);
    }
    // A stopped client neither draws nor takes inputs.
    if (hitches.stops_clients) {
      match_.run_seconds(hitches.seconds);
    } else {
      run_frames(hitches.seconds);
    }
    for (const auto& watch : watches_)
      watch->note_resumed();
  }

  void note_sent(net::PeerId peer, std::span<const std::byte> bytes) {
    if (protocol::kind_of_state_message(bytes) != protocol::StateMessage::Snapshot) return;
    const auto message = protocol::decode_snapshot_message(bytes);
    const auto& sessions = match_.server().sessions();
    const auto session = sessions.find(peer);
    if (!message || session == sessions.end()) return;
    for (const auto& watch : watches_)
      if (watch->seat().name == session->second.name) watch->note_sent(message->header.tick);
  }

  const PlayLink& link_;
  AppliedInputs applied_;
  match::Match match_;
  std::vector<std::unique_ptr<PlayWatch>> watches_;
};

}  // namespace

base::Result<std::vector<std::array<PlayFigures, play_clients.size()>>, std::string> run_play(
    const PlayRun& run) {
  std::vector<std::array<PlayFigures, play_clients.size()>> figures(run.links.size());
  const double pieces = static_cast<double>(run.links.size()) * run.seeds;
  double done = 0;
  for (std::size_t i = 0; i < run.links.size(); ++i) {
    for (int seed = 0; seed < run.seeds; ++seed) {
      PlayMatch match(run, run.links[i], run.first_seed + static_cast<std::uint64_t>(seed),
                      figures[i]);
      if (!match.run(run.minutes)) {
        return "not all clients have joined after " +
               std::to_string(static_cast<int>(play_join_seconds)) + " s over the link '" +
               run.links[i].name + "'";
      }
      if (run.progress) run.progress(++done / pieces);
    }
  }
  return figures;
}

}  // namespace jostle::link
