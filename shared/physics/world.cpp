#include "shared/physics/world.h"

#include "shared/base/fp_environment.h"
#include "shared/physics/body_state.h"
#include "shared/physics/broad_phase/broad_phase.h"
#include "shared/physics/contact_list.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/narrow_phase/fast_pairs.h"
#include "shared/physics/narrow_phase/update_contacts.h"
#include "shared/physics/sleep.h"
#include "shared/physics/solver/body_solver.h"
#include "shared/physics/solver/contact_solver.h"
#include "shared/physics/step_events.h"

#include <utility>

namespace jostle::physics {
namespace {

void solve(WorldState& world) {
  prepare_bodies(world);
  prepare_contacts(world);
  for (int i = 0; i < world.options.substeps; ++i) {
    integrate_velocities(world);
    if (i == 0) warm_start_contacts(world);
    solve_contacts(world, true);
    integrate_positions(world);
    solve_contacts(world, false);
    end_substep(world);
  }
  apply_restitution(world);
  store_impulses(world);
  finish_bodies(world);
}

}  // namespace

World::World(const WorldOptions& options) : state_(std::make_unique<WorldState>()) {
  JOSTLE_ASSERT(are_valid(options));
  state_->options = options;
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::step() {
  const base::FpEnvironment environment;
  WorldState& world = *state_;
  begin_events(world);
  sort_awake_bodies(world);
  check_inputs(world);
  refresh_awake_proxies(world);
  find_new_pairs(world);
  update_contacts(world);
  solve(world);
  stop_at_impacts(world);
  update_sleep(world);
  merge_listed_contacts(world);
  sort_awake_bodies(world);
  finish_events(world);
}

bool are_valid(const WorldOptions& o) {
  const auto is_positive = [](float x) { return std::isfinite(x) && x > 0.0f; };
  const auto is_not_negative = [](float x) { return std::isfinite(x) && x >= 0.0f; };
  return is_finite(o.gravity) && is_positive(o.step_seconds) && o.step_seconds <= 1.0f &&
         o.substeps >= 1 && o.substeps <= max_substeps && is_not_negative(o.sleep_linear_speed) &&
         is_not_negative(o.sleep_angular_speed) && is_not_negative(o.sleep_seconds) &&
         is_not_negative(o.restitution_threshold) && is_not_negative(o.contact_hertz) &&
         is_not_negative(o.contact_damping_ratio) && is_positive(o.max_contact_push_speed) &&
         is_positive(o.max_linear_speed) && is_positive(o.max_angular_speed);
}

const WorldOptions& World::options() const {
  return state_->options;
}
void World::set_gravity(math::Vec3 gravity) {
  JOSTLE_ASSERT(is_finite(gravity));
  state_->options.gravity = gravity;
}
const StepStats& World::stats() const {
  return state_->stats;
}
std::span<const ContactBegin> World::contact_begins() const {
  return state_->begins;
}
std::span<const ContactEnd> World::contact_ends() const {
  return state_->ends;
}
std::span<const ContactHit> World::contact_hits() const {
  return state_->hits;
}
std::span<const SleepChange> World::sleep_changes() const {
  return state_->sleep_changes;
}

}  // namespace jostle::physics
