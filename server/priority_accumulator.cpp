#include "server/priority_accumulator.h"

#include "server/baseline_tracker.h"
#include "shared/base/assert.h"
#include "shared/math/trig.h"
#include "shared/math/vec3.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace jostle::server {
namespace {

using protocol::QuantizedBody;

/// Priority that a body gains per tick of waiting, m, so that bodies with small errors are sent
/// eventually.
constexpr float wait_per_tick = 0.001f;
/// Minimum error assumed for a body whose last state was lost, m.
constexpr float lost_error = 0.05f;
/// Minimum error assumed for a body that has stopped but that the client still extrapolates, m.
constexpr float rest_error = 0.02f;
/// Distance below which the weight does not grow any further, m.
constexpr float near_distance = 4;
/// Weight of bodies outside of the view cone, relative to those inside.
constexpr float unseen_weight = 0.1f;
/// Number of ticks over which a client's linear interpolation between two states is accurate.
constexpr float straight_ticks = 6;
/// Fraction of the rotation that counts as error within straight_ticks. It is small, because most
/// bodies rotate uniformly.
constexpr float straight_swing_share = 0.15f;
/// Weight of bodies that the viewer owns or names in its interest.
constexpr float chosen_weight = 1'000;
/// Age of the acknowledged state of a changed body, in ticks, above which the body is urgent: the
/// state will soon be too old as a baseline, and a body without a baseline takes two to three times
/// the bytes. If not all changed bodies fit, up to half of the places are reserved for urgent ones.
constexpr std::int64_t old_ticks = 140;
/// Age in ticks from which a body is no longer urgent, because its new state would be acknowledged
/// too late.
constexpr std::int64_t too_old_ticks = max_baseline_age_ticks - 8;
/// Number of unchanged bodies that together take no more bytes than a changed one.
constexpr std::size_t unchanged_per_changed = 8;

constexpr double metres_per_step = 1.0 / protocol::position_steps_per_metre;

/// Returns the vector from `b` to `a`, m.
math::Vec3 displacement(const QuantizedBody& a, const QuantizedBody& b) {
  const auto on = [&](std::size_t axis) {
    return static_cast<float>((static_cast<double>(a.position[axis]) - b.position[axis]) *
                              metres_per_step);
  };
  return {on(0), on(1), on(2)};
}

/// Estimates how far rotation moves a point of a body at distance `reach` from its centre, m.
float swing(const QuantizedBody& a, const QuantizedBody& b, float reach) {
  // 255·√2 ≈ 360 steps per unit of a component; a small angle in rad is twice the component's
  // change
  constexpr float angle_per_step = 2.0f / 360;
  int turned = 0;
  for (std::size_t i = 0; i < 3; ++i)
    turned = std::max(turned, std::abs(int{a.smallest[i]} - int{b.smallest[i]}));
  // If the index of the largest component differs, the components cannot be compared. Assume a
  // change of at least 45 steps (0.25 rad).
  if (a.largest != b.largest) turned = std::max(turned, 45);
  return reach * angle_per_step * static_cast<float>(turned);
}

/// Weights of bodies for a viewer.
class Importance {
 public:
  Importance(const PriorityAccumulator::World& world, const PriorityAccumulator::Viewer& viewer)
      : world_(world), viewer_(viewer) {
    if (viewer.interest != nullptr) seen_cosine_ = math::sin_cos(viewer.interest->half_angle).cos;
  }

  /// Returns the weight of a body; 0 if the body is outside the radius of interest and therefore
  /// not sent.
  float of(std::size_t index) const {
    if (!viewer_.player.is_null() && world_.owners[index] == viewer_.player) return chosen_weight;
    if (viewer_.interest == nullptr) return 1;
    const protocol::SetInterest& interest = *viewer_.interest;
    if (std::binary_search(interest.bodies.begin(), interest.bodies.end(), world_.now->ids[index]))
      return chosen_weight;
    const math::Vec3 offset = offset_from_eye(world_.now->bodies[index]);
    const float distance = math::length(offset);
    const float reach =
        static_cast<float>(world_.facts[index].reach) / protocol::position_steps_per_metre;
    if (interest.radius > 0 && distance > interest.radius + reach) return 0;
    const float weight = near_distance / std::max(distance, near_distance);
    const bool looks = interest.forward != math::Vec3{} && distance > near_distance;
    const bool is_seen =
        !looks || math::dot(offset, interest.forward) >= seen_cosine_ * distance - 2 * reach;
    return is_seen ? weight : unseen_weight * weight;
  }

 private:
  math::Vec3 offset_from_eye(const QuantizedBody& body) const {
    const math::Position at{body.position[0] * metres_per_step, body.position[1] * metres_per_step,
                            body.position[2] * metres_per_step};
    return at - viewer_.interest->eye;
  }

  const PriorityAccumulator::World& world_;
  const PriorityAccumulator::Viewer& viewer_;
  float seen_cosine_ = 1;
};

}  // namespace

void PriorityAccumulator::begin(const protocol::QuantizedSnapshot& sent) {
  has_begun_ = true;
  revision_ = sent.world_revision;
  ids_ = sent.ids;
  sent_.clear();
  for (const QuantizedBody& body : sent.bodies)
    sent_.push_back({body, sent.tick, {}, false});
}

void PriorityAccumulator::follow_bodies(const protocol::QuantizedSnapshot& now) {
  if (now.world_revision == revision_) return;
  std::vector<LastSent> sent(now.ids.size());
  std::size_t old_index = 0;
  for (std::size_t i = 0; i < now.ids.size(); ++i) {
    while (old_index < ids_.size() && ids_[old_index] < now.ids[i])
      ++old_index;
    // A new body was sent with its spawn pose, which is its current state.
    sent[i] = old_index < ids_.size() && ids_[old_index] == now.ids[i]
                  ? sent_[old_index]
                  : LastSent{now.bodies[i], now.tick, {}, false};
  }
  revision_ = now.world_revision;
  ids_ = now.ids;
  sent_ = std::move(sent);
}

/// Returns the error at the client if the body is not sent now, m. Clients interpolate linearly
/// between two states of a body. For a short wait, the error is therefore the deviation from
/// uniform motion, plus a fraction of the rotation. After straight_ticks the client has no state to
/// interpolate towards, so the displacement itself counts increasingly, and all of the rotation.
float PriorityAccumulator::error_of(const LastSent& sent, const QuantizedBody& now,
                                    state::Tick tick, float reach) {
  const auto wait = static_cast<float>(tick - sent.tick);
  const math::Vec3 moved = displacement(now, sent.state);
  const float turned = swing(now, sent.state, reach);
  const float bent = math::length(moved - sent.step * wait);
  if (wait <= straight_ticks) return bent + straight_swing_share * turned;
  const float late = (wait - straight_ticks) / wait;
  return std::max(bent, late * math::length(moved)) + turned;
}

void PriorityAccumulator::gather(const World& world, const Viewer& viewer) {
  changed_.clear();
  unchanged_.clear();
  ageing_.clear();
  const Importance importance(world, viewer);
  const protocol::QuantizedSnapshot& now = *world.now;
  for (std::size_t i = 0; i < sent_.size(); ++i) {
    const LastSent& sent = sent_[i];
    const state::Tick acknowledged = viewer.acknowledged[i].baseline;
    const std::int64_t age = now.tick - acknowledged;
    const bool is_changed = now.bodies[i] != sent.state;
    const bool is_lost =
        sent.tick > acknowledged && now.tick - sent.tick > std::int64_t{viewer.patience_ticks};
    const bool is_old = acknowledged.number > 0 && age > old_ticks && age < too_old_ticks;
    if (!is_changed && !is_lost && sent.is_at_rest && !is_old) continue;
    const float weight = importance.of(i);
    if (weight == 0) continue;

    const float reach =
        static_cast<float>(world.facts[i].reach) / protocol::position_steps_per_metre;
    float error = is_changed ? error_of(sent, now.bodies[i], now.tick, reach) : 0;
    if (is_lost) error = std::max(error, lost_error);
    if (!is_changed && !sent.is_at_rest) error = std::max(error, rest_error);
    error += wait_per_tick * static_cast<float>(now.tick - sent.tick);
    const auto index = static_cast<std::uint32_t>(i);
    const bool is_on_its_way = sent.tick > acknowledged && !is_lost;
    if (is_old && is_changed && !is_on_its_way) ageing_.push_back({static_cast<float>(age), index});
    // The next state of a body whose state was lost is encoded against an older baseline, so it
    // costs as much as that of a changed body.
    (is_changed || is_lost ? changed_ : unchanged_).push_back({weight * error, index});
  }
}

PriorityAccumulator::Choice PriorityAccumulator::pick(const World& world, const Viewer& viewer,
                                                      std::size_t most_changed) {
  JOSTLE_ASSERT(has_begun_);
  follow_bodies(*world.now);
  JOSTLE_ASSERT(viewer.acknowledged.size() == sent_.size() && world.facts.size() == sent_.size() &&
                world.owners.size() == sent_.size());
  gather(world, viewer);
  const auto keep_most_urgent = [](std::vector<Candidate>& candidates, std::size_t most) {
    if (candidates.size() <= most) return;
    // Ties are broken by index, so that the choice does not depend on the standard library.
    const auto is_before = [](const Candidate& a, const Candidate& b) {
      return a.urgency > b.urgency || (a.urgency == b.urgency && a.index < b.index);
    };
    std::nth_element(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(most),
                     candidates.end(), is_before);
    candidates.resize(most);
  };
  Choice choice;
  if (changed_.size() > most_changed) {
    choice.is_short = true;
    keep_most_urgent(ageing_, most_changed / 2);
    keep_most_urgent(changed_, most_changed - ageing_.size());
    // A body may be in both lists.
    changed_.insert(changed_.end(), ageing_.begin(), ageing_.end());
    const auto by_index = [](const Candidate& a, const Candidate& b) { return a.index < b.index; };
    const auto is_same = [](const Candidate& a, const Candidate& b) { return a.index == b.index; };
    std::sort(changed_.begin(), changed_.end(), by_index);
    changed_.erase(std::unique(changed_.begin(), changed_.end(), is_same), changed_.end());
  }
  choice.changed = changed_.size();
  const std::size_t left = most_changed - changed_.size();
  keep_most_urgent(unchanged_, unchanged_per_changed * left + most_changed / 4);
  for (const std::vector<Candidate>* list : {&changed_, &unchanged_}) {
    for (const Candidate& candidate : *list)
      choice.bodies.push_back(candidate.index);
  }
  std::sort(choice.bodies.begin(), choice.bodies.end());
  return choice;
}

void PriorityAccumulator::note_sent(const protocol::QuantizedSnapshot& now,
                                    const protocol::QuantizedSnapshot* before,
                                    std::span<const std::uint32_t> chosen) {
  const bool has_steps = before != nullptr && before->world_revision == now.world_revision;
  for (const std::uint32_t index : chosen) {
    LastSent& sent = sent_[index];
    sent.is_at_rest = now.bodies[index] == sent.state;
    sent.state = now.bodies[index];
    sent.tick = now.tick;
    sent.step = {};
    if (has_steps) {
      sent.step = displacement(now.bodies[index], before->bodies[index]) *
                  (1 / static_cast<float>(now.tick - before->tick));
    }
  }
}

}  // namespace jostle::server
