#include "shared/physics/world.h"

#include "shared/base/fp_environment.h"
#include "shared/physics/broad_phase/broad_phase.h"
#include "shared/physics/contacts/contact_list.h"
#include "shared/physics/contacts/loads.h"
#include "shared/physics/contacts/update_contacts.h"
#include "shared/physics/continuous/stop_at_impacts.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/memory.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/effects/force_field_effects.h"
#include "shared/physics/effects/free_bodies.h"
#include "shared/physics/effects/particle_set.h"
#include "shared/physics/effects/sensors.h"
#include "shared/physics/islands/clusters.h"
#include "shared/physics/islands/sleep.h"
#include "shared/physics/solver/body_solver.h"
#include "shared/physics/stabilizers/articulations/joint_forest.h"
#include "shared/physics/world/body_state.h"
#include "shared/physics/world/joint_list.h"
#include "shared/physics/world/step_events.h"

#include <utility>

namespace jostle::physics {
namespace {

/// Runs `step` and records its time as a stage of the profile.
template <typename Step>
void staged(WorldState& world, Stage stage, const Step& step) {
  const StageTimer timer(world.runtime.log, stage);
  step(world);
}

void tell_end_of(WorldState& world, Stage stage) {
  if (world.runtime.stage_hook) world.runtime.stage_hook(stage);
}

/// Sum of the numbers of awake bodies, contacts and particles below which worker threads cost more
/// time than they save.
constexpr std::size_t min_parallel_size = 400;

void begin_parallel(WorldState& world) {
  if (world.awake_bodies.size() + world.awake_contacts.size() + count_particles(world) >=
      min_parallel_size) {
    world.runtime.workers->begin_step();
  }
}

/// Adds up the times of the stages. Time that threads spent on small islands counts divided by the
/// number of threads. The rest of SmallIslands is the time for which threads waited.
void sum_stage_times(WorldState& world) {
  StageTimes& times = world.stats.stage_seconds;
  times = {};
  for (const StageSpan& span : world.runtime.log.spans)
    times[static_cast<std::size_t>(span.stage)] += span.end - span.begin;
  const double share = 1.0 / world.runtime.workers->threads();
  for (const std::unique_ptr<ClusterArrays>& arrays : world.small_clusters) {
    for (const StageSpan& span : arrays->log.spans) {
      const double spent = (span.end - span.begin) * share;
      times[static_cast<std::size_t>(span.stage)] += spent;
      times[static_cast<std::size_t>(Stage::SmallIslands)] -= spent;
    }
  }
}

}  // namespace

World::World(const WorldOptions& options) : state_(std::make_unique<WorldState>()) {
  JOSTLE_ASSERT(are_valid(options));
  state_->options = options;
}
World::~World() = default;
void World::copy_from(const World& other) {
  static_cast<WorldContent&>(*state_) = *other.state_;
}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::step() {
  const base::FpEnvironment environment;
  WorldState& world = *state_;
  world.runtime.log.spans.clear();
  world.stats.work = {};
  begin_parallel(world);
  staged(world, Stage::Prepare, [](WorldState& w) {
    begin_events(w);
    sort_awake_bodies(w);
    find_changed_bodies(w);
    check_inputs(w);
    aim_kinematic_bodies(w);
    refresh_changed_proxies(w);
    wake_by_fields(w);
    wake_by_joints(w);
    find_joint_forest(w);
    note_free_starts(w);
    apply_fields(w);
  });
  tell_end_of(world, Stage::Prepare);
  staged(world, Stage::FindPairs, find_new_pairs);
  tell_end_of(world, Stage::FindPairs);
  staged(world, Stage::Collide, [](WorldState& w) {
    update_contacts(w);
    forget_moved_shapes(w);
    sort_awake_joints(w);
    apply_fields_to_woken(w);
  });
  tell_end_of(world, Stage::Collide);
  staged(world, Stage::ColourContacts, form_clusters);
  solve_clusters(world);
  tell_end_of(world, Stage::Solve);
  staged(world, Stage::Sleep, [](WorldState& w) {
    move_free_bodies(w);
    stop_at_impacts(w);
    update_sensors(w);
    break_joints(w);
    update_sleep(w);
  });
  tell_end_of(world, Stage::Sleep);
  staged(world, Stage::Particles, step_particles);
  tell_end_of(world, Stage::Particles);
  staged(world, Stage::FinishEvents, [](WorldState& w) {
    sort_awake_joints(w);
    sort_awake_bodies(w);
    finish_events(w);
    release_spare_memory(w);
  });
  tell_end_of(world, Stage::FinishEvents);
  world.runtime.workers->end_step();
  sum_stage_times(world);
}

void World::set_execution(const Execution& execution) {
  JOSTLE_ASSERT(execution.threads >= 1 && execution.threads <= max_threads);
  JOSTLE_ASSERT(execution.cluster_weight >= 1);
  Runtime& runtime = state_->runtime;
  if (execution.threads != runtime.execution.threads) {
    runtime.workers = std::make_unique<workers::WorkerPool>(execution.threads);
  }
  runtime.kernels = &kernels_for(execution.simd);
  runtime.execution = execution;
}
const Execution& World::execution() const {
  return state_->runtime.execution;
}
void World::set_stage_clock(StageClock clock) {
  state_->runtime.log.clock = clock;
}
void World::set_stage_hook(std::function<void(Stage)> hook) {
  state_->runtime.stage_hook = std::move(hook);
}
std::span<const StageSpan> World::stage_spans() const {
  return state_->runtime.log.spans;
}
void World::set_schedule_disturbance(void (*disturbance)(int thread, std::uint32_t block)) {
  state_->runtime.workers->set_disturbance(disturbance);
}

bool are_valid(const WorldOptions& o) {
  const auto is_positive = [](float x) { return std::isfinite(x) && x > 0.0f; };
  const auto is_not_negative = [](float x) { return std::isfinite(x) && x >= 0.0f; };
  return is_finite(o.gravity) && is_positive(o.step_seconds) && o.step_seconds <= 1.0f &&
         o.substeps >= 1 && o.substeps <= max_substeps && is_not_negative(o.sleep_linear_speed) &&
         is_not_negative(o.sleep_angular_speed) && is_not_negative(o.sleep_seconds) &&
         is_not_negative(o.restitution_threshold) && is_not_negative(o.contact_hertz) &&
         is_not_negative(o.contact_damping_ratio) && is_positive(o.max_contact_push_speed) &&
         is_not_negative(o.joint_hertz) && is_not_negative(o.joint_damping_ratio) &&
         is_positive(o.max_linear_speed) && is_positive(o.max_angular_speed) &&
         (o.stabilizers.bits & ~Stabilizers{}.bits) == 0;
}

const WorldOptions& World::options() const {
  return state_->options;
}
void World::set_gravity(math::Vec3 gravity) {
  JOSTLE_ASSERT(is_finite(gravity));
  const math::Vec3 before = state_->options.gravity;
  if (gravity == before) return;
  // The warm-start impulses scale with the component of the new gravity along the old one.
  scale_loads(*state_, dot(gravity, before) / math::max_of(length_squared(before), tiny));
  state_->options.gravity = gravity;
  for (std::uint32_t i = 0; i < state_->body_pool.slot_count(); ++i) {
    if (state_->body_pool.is_alive_index(i) && is_dynamic(state_->bodies[i]))
      wake_island(*state_, i);
  }
  state_->are_all_changed = true;
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
std::span<const SensorBegin> World::sensor_begins() const {
  return state_->sensor_begins;
}
std::span<const SensorEnd> World::sensor_ends() const {
  return state_->sensor_ends;
}
std::span<const SleepChange> World::sleep_changes() const {
  return state_->sleep_changes;
}

std::span<const JointBreak> World::joint_breaks() const {
  return state_->joint_breaks;
}

}  // namespace jostle::physics
