#include "client/sim/world_predictor.h"

#include "protocol/decode_error.h"
#include "protocol/simulation_codec.h"
#include "shared/base/bytes.h"
#include "shared/scene/scene.h"
#include "shared/sim/default_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace jostle::prediction {
namespace {

/// Margin added to the radius within which the player may touch other bodies.
constexpr double spare_reach = 1.5;  // m
/// Number of affordable ticks below which prediction pauses.
constexpr double min_ticks = 2;
/// Maximum number of ticks ahead of the newest snapshot: 2 s of round trip, and some more.
constexpr double max_ticks = 192;
constexpr double pause_seconds = 2;
/// Limit of the radius in which bodies are corrected by snapshots. The radius shrinks while an
/// update exceeds the CPU budget, and grows while an update needs less than half of it. Above this
/// limit the radius becomes infinite.
constexpr double widest_reach = 100;  // m
constexpr double narrower = 0.8, wider = 1.01;
/// Growth of the number of affordable ticks per tick.
constexpr double ticks_regained = 0.2;
/// Weight of the last tick's cost in the running mean.
constexpr double cost_smoothing = 0.1;
constexpr std::int64_t second_us = 1'000'000;
constexpr std::size_t max_kept_commands = 512;
/// Number of recent rollbacks above which the follower's simulation counts as diverged, and the
/// full state is requested again.
constexpr double max_contradictions = 90;
/// Time constant with which the number of recent rollbacks decays.
constexpr double contradiction_memory_ticks = 240;
/// Minimum time between two of these requests.
constexpr double min_ticks_between_simulations = 1'200;

std::optional<sim::Simulation> new_simulation(const protocol::SimulationStart& start) {
  auto scene = scene::parse_scene(start.scene_text, start.scene_file);
  if (!scene || scene->spawns.empty()) return std::nullopt;
  return sim::Simulation(*std::move(scene), sim::SimulationOptions{start.tick_rate_hz, start.seed},
                         sim::default_rules());
}

}  // namespace

WorldPredictor::WorldPredictor(net::Io& io, const PredictorOptions& options)
    : io_(io), options_(options) {}

void WorldPredictor::begin(state::PlayerId player) {
  player_ = player;
  world_.reset();
  commands_.clear();
  inputs_.clear();
  contradictions_ = ticks_since_simulation_ = 0;
  prediction_baseline_.reset();
  last_predicted_.reset();
  is_offer_due_ = false;
  bodies_.clear();
  has_failed_ = false;
  most_ticks_ = max_ticks;
  wide_reach_ = std::numeric_limits<double>::infinity();
  paused_ticks_ = tick_us_ = 0;
  expected_ = {};
  figures_ = {};
  figures_.text = "waiting for the simulation state";
}

void WorldPredictor::fail(std::string words) {
  has_failed_ = true;
  world_.reset();
  bodies_.clear();
  figures_.is_running = false;
  figures_.text = std::move(words);
}

void WorldPredictor::handle_simulation(std::span<const std::byte> bytes) {
  const auto start = protocol::decode_simulation(bytes);
  if (!start) return fail("the server's simulation cannot be read");
  auto known = new_simulation(*start), ahead = new_simulation(*start);
  base::ByteReader reader(start->state);
  if (!known || !ahead || !known->restore(reader))
    return fail("the server's simulation does not fit this engine");
  ahead->copy_from(*known);
  prediction_baseline_.emplace(known->scene(), start->tick_rate_hz);
  last_predicted_.reset();
  is_offer_due_ = true;
  has_failed_ = false;
  world_.emplace(
      World{WorldFollower(*std::move(known), player_), PredictionRun(*std::move(ahead))});
  // Apply the stored commands of the ticks after the loaded state.
  for (const state::TickCommands& commands : commands_) {
    if (commands.tick > world_->follower.simulation().tick())
      world_->follower.handle_commands(commands);
  }
  contradictions_ = 0;
  ticks_since_simulation_ = 0;
}

/// Passes the commands to the follower. Stores the recent ones, because the next simulation state
/// to arrive may be from an earlier tick.
void WorldPredictor::handle_commands(state::TickCommands commands) {
  if (world_) world_->follower.handle_commands(commands);
  commands_.push_back(std::move(commands));
  if (commands_.size() > max_kept_commands) commands_.pop_front();
}

std::optional<protocol::PredictionBaselineOffer> WorldPredictor::take_offer() {
  if (!prediction_baseline_ || !std::exchange(is_offer_due_, false)) return std::nullopt;
  return protocol::PredictionBaselineOffer{prediction_baseline::fingerprint(),
                                           scene::hash(prediction_baseline_->scene())};
}

std::size_t WorldPredictor::steered_players(const state::WorldDef& world) {
  if (!prediction_baseline_) return 0;
  prediction_baseline_->set_world(world);
  return prediction_baseline_->steered().size();
}

std::span<const protocol::context::BaselinePrediction> WorldPredictor::predict_baseline(
    const state::WorldDef& world, const Predicted& predicted) {
  if (!prediction_baseline_) return {};
  if (last_predicted_ && last_predicted_->revision == world.revision &&
      last_predicted_->references == predicted.references &&
      last_predicted_->tick == predicted.tick &&
      std::equal(last_predicted_->inputs.begin(), last_predicted_->inputs.end(),
                 predicted.inputs.begin(), predicted.inputs.end()))
    return last_predicted_->bodies;
  prediction_baseline_->set_world(world);
  last_predicted_ = LastPredicted{world.revision,
                                  predicted.references,
                                  predicted.tick,
                                  {predicted.inputs.begin(), predicted.inputs.end()},
                                  prediction_baseline_->predict_baseline(
                                      predicted.references, predicted.tick, predicted.baseline,
                                      predicted.previous, predicted.inputs)};
  return last_predicted_->bodies;
}

bool WorldPredictor::wants_simulation() const {
  if (has_failed_) return false;
  return !world_ || world_->follower.has_diverged() ||
         (contradictions_ > max_contradictions &&
          ticks_since_simulation_ > min_ticks_between_simulations);
}

void WorldPredictor::advance(const Moment& moment) {
  const double elapsed = std::clamp(moment.client_tick - last_client_tick_, 0.0, 10.0);
  last_client_tick_ = moment.client_tick;
  bodies_.clear();
  figures_.is_running = false;
  inputs_.note(moment.inputs);
  if (!world_ || !moment.newest) return;
  if (paused_ticks_ > 0) {
    paused_ticks_ -= elapsed;
    return;
  }
  most_ticks_ = std::min(most_ticks_ + elapsed * ticks_regained, max_ticks);
  contradictions_ *= std::exp(-elapsed / contradiction_memory_ticks);
  ticks_since_simulation_ += elapsed;
  const std::int64_t began_us = io_.now_us();
  run(moment);
  note_figures(io_.now_us() - began_us);
}

void WorldPredictor::run(const Moment& moment) {
  const bool begins_anew = follow(moment);
  const sim::Simulation& known = world_->follower.simulation();
  const bool has_body = known.find_body(world_->follower.own_body()).has_value();
  const bool can_run =
      !known.is_paused() && !known.is_slowed() && !world_->follower.has_diverged() && has_body;
  if (!can_run) {
    figures_.text = known.is_paused()   ? "the world is paused"
                    : known.is_slowed() ? "the world is in slow motion"
                    : has_body          ? "bodies differ from the server's"
                                        : "the player has no body";
    return;
  }
  run_ahead(begins_anew, moment);
  if (paused_ticks_ > 0) return;
  figures_.is_running = true;
  figures_.text.clear();
  show(moment);
}

/// Selects the predicted bodies to show. A body that recently deviated from its prediction and is
/// out of the player's reach is interpolated instead: inputs of other players are unknown.
void WorldPredictor::show(const Moment& moment) {
  figures_.shown_tick = shown_tick(target_of(moment), moment);
  const double reach = own_reach();
  const sim::Simulation& ahead = world_->ahead.simulation();
  const auto own = ahead.find_body(world_->follower.own_body());
  for (const client::PredictedBody& body : world_->ahead.bodies_at(figures_.shown_tick)) {
    const bool is_at_hand =
        own && static_cast<double>(
                   length(body.pose.position - ahead.world().pose(*own).position)) <= reach;
    if (is_at_hand || !world_->follower.is_doubtful(body.id)) bodies_.push_back(body);
  }
}

/// Follows the newest snapshot. Returns true if the predicted ticks have become invalid.
bool WorldPredictor::follow(const Moment& moment) {
  const auto newest_tick = moment.snapshots->newest_complete();
  const WorldFollower& follower = world_->follower;
  if (!newest_tick || *newest_tick <= follower.simulation().tick()) return false;
  const client::BufferedSnapshot& newest = *moment.snapshots->at(*newest_tick);
  const std::int64_t began_us = io_.now_us();
  const std::int64_t ticks = *newest_tick - follower.simulation().tick();
  note_error(newest);
  const bool is_other = world_->follower.follow(*moment.snapshots, newest, inputs_,
                                                std::max(own_reach(), wide_reach_));
  note_cost(io_.now_us() - began_us, static_cast<int>(std::min<std::int64_t>(ticks, 32)));
  return is_other;
}

/// Returns the radius within which the player may touch other bodies during the predicted time, m.
double WorldPredictor::own_reach() const {
  const WorldFollower& follower = world_->follower;
  const double ahead_seconds = figures_.ticks_ahead / follower.simulation().options().tick_rate_hz;
  return follower.own_reach() + spare_reach + follower.own_speed() * ahead_seconds;
}

void WorldPredictor::run_ahead(bool begins_anew, const Moment& moment) {
  const sim::Simulation& known = world_->follower.simulation();
  PredictionRun& ahead = world_->ahead;
  const state::Tick target = target_of(moment);
  begins_anew |= ahead.tick() < known.tick() || ahead.tick() > *moment.newest;
  const double shown = shown_tick(target, moment);
  const std::int64_t began_us = io_.now_us();
  if (begins_anew) {
    ahead.keep_shown(shown);
    ahead.begin(known);
    ++figures_.rollbacks;
    ++contradictions_;
  }
  int steps = 0;
  for (; ahead.tick() < target; ++steps) {
    if (steps > 0 && io_.now_us() - began_us > options_.max_update_us) {
      most_ticks_ = std::max(min_ticks, static_cast<double>(ahead.tick() - known.tick()));
      break;
    }
    std::vector<state::Command> commands = world_->follower.others();
    if (auto own = inputs_.at(ahead.tick() + 1))
      commands.emplace_back(state::InputCommand{player_, *std::move(own)});
    ahead.step(std::move(commands));
    const auto own = ahead.simulation().find_body(world_->follower.own_body());
    if (own) {
      const state::Tick tick = ahead.tick();
      expected_[tick.number % expected_.size()] = {tick,
                                                   ahead.simulation().world().pose(*own).position};
    }
  }
  if (steps > 0) note_cost(io_.now_us() - began_us, steps);
  if (begins_anew) ahead.fade_from_kept(shown, world_->follower.teleported());
}

/// Returns the tick to predict: that of the newest input, limited by the CPU budget and by the
/// ticks that may be predicted beyond the newest snapshot.
state::Tick WorldPredictor::target_of(const Moment& moment) const {
  const state::Tick known = world_->follower.simulation().tick();
  const std::int64_t wanted = *moment.newest - known;
  const auto most =
      static_cast<std::int64_t>(std::min(most_ticks_, std::ceil(moment.most_ticks_ahead)));
  return known + static_cast<std::uint32_t>(std::clamp<std::int64_t>(wanted, 0, most));
}

/// Returns the tick to show, from the tick before `target` to `target`. Its fraction is the part of
/// a client tick that has passed since the tick of the newest input. Without newer snapshots, the
/// shown tick stops at the most ticks ahead.
double WorldPredictor::shown_tick(state::Tick target, const Moment& moment) const {
  const auto known = static_cast<double>(world_->follower.simulation().tick().number);
  const auto newest = static_cast<double>(moment.newest->number);
  const double last = known + moment.most_ticks_ahead, end = static_cast<double>(target.number);
  if (newest > end && end >= last) return last;
  return std::min(end - 1 + std::clamp(moment.client_tick - newest, 0.0, 1.0), last);
}

void WorldPredictor::note_error(const client::BufferedSnapshot& newest) {
  const protocol::QuantizedBody* own = newest.find(world_->follower.own_body());
  const Expected& expected = expected_[newest.tick.number % expected_.size()];
  if (own == nullptr || expected.tick != newest.tick) return;
  const double error =
      static_cast<double>(length(protocol::dequantize(*own).position - expected.position));
  second_error_m_ = std::max(second_error_m_, error);
}

void WorldPredictor::note_cost(std::int64_t us, int ticks) {
  const double cost = static_cast<double>(us) / std::max(ticks, 1);
  tick_us_ += (tick_us_ == 0 ? 1 : cost_smoothing) * (cost - tick_us_);
  if (tick_us_ <= 0) return;
  const double affordable = static_cast<double>(options_.max_update_us) / tick_us_;
  if (affordable < figures_.ticks_ahead + 1) {
    wide_reach_ = std::max(std::min(wide_reach_, widest_reach) * narrower, own_reach());
  } else if (affordable > 2 * figures_.ticks_ahead) {
    wide_reach_ *= wider;
    if (wide_reach_ > widest_reach) wide_reach_ = std::numeric_limits<double>::infinity();
  }
  most_ticks_ = std::min(most_ticks_, affordable);
  if (affordable >= min_ticks) return;
  paused_ticks_ = pause_seconds * world_->follower.simulation().options().tick_rate_hz;
  most_ticks_ = min_ticks;
  tick_us_ = 0;
  bodies_.clear();
  figures_.text = "a tick takes too long on this CPU";
}

void WorldPredictor::note_figures(std::int64_t us) {
  second_cpu_us_ += static_cast<double>(us);
  figures_.bodies = bodies_.size();
  if (world_ && figures_.is_running)
    figures_.ticks_ahead =
        static_cast<double>(world_->ahead.tick() - world_->follower.simulation().tick());
  const std::int64_t now_us = io_.now_us();
  if (now_us - second_began_us_ < second_us) return;
  second_began_us_ = now_us;
  figures_.error_m = std::exchange(second_error_m_, 0.0);
  figures_.cpu_ms = std::exchange(second_cpu_us_, 0.0) * 1e-3;
}

}  // namespace jostle::prediction
