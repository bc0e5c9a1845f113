#include "api/base/definition.h"
#include "api/physics/convert.h"
#include "api/physics/limits.h"
#include "api/physics/options.h"
#include "api/physics/tables.h"
#include "shared/physics/execution.h"
#include "shared/simd/instruction_set.h"

#include <jostle/physics/world.h>

#include <algorithm>
#include <string_view>

namespace jostle::api {

static_assert(JOSTLE_MAX_THREADS == physics::max_threads);
static_assert(JOSTLE_STAGE_COUNT == physics::stage_count);
static_assert(JOSTLE_STAGE_FINISH_EVENTS == static_cast<int>(physics::Stage::FinishEvents));
static_assert(JOSTLE_STAGE_CARRY_LOADS == static_cast<int>(physics::Stage::CarryLoads));
static_assert(JOSTLE_SIMD_NEON == static_cast<int>(simd::InstructionSet::Neon));

namespace {

constexpr std::int32_t max_substeps = 64;
constexpr std::int32_t simd_count = 4;
constexpr std::uint32_t max_steps_per_call = 1'000'000;

bool is_simd_supported(jostle_simd simd) {
  return simd >= 0 && simd < simd_count &&
         simd::is_supported(static_cast<simd::InstructionSet>(simd));
}

}  // namespace

jostle_world_def to_c(const physics::WorldOptions& options) {
  jostle_world_def def{};
  def.size = sizeof def;
  def.gravity = to_c(options.gravity);
  def.step_seconds = options.step_seconds;
  def.substeps = options.substeps;
  def.is_sleeping_enabled = to_c(options.is_sleeping_enabled);
  def.sleep_linear_speed = options.sleep_linear_speed;
  def.sleep_angular_speed = options.sleep_angular_speed;
  def.sleep_seconds = options.sleep_seconds;
  def.restitution_threshold = options.restitution_threshold;
  def.contact_hertz = options.contact_hertz;
  def.contact_damping_ratio = options.contact_damping_ratio;
  def.max_contact_push_speed = options.max_contact_push_speed;
  def.joint_hertz = options.joint_hertz;
  def.joint_damping_ratio = options.joint_damping_ratio;
  def.max_linear_speed = options.max_linear_speed;
  def.max_angular_speed = options.max_angular_speed;
  return def;
}

physics::WorldOptions checked_options(const jostle_world_def& def) {
  require_range(def.gravity, -max_gravity, max_gravity, "def->gravity", "m/s²");
  require_range(def.step_seconds, min_step_seconds, 1, "def->step_seconds", "s");
  require_integer(def.substeps, 1, max_substeps, "def->substeps");
  require_range(def.sleep_linear_speed, 0, max_speed, "def->sleep_linear_speed", "m/s");
  require_range(def.sleep_angular_speed, 0, max_speed, "def->sleep_angular_speed", "rad/s");
  require_range(def.sleep_seconds, 0, max_seconds, "def->sleep_seconds", "s");
  require_range(def.restitution_threshold, 0, max_speed, "def->restitution_threshold", "m/s");
  require_range(def.contact_hertz, 0, max_rate, "def->contact_hertz", "Hz");
  require_range(def.contact_damping_ratio, 0, max_rate, "def->contact_damping_ratio", "");
  require_positive(def.max_contact_push_speed, "def->max_contact_push_speed", "m/s");
  require_range(def.max_contact_push_speed, 0, max_speed, "def->max_contact_push_speed", "m/s");
  require_range(def.joint_hertz, 0, max_rate, "def->joint_hertz", "Hz");
  require_range(def.joint_damping_ratio, 0, max_rate, "def->joint_damping_ratio", "");
  require_positive(def.max_linear_speed, "def->max_linear_speed", "m/s");
  require_range(def.max_linear_speed, 0, max_speed, "def->max_linear_speed", "m/s");
  require_integer(def.reserved, 0, 0, "def->reserved");
  require_positive(def.max_angular_speed, "def->max_angular_speed", "rad/s");
  require_range(def.max_angular_speed, 0, max_speed, "def->max_angular_speed", "rad/s");
  physics::WorldOptions options;
  options.gravity = to_engine(def.gravity);
  options.step_seconds = def.step_seconds;
  options.substeps = def.substeps;
  options.is_sleeping_enabled = require_bool(def.is_sleeping_enabled, "def->is_sleeping_enabled");
  options.sleep_linear_speed = def.sleep_linear_speed;
  options.sleep_angular_speed = def.sleep_angular_speed;
  options.sleep_seconds = def.sleep_seconds;
  options.restitution_threshold = def.restitution_threshold;
  options.contact_hertz = def.contact_hertz;
  options.contact_damping_ratio = def.contact_damping_ratio;
  options.max_contact_push_speed = def.max_contact_push_speed;
  options.joint_hertz = def.joint_hertz;
  options.joint_damping_ratio = def.joint_damping_ratio;
  options.max_linear_speed = def.max_linear_speed;
  options.max_angular_speed = def.max_angular_speed;
  if (!are_valid(options)) refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT, "def has invalid values");
  return options;
}

physics::Execution checked_execution(const jostle_execution& wanted) {
  require_integer(wanted.threads, 1, JOSTLE_MAX_THREADS, "execution->threads");
  require_enumerator(wanted.simd, simd_count, "execution->simd");
  if (!is_simd_supported(wanted.simd)) {
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT,
           "execution->simd is %d, which this processor or this library does not support; see "
           "jostle_simd_is_supported",
           wanted.simd);
  }
  return {wanted.threads, static_cast<simd::InstructionSet>(wanted.simd)};
}

template <>
jostle_world_def default_of() {
  return to_c(physics::WorldOptions{});
}
template <>
jostle_execution default_of() {
  const physics::Execution execution;
  return {sizeof(jostle_execution), execution.threads, static_cast<jostle_simd>(execution.simd)};
}

}  // namespace jostle::api

using namespace jostle;
using namespace jostle::api;

jostle_result jostle_world_def_init(jostle_world_def* def, size_t size) {
  return write_default(__func__, def, size);
}

jostle_result jostle_world_create(const jostle_world_def* def, jostle_world* world) {
  return guard(__func__, [&] {
    const physics::WorldOptions options = checked_options(read_struct(def, "def"));
    require_pointer(world, "world");
    *world = worlds().create(std::make_unique<physics::World>(options));
  });
}
jostle_result jostle_world_destroy(jostle_world world) {
  return guard(__func__, [&] { worlds().destroy(world); });
}
jostle_bool jostle_world_is_alive(jostle_world world) {
  return to_c(worlds().is_alive(world));
}
jostle_result jostle_world_get_def(jostle_world world, jostle_world_def* def) {
  return read_world(__func__, world, [&](const physics::World& found) {
    require_output(def, "def");
    write_struct(def, to_c(found.options()));
  });
}
jostle_result jostle_world_set_gravity(jostle_world world, jostle_vec3 gravity) {
  return change_world(__func__, world, [&](physics::World& found) {
    require_range(gravity, -max_gravity, max_gravity, "gravity", "m/s²");
    found.set_gravity(to_engine(gravity));
  });
}

jostle_result jostle_world_step(jostle_world world) {
  return change_own_world(__func__, world, [](physics::World& found) { found.step(); });
}
jostle_result jostle_world_steps(jostle_world world, uint32_t count) {
  return change_own_world(__func__, world, [&](physics::World& found) {
    require_integer(count, 0, max_steps_per_call, "count");
    for (std::uint32_t i = 0; i < count; ++i)
      found.step();
  });
}

jostle_bool jostle_simd_is_supported(jostle_simd simd) {
  return to_c(is_simd_supported(simd));
}
jostle_result jostle_execution_init(jostle_execution* execution, size_t size) {
  return write_default(__func__, execution, size);
}
jostle_result jostle_world_set_execution(jostle_world world, const jostle_execution* execution) {
  return change_own_world(__func__, world, [&](physics::World& found) {
    found.set_execution(checked_execution(read_struct(execution, "execution")));
  });
}
jostle_result jostle_world_get_execution(jostle_world world, jostle_execution* execution) {
  return read_world(__func__, world, [&](const physics::World& found) {
    require_output(execution, "execution");
    const physics::Execution& now = found.execution();
    write_struct(execution, {0, now.threads, static_cast<jostle_simd>(now.simd)});
  });
}

const char* jostle_stage_name(jostle_stage stage) {
  if (stage < 0 || stage >= JOSTLE_STAGE_COUNT) return "unknown";
  // name_of() returns string literals, which end with a zero.
  return physics::name_of(static_cast<physics::Stage>(stage)).data();
}

jostle_result jostle_world_get_statistics(jostle_world world, jostle_statistics* statistics) {
  return read_world(__func__, world, [&](const physics::World& found) {
    require_output(statistics, "statistics");
    const physics::StepStats& stats = found.stats();
    jostle_statistics values{};
    values.bodies = stats.bodies;
    values.awake_bodies = stats.awake_bodies;
    values.candidate_pairs = stats.candidate_pairs;
    values.touching_pairs = stats.touching_pairs;
    values.contact_points = stats.contact_points;
    values.quarantined_bodies = stats.quarantined_bodies;
    values.contact_updates = stats.work.contact_updates;
    values.impact_searches = stats.work.impact_searches;
    values.triangles = stats.work.triangles;
    std::copy(stats.stage_seconds.begin(), stats.stage_seconds.end(), values.stage_seconds);
    write_struct(statistics, values);
  });
}
jostle_result jostle_world_set_clock(jostle_world world, jostle_clock clock) {
  return change_own_world(__func__, world,
                          [&](physics::World& found) { found.set_stage_clock(clock); });
}

jostle_result jostle_world_get_counts(jostle_world world, jostle_counts* counts) {
  return read_world(__func__, world, [&](const physics::World& found) {
    require_output(counts, "counts");
    jostle_counts values{};
    values.bodies = found.body_count();
    for (const physics::BodyHandle body : found.bodies())
      values.shapes += static_cast<std::uint32_t>(found.shapes(body).size());
    values.joints = found.joint_count();
    values.fields = found.force_field_count();
    for (const physics::ParticleSetHandle set : found.particle_sets()) {
      ++values.particle_sets;
      values.particles += found.particles(set).size();
    }
    write_struct(counts, values);
  });
}
