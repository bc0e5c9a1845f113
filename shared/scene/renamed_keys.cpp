#include "shared/scene/detail/renamed_keys.h"

#include <array>

namespace jostle::scene::detail {
namespace {

/// The names that version 0.2.0 renamed. scripts/rename_scene_keys.py has the same list.
constexpr std::array<RenamedKey, 51> renamed{{
    {"Scene", "builders", "assemblies"},
    {"Scene", "fields", "force_fields"},
    {"Scene", "pushes", "actuators"},
    {"Scene", "readouts", "labels"},
    {"World", "sleeping", "sleep_enabled"},
    {"World", "sleep_seconds", "time_before_sleep"},
    {"Body", "motion", "motion_type"},
    {"Body", "like", "template"},
    {"Body", "locks", "motion_locks"},
    {"Body", "sleep_allowed", "allow_sleep"},
    {"Body", "rotation_locked", "lock_rotation"},
    {"Body", "course", "kinematic_motion"},
    {"Body", "ignores_fields", "ignores_force_fields"},
    {"KinematicMotion", "spin", "angular_velocity"},
    {"Entry", "move_to", "teleport_to"},
    {"Shape", "decomposed_mesh", "convex_decomposition"},
    {"HeightField", "samples", "sample_counts"},
    {"Joint", "cone", "cone_angle"},
    {"Joint", "only_pulls", "tension_only"},
    {"Joint", "axle", "spin_axis"},
    {"Joint", "over_a", "ground_anchor_a"},
    {"Joint", "over_b", "ground_anchor_b"},
    {"Joint", "along_x", "linear_x"},
    {"Joint", "along_y", "linear_y"},
    {"Joint", "along_z", "linear_z"},
    {"Joint", "about_x", "angular_x"},
    {"Joint", "about_y", "angular_y"},
    {"Joint", "about_z", "angular_z"},
    {"Assembly", "by_balls", "ball_joints"},
    {"Generator", "tumble", "random_rotation"},
    {"Car", "track", "track_width"},
    {"Car", "max_steer", "max_steer_angle"},
    {"Push", "every", "interval"},
    {"Explosion", "every", "interval"},
    {"ForceField", "turns_along", "in_body_frame"},
    {"Emitter", "lifetime_share", "min_lifetime_fraction"},
    {"ParticleSet", "ignores_fields", "ignores_force_fields"},
    {"Player", "rotation_locked", "lock_rotation"},
    {"Player", "turn_factor", "reverse_force_factor"},
    {"Player", "skin", "skin_width"},
    {"Player", "max_slope", "max_slope_angle"},
    {"Player", "step_down", "floor_snap_length"},
    {"Player", "push_force", "max_push_force"},
    {"Player", "clicks_shoot", "shoot_on_click"},
    {"Player", "may_drag", "may_grab"},
    {"Player", "drag_hertz", "grab_hertz"},
    {"Player", "max_drag_force", "max_grab_force"},
    {"JointKind", "six_axis", "six_dof"},
    {"JointKind", "rack", "rack_and_pinion"},
    {"ForceKind", "pole", "point_charge"},
    {"ForceKind", "charges", "charge_interaction"},
}};

}  // namespace

std::span<const RenamedKey> renamed_keys() {
  return renamed;
}

std::string rename_hint(std::string_view definition, std::string_view name) {
  for (const RenamedKey& row : renamed) {
    if (row.definition == definition && row.old_name == name) {
      return "\"" + std::string(name) + "\" is now \"" + std::string(row.new_name) +
             "\"; scripts/rename_scene_keys.py converts the file";
    }
  }
  return "";
}

}  // namespace jostle::scene::detail
