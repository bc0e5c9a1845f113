#include "shared/math/trig.h"
#include "tools/workload/detail/makers.h"
#include "tools/workload/random.h"

#include <array>

namespace jostle::workload {

using math::Vec3;

Scene make_joint_grid() {
  constexpr std::uint32_t side = 50;
  Scene scene;
  scene.arena.has_floor = false;
  const std::uint32_t sphere = add_sphere(scene, 0.4f);
  const auto index = [](std::uint32_t k, std::uint32_t i) { return k * side + i; };
  for (std::uint32_t k = 0; k < side; ++k) {
    for (std::uint32_t i = 0; i < side; ++i) {
      const Vec3 position{static_cast<float>(k) - 24.5f, 30, static_cast<float>(i)};
      add_body(scene, i == 0 ? Motion::Static : Motion::Dynamic, sphere, position, {});
      scene.bodies.back().group = -1;
    }
  }
  const auto join = [&scene](std::uint32_t a, std::uint32_t b) {
    Joint joint;
    joint.body_a = a;
    joint.body_b = b;
    joint.anchor = 0.5f * (scene.bodies[a].position + scene.bodies[b].position);
    scene.joints.push_back(joint);
  };
  for (std::uint32_t k = 0; k < side; ++k) {
    for (std::uint32_t i = 1; i < side; ++i) {
      join(index(k, i - 1), index(k, i));
      if (k > 0) join(index(k - 1, i), index(k, i));
    }
  }
  return scene;
}

namespace {

struct Limb {
  bool is_lying = false;  // true if the limb lies along x instead of y
  float half_segment = 0, radius = 0;
  Vec3 centre;
};

struct LimbJoint {
  JointKind kind = JointKind::ConeTwist;
  std::uint32_t limb_a = 0, limb_b = 0;
  Vec3 anchor, axis;
  float cone = 0, limit = 0;
};

enum Limbs : std::uint32_t {
  pelvis,
  chest,
  head,
  upper_arm_right,
  upper_arm_left,
  lower_arm_right,
  lower_arm_left,
  upper_leg_right,
  upper_leg_left,
  lower_leg_right,
  lower_leg_left,
};

constexpr std::array limbs{
    Limb{false, 0.10f, 0.11f, {0, 0, 0}},
    Limb{false, 0.15f, 0.14f, {0, 0.38f, 0}},
    Limb{false, 0.04f, 0.11f, {0, 0.80f, 0}},
    Limb{true, 0.12f, 0.05f, {0.33f, 0.55f, 0}},
    Limb{true, 0.12f, 0.05f, {-0.33f, 0.55f, 0}},
    Limb{true, 0.12f, 0.045f, {0.65f, 0.55f, 0}},
    Limb{true, 0.12f, 0.045f, {-0.65f, 0.55f, 0}},
    Limb{false, 0.17f, 0.075f, {0.11f, -0.36f, 0}},
    Limb{false, 0.17f, 0.075f, {-0.11f, -0.36f, 0}},
    Limb{false, 0.17f, 0.06f, {0.11f, -0.82f, 0}},
    Limb{false, 0.17f, 0.06f, {-0.11f, -0.82f, 0}},
};

constexpr JointKind swing = JointKind::ConeTwist, hinge = JointKind::Hinge;
constexpr std::array limb_joints{
    LimbJoint{swing, pelvis, chest, {0, 0.14f, 0}, {0, 1, 0}, 0.5f, 0.5f},
    LimbJoint{swing, chest, head, {0, 0.66f, 0}, {0, 1, 0}, 0.5f, 0.7f},
    LimbJoint{swing, chest, upper_arm_right, {0.18f, 0.55f, 0}, {1, 0, 0}, 1.3f, 0.8f},
    LimbJoint{swing, chest, upper_arm_left, {-0.18f, 0.55f, 0}, {-1, 0, 0}, 1.3f, 0.8f},
    LimbJoint{hinge, upper_arm_right, lower_arm_right, {0.49f, 0.55f, 0}, {0, 1, 0}, 0, 1.2f},
    LimbJoint{hinge, upper_arm_left, lower_arm_left, {-0.49f, 0.55f, 0}, {0, 1, 0}, 0, 1.2f},
    LimbJoint{swing, pelvis, upper_leg_right, {0.11f, -0.13f, 0}, {0, -1, 0}, 0.9f, 0.4f},
    LimbJoint{swing, pelvis, upper_leg_left, {-0.11f, -0.13f, 0}, {0, -1, 0}, 0.9f, 0.4f},
    LimbJoint{hinge, upper_leg_right, lower_leg_right, {0.11f, -0.60f, 0}, {1, 0, 0}, 0, 1.2f},
    LimbJoint{hinge, upper_leg_left, lower_leg_left, {-0.11f, -0.60f, 0}, {1, 0, 0}, 0, 1.2f},
};

void add_stairs(Scene& scene) {
  for (int i = 0; i < 10; ++i) {
    const float half_height = 0.25f * static_cast<float>(i + 1);
    const std::uint32_t stair = add_box(scene, {12, half_height, 0.5f});
    const Vec3 position{0, half_height, -(static_cast<float>(i) + 0.5f)};
    add_body(scene, Motion::Static, stair, position, {});
  }
}

}  // namespace

RagdollShapes add_ragdoll_shapes(Scene& scene, float scale) {
  RagdollShapes shapes;
  for (std::size_t i = 0; i < limbs.size(); ++i) {
    // Left and right limbs share a shape.
    const bool is_mirrored = i > head && (i - upper_arm_right) % 2 == 1;
    shapes.push_back(
        is_mirrored ? shapes[i - 1]
                    : add_capsule(scene, scale * limbs[i].radius, scale * limbs[i].half_segment));
  }
  return shapes;
}

void add_ragdoll(Scene& scene, const RagdollShapes& shapes, Vec3 origin, math::Quat rotation,
                 float scale) {
  const math::Quat lying = math::from_axis_angle({0, 0, 1}, -0.5f * math::pi);  // rotates y to x
  const auto first = static_cast<std::uint32_t>(scene.bodies.size());
  for (std::size_t limb = 0; limb < limbs.size(); ++limb) {
    add_body(scene, Motion::Dynamic, shapes[limb],
             origin + rotate(rotation, scale * limbs[limb].centre),
             limbs[limb].is_lying ? normalized(rotation * lying) : rotation);
  }
  for (const LimbJoint& joint : limb_joints) {
    Joint made;
    made.kind = joint.kind;
    made.body_a = first + joint.limb_a;
    made.body_b = first + joint.limb_b;
    made.anchor = origin + rotate(rotation, scale * joint.anchor);
    made.axis = rotate(rotation, joint.axis);
    if (joint.kind == swing) made.cone = joint.cone;
    made.limits = Limits{-joint.limit, joint.limit};
    scene.joints.push_back(made);
  }
}

Scene make_ragdolls() {
  Scene scene;
  add_pit(scene, 12, 20);
  add_stairs(scene);
  const RagdollShapes shapes = add_ragdoll_shapes(scene, 1);
  Random random(4);
  for (int n = 0; n < 200; ++n) {
    const int hundred = n / 100;
    const auto layer = static_cast<float>(hundred);
    const float i = static_cast<float>(n / 10 % 10), j = static_cast<float>(n % 10);
    const math::Quat yaw = math::from_axis_angle({0, 1, 0}, random.between(0, 6.2831853f));
    const Vec3 origin{2.2f * (i - 4.5f), 7 + 2.6f * layer, 2.0f * (j - 4.5f)};
    add_ragdoll(scene, shapes, origin, yaw, 1);
  }
  return scene;
}

}  // namespace jostle::workload
