#pragma once

#include "client/client.h"
#include "client/render/camera.h"
#include "shared/state/overlay.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jostle::render {

/// How the fragment shader paints a shape; the numbers stand in shaders.cpp, too.
enum class Pattern : std::uint8_t {
  Plain = 0,
  Crate = 1,
  Ball = 2,
  Capsule = 3,
  Block = 4,
  Ghost = 5,  // every other pixel
};

/// One shape as the vertex shader takes it. Positions are relative to the eye.
struct Instance {
  math::Vec3 position;  // m
  float stretch = 0;    // half segment of a capsule, m
  math::Quat rotation;
  math::Vec3 scale;  // half extents, the radius three times, or one where the mesh has its size; m
  state::Colour colour;
  std::uint8_t padding = 255;
  Pattern pattern = Pattern::Plain;
  std::uint8_t glow = 0;       // highlight, 0..255
  std::uint8_t is_asleep = 0;  // 0 or 1
  std::uint8_t player = 0;     // 0: none, 1: one, 2: oneself
};
static_assert(sizeof(Instance) == 52, "the attribute layout in renderer.cpp");

/// Meshes that instances are drawn with: a box, and what is round in as many triangles as its size
/// on the screen takes. Up to the size that each is for, a polygon of its slices is within a third
/// of a pixel of its circle; the finest are for whatever is larger.
using MeshSlot = std::size_t;

struct RoundMesh {
  state::ShapeKind kind;
  int slices = 0;          // around; of a sphere: how often the faces of an icosahedron were halved
  int stacks = 0;          // of a capsule's ends
  float up_to_pixels = 0;  // of its radius on the screen
};
inline constexpr float any_size = 1e9f;
/// By kind, and the coarsest first.
inline constexpr std::array round_meshes{
    RoundMesh{state::ShapeKind::Sphere, 0, 0, 2},
    RoundMesh{state::ShapeKind::Sphere, 1, 0, 8},
    RoundMesh{state::ShapeKind::Sphere, 2, 0, 30},
    RoundMesh{state::ShapeKind::Sphere, 3, 0, 125},
    RoundMesh{state::ShapeKind::Sphere, 4, 0, any_size},
    RoundMesh{state::ShapeKind::Capsule, 8, 2, 4},
    RoundMesh{state::ShapeKind::Capsule, 12, 3, 9},
    RoundMesh{state::ShapeKind::Capsule, 20, 5, 25},
    RoundMesh{state::ShapeKind::Capsule, 32, 10, any_size},
    RoundMesh{state::ShapeKind::Cylinder, 12, 0, 9},
    RoundMesh{state::ShapeKind::Cylinder, 24, 0, 35},
    RoundMesh{state::ShapeKind::Cylinder, 48, 0, any_size},
    RoundMesh{state::ShapeKind::Cone, 12, 0, 9},
    RoundMesh{state::ShapeKind::Cone, 24, 0, 35},
    RoundMesh{state::ShapeKind::Cone, 48, 0, any_size},
};
inline constexpr MeshSlot box_slot = round_meshes.size();
inline constexpr std::size_t mesh_slot_count = round_meshes.size() + 1;
/// For a shape of that kind, not a solid nor a plane.
MeshSlot mesh_slot(state::ShapeKind kind, float radius_pixels);

/// A half-space to draw as ground.
struct GroundPlane {
  math::Pose pose;  // surface through the position, normal +y of the frame
  state::Colour colour;
};

/// A straight mark in the picture, drawn as a thin capsule.
struct Mark {
  math::Position from, to;
  state::Colour colour{255, 214, 90};
  /// m, and no less than can be seen: it is a thing among others, with light and shadow. 0: it
  /// glows, and is as thick wherever it is.
  float radius = 0;
};

/// How bodies are drawn.
enum class BodyLook : std::uint8_t {
  Solid,
  Edges,  // solid, with the triangles' edges over it
  Wire,   // edges alone
  XRay,   // seen through, rims strongest
};
inline constexpr std::size_t body_look_count = 4;
/// The next of them, after the last the first.
BodyLook after(BodyLook look);
/// For people.
const char* name_of(BodyLook look);
/// By the words of command lines and files, in their order.
std::vector<std::pair<std::string, BodyLook>> body_looks();
std::optional<BodyLook> find_look(std::string_view word);

/// Everything that one picture shows.
struct Picture {
  View view;
  math::Position focus;  // what the view turns around: shadows are finest there
  std::span<const client::ShownBody> bodies;
  std::span<const client::ShownBody> ghosts;  // of another run: seen through, in one colour
  state::BodyId hovered, grabbed, selected;   // null: none
  std::span<const Mark> marks;
  std::span<const client::ShownParticle> particles;
  BodyLook look = BodyLook::Solid;
  bool is_sleep_shown = true;               // asleep bodies are paler
  state::PlayerId own;                      // whose bodies have the brightest rim; null: nobody's
  const state::Overlay* overlay = nullptr;  // over all that is solid; null: none
};

/// The instances of one hull, mesh or height field.
struct SolidInstances {
  std::shared_ptr<const state::Solid> solid;
  std::size_t first = 0, count = 0;  // in InstanceList::instances
};

/// The shapes of a picture, by mesh: group g holds instances [first[g], first[g + 1]). First come
/// those of each slot whose patterns are seen, then, again by slot, those that are specks of a few
/// pixels; after all of them those of the solids, by content hash.
struct InstanceList {
  static constexpr std::size_t group_count = 2 * mesh_slot_count;

  std::vector<Instance> instances;
  std::array<std::size_t, group_count + 1> first{};
  std::vector<SolidInstances> solids;
  std::vector<GroundPlane> planes;
};

/// Reuses the memory of earlier pictures.
class InstanceBuilder {
 public:
  const InstanceList& build(const Picture& picture, Size size);

 private:
  enum class Look : std::uint8_t { Thing, Player, Ghost };
  void add_body(const client::ShownBody& body, Look look, const Picture& picture,
                float pixels_per_radian);
  void add_particle(const client::ShownParticle& particle, const Picture& picture,
                    float pixels_per_radian);
  void add(std::size_t group, const Instance& instance) { by_group_[group].push_back(instance); }

  void append_solids();

  struct OfSolid {
    std::shared_ptr<const state::Solid> solid;
    std::vector<Instance> instances;
  };

  std::array<std::vector<Instance>, InstanceList::group_count> by_group_;
  std::map<std::uint64_t, OfSolid> by_solid_;  // by content hash
  InstanceList list_;
};

}  // namespace jostle::render
