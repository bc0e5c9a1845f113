#include "client/sim/prediction_run.h"

#include <algorithm>
#include <utility>

namespace jostle::prediction {
namespace {

using client::PredictedBody;

/// Maximum extrapolation beyond the last tick.
constexpr double max_beyond_ticks = 1;

bool is_in(std::span<const state::BodyId> sorted, state::BodyId id) {
  return std::binary_search(sorted.begin(), sorted.end(), id);
}

math::Pose between_poses(const math::Pose& a, const math::Pose& b, double fraction) {
  math::Pose pose;
  pose.position = a.position + (b.position - a.position) * static_cast<float>(fraction);
  pose.rotation = client::interpolate_rotation(a.rotation, b.rotation, fraction);
  return pose;
}

}  // namespace

PredictionRun::PredictionRun(sim::Simulation simulation)
    : simulation_(std::move(simulation)),
      fade_ticks_(fade_seconds * simulation_.options().tick_rate_hz) {}

void PredictionRun::begin(const sim::Simulation& known) {
  simulation_.copy_from(known);
  before_ = now_ = simulation_.capture_awake();
  teleported_.clear();
  all_teleported_.clear();
}

void PredictionRun::step(std::vector<state::Command> commands) {
  simulation_.step({simulation_.tick() + 1, std::move(commands)});
  std::swap(before_, now_);
  now_ = simulation_.capture_awake();
  teleported_ = simulation_.teleported();
  all_teleported_.insert(all_teleported_.end(), teleported_.begin(), teleported_.end());
  std::erase_if(fades_, [&](const Fade& fade) { return is_in(teleported_, fade.id); });
}

void PredictionRun::keep_shown(double shown_tick) {
  kept_ = between(shown_tick);
  for (PredictedBody& body : kept_)
    body.pose = faded(body.id, body.pose, shown_tick);
}

void PredictionRun::fade_from_kept(double shown_tick, std::span<const state::BodyId> moved) {
  std::vector<state::BodyId> teleported = all_teleported_;
  teleported.insert(teleported.end(), moved.begin(), moved.end());
  std::sort(teleported.begin(), teleported.end());
  std::vector<Fade> fades;
  auto kept = kept_.begin();
  for (const PredictedBody& body : between(shown_tick)) {
    while (kept != kept_.end() && kept->id < body.id)
      ++kept;
    if (kept == kept_.end() || kept->id != body.id || is_in(teleported, body.id)) continue;
    const client::PoseCorrection correction = client::correction_between(body.pose, kept->pose);
    if (length(correction.offset) <= max_fade_distance)
      fades.push_back({body.id, correction, shown_tick});
  }
  fades_ = std::move(fades);
}

const std::vector<PredictedBody>& PredictionRun::bodies_at(double shown_tick) {
  std::erase_if(fades_, [&](const Fade& fade) { return shown_tick - fade.since >= fade_ticks_; });
  bodies_ = between(shown_tick);
  for (PredictedBody& body : bodies_)
    body.pose = faded(body.id, body.pose, shown_tick);
  return bodies_;
}

math::Pose PredictionRun::faded(const state::BodyId& id, const math::Pose& pose,
                                double shown_tick) const {
  const auto fade = std::lower_bound(fades_.begin(), fades_.end(), id,
                                     [](const Fade& a, state::BodyId b) { return a.id < b; });
  if (fade == fades_.end() || fade->id != id) return pose;
  const double weight = 1 - (shown_tick - fade->since) / fade_ticks_;
  if (weight <= 0) return pose;
  return client::corrected(pose, fade->correction, std::min(weight, 1.0));
}

std::vector<PredictedBody> PredictionRun::between(double shown_tick) const {
  const auto last = static_cast<double>(tick().number);
  const double fraction = std::clamp(shown_tick - (last - 1), 0.0, 1 + max_beyond_ticks);
  std::vector<PredictedBody> bodies;
  bodies.reserve(now_.size());
  auto before = before_.begin();
  for (const state::BodyState& body : now_) {
    // A body that is missing in `now_` fell asleep or was removed in the last tick. It keeps its
    // pose.
    for (; before != before_.end() && before->id < body.id; ++before)
      bodies.push_back({before->id, before->pose, false});
    const bool was_there = before != before_.end() && before->id == body.id;
    const math::Pose& from = was_there ? before->pose : body.pose;
    const math::Pose pose = !is_in(teleported_, body.id) ? between_poses(from, body.pose, fraction)
                            : fraction < 1               ? from
                                                         : body.pose;
    bodies.push_back({body.id, pose, true});
    if (was_there) ++before;
  }
  for (; before != before_.end(); ++before)
    bodies.push_back({before->id, before->pose, false});
  return bodies;
}

}  // namespace jostle::prediction
