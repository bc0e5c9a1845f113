#include "client/render/instances.h"

#include "client/render/shown_bodies.h"
#include "shared/geometry/bounds.h"

#include <algorithm>
#include <cmath>

namespace jostle::render {

using math::Vec3;

namespace {

// Shapes whose bounding sphere has a smaller radius on the screen are drawn without a pattern.
constexpr float speck_pixels = 7;
constexpr std::uint8_t hover_glow = 70, grab_glow = 140, select_glow = 254, mark_glow = 255;
constexpr float least_particle_pixels = 0.8f;   // minimum radius of a particle on the screen
constexpr std::uint8_t particle_glow = 40;      // makes particles brighter than their lighting
constexpr float mark_radius_radians = 0.0016f;  // angular radius of a mark whose `radius` is 0
constexpr float least_thing_radians = 0.0009f;  // minimum angular radius of the other marks
constexpr state::Colour ghost_colour{255, 92, 205};

Pattern pattern_of(state::ShapeKind kind, state::MotionType motion) {
  switch (kind) {
    case state::ShapeKind::Box:
      return motion == state::MotionType::Dynamic ? Pattern::Crate : Pattern::Block;
    case state::ShapeKind::Sphere:
      return Pattern::Ball;
    case state::ShapeKind::Capsule:
      return Pattern::Capsule;
    case state::ShapeKind::Plane:
    case state::ShapeKind::Cylinder:
    case state::ShapeKind::Cone:
    case state::ShapeKind::Hull:
    case state::ShapeKind::Mesh:
    case state::ShapeKind::HeightField:
      break;
  }
  return Pattern::Plain;
}

/// Returns the factors that scale the unit mesh of the shape's kind to the shape.
Vec3 scale_of(const state::Shape& shape) {
  switch (shape.kind) {
    case state::ShapeKind::Box:
      return shape.half_extents;
    case state::ShapeKind::Cylinder:
    case state::ShapeKind::Cone:
      return {shape.radius, shape.half_segment, shape.radius};
    case state::ShapeKind::Hull:
    case state::ShapeKind::Mesh:
    case state::ShapeKind::HeightField:
      return {1, 1, 1};
    case state::ShapeKind::Sphere:
    case state::ShapeKind::Capsule:
    case state::ShapeKind::Plane:
      break;
  }
  return {shape.radius, shape.radius, shape.radius};
}

// Returns the rotation from +y to the unit vector `direction`, by the half-way vector.
math::Quat rotation_from_y(Vec3 direction) {
  const Vec3 axis = math::cross({0, 1, 0}, direction);
  if (direction.y < -0.9999f) return {1, 0, 0, 0};
  return math::normalized({axis.x, axis.y, axis.z, 1 + direction.y});
}

}  // namespace

MeshSlot mesh_slot(state::ShapeKind kind, float radius_pixels) {
  const auto found =
      std::find_if(round_meshes.begin(), round_meshes.end(), [&](const RoundMesh& mesh) {
        return mesh.kind == kind && radius_pixels <= mesh.up_to_pixels;
      });
  return static_cast<MeshSlot>(found - round_meshes.begin());
}

BodyLook after(BodyLook look) {
  return static_cast<BodyLook>((static_cast<std::size_t>(look) + 1) % body_look_count);
}

std::vector<std::pair<std::string, BodyLook>> body_looks() {
  return {{"solid", BodyLook::Solid},
          {"edges", BodyLook::Edges},
          {"wireframe", BodyLook::Wireframe},
          {"x-ray", BodyLook::XRay}};
}

std::optional<BodyLook> find_look(std::string_view word) {
  for (const auto& [name, look] : body_looks())
    if (name == word) return look;
  return std::nullopt;
}

const char* name_of(BodyLook look) {
  switch (look) {
    case BodyLook::Solid:
      return "solid";
    case BodyLook::Edges:
      return "with edges";
    case BodyLook::Wireframe:
      return "wireframe";
    case BodyLook::XRay:
      return "x-ray";
  }
  return "";
}

const InstanceList& InstanceBuilder::build(const Picture& picture, Size size) {
  for (auto& group : by_group_)
    group.clear();
  list_.planes.clear();
  list_.instances.clear();

  const float pixels_per_radian =
      static_cast<float>(size.height) / (2 * std::tan(picture.view.fov_y * 0.5f));
  const std::vector<const client::ShownBody*> players = player_bodies(picture.bodies);
  for (const client::ShownBody& body : picture.bodies) {
    const bool is_player = std::find(players.begin(), players.end(), &body) != players.end();
    add_body(body, is_player ? Look::Player : Look::Thing, picture, pixels_per_radian);
  }
  for (const client::ShownBody& ghost : picture.ghosts)
    add_body(ghost, Look::Ghost, picture, pixels_per_radian);
  for (const client::ShownParticle& particle : picture.particles)
    add_particle(particle, picture, pixels_per_radian);
  for (const Mark& mark : picture.marks) {
    const Vec3 from = mark.from - picture.view.eye, to = mark.to - picture.view.eye;
    const Vec3 middle = (from + to) * 0.5f;
    const float seen = math::length(middle);
    const float radius = mark.radius > 0.0f ? std::max(mark.radius, least_thing_radians * seen)
                                            : mark_radius_radians * seen;
    Instance instance;
    instance.position = middle;
    instance.stretch = math::length(to - from) * 0.5f;
    instance.rotation = rotation_from_y(math::normalized_or(to - from, {0, 1, 0}));
    instance.scale = {radius, radius, radius};
    instance.colour = mark.colour;
    instance.glow = mark.radius > 0.0f ? std::uint8_t{0} : mark_glow;
    add(mesh_slot(state::ShapeKind::Capsule, radius / seen * pixels_per_radian), instance);
  }

  for (std::size_t group = 0; group < InstanceList::group_count; ++group) {
    list_.first[group] = list_.instances.size();
    list_.instances.insert(list_.instances.end(), by_group_[group].begin(), by_group_[group].end());
  }
  list_.first[InstanceList::group_count] = list_.instances.size();
  append_solids();
  return list_;
}

void InstanceBuilder::add_body(const client::ShownBody& body, Look look, const Picture& picture,
                               float pixels_per_radian) {
  const state::BodyInfo& info = *body.info;
  for (const state::BodyShape& part : info.shapes) {
    const math::Pose pose = body.pose * part.local;
    if (part.shape.kind == state::ShapeKind::Plane) {
      if (look == Look::Ghost) continue;
      list_.planes.push_back({pose, info.colour});
      continue;
    }
    Instance instance;
    instance.position = pose.position - picture.view.eye;
    instance.rotation = pose.rotation;
    const float radius = part.shape.radius;
    instance.scale = scale_of(part.shape);
    if (part.shape.kind == state::ShapeKind::Capsule) instance.stretch = part.shape.half_segment;
    instance.colour = info.colour;
    instance.pattern = pattern_of(part.shape.kind, info.motion);
    const bool is_asleep = info.motion == state::MotionType::Dynamic && !body.is_awake;
    instance.is_asleep = is_asleep && picture.is_sleep_shown ? 1 : 0;
    if (info.id == picture.hovered) instance.glow = hover_glow;
    if (info.id == picture.grabbed) instance.glow = grab_glow;
    if (info.id == picture.selected && look != Look::Ghost) instance.glow = select_glow;
    const float distance = math::max_of(math::length(instance.position), picture.view.near);
    const bool is_own = !picture.own.is_null() && info.owner == picture.own;
    if (look == Look::Player) instance.player = is_own ? 2 : 1;
    if (look == Look::Ghost) {
      instance.colour = ghost_colour;
      instance.pattern = Pattern::Ghost;
      instance.is_asleep = 0;
    }
    if (part.shape.solid) {
      OfSolid& entry = by_solid_[part.shape.solid->content_hash];
      entry.solid = part.shape.solid;
      entry.instances.push_back(instance);
      continue;
    }
    const float pixels = pixels_per_radian / distance;
    const MeshSlot slot = mesh_slot(part.shape.kind, radius * pixels);
    const bool is_plain = instance.glow == 0 && look == Look::Thing;
    const bool is_speck = is_plain && geometry::bounding_radius(part.shape) * pixels < speck_pixels;
    add(is_speck ? mesh_slot_count + slot : slot, instance);
  }
}

void InstanceBuilder::add_particle(const client::ShownParticle& particle, const Picture& picture,
                                   float pixels_per_radian) {
  Instance instance;
  instance.position = particle.position - picture.view.eye;
  const float distance = math::max_of(math::length(instance.position), picture.view.near);
  const float least = least_particle_pixels / pixels_per_radian * distance;
  const float radius = math::max_of(particle.radius, least);
  instance.scale = {radius, radius, radius};
  instance.colour = particle.colour;
  instance.glow = particle_glow;
  add(mesh_slot(state::ShapeKind::Sphere, radius / distance * pixels_per_radian), instance);
}

/// Appends the solids, and forgets those that the picture does not show.
void InstanceBuilder::append_solids() {
  list_.solids.clear();
  std::erase_if(by_solid_, [](const auto& entry) { return entry.second.instances.empty(); });
  for (auto& [hash, entry] : by_solid_) {
    list_.solids.push_back({entry.solid, list_.instances.size(), entry.instances.size()});
    list_.instances.insert(list_.instances.end(), entry.instances.begin(), entry.instances.end());
    entry.instances.clear();
  }
}

}  // namespace jostle::render
