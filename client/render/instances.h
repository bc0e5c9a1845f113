#pragma once

#include "client/client.h"
#include "client/render/camera.h"
#include "shared/state/debug_draw_frame.h"

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

/// Pattern of a shape in the fragment shader; shaders.cpp uses the same numbers.
enum class Pattern : std::uint8_t {
  Plain = 0,
  Crate = 1,
  Ball = 2,
  Capsule = 3,
  Block = 4,
  Ghost = 5,  // draws every other pixel
};

/// Attributes of one shape for the vertex shader. Positions are relative to the eye.
struct Instance {
  math::Vec3 position;  // m
  float stretch = 0;    // half the length of a capsule's segment, m
  math::Quat rotation;
  // m. Box: half extents. Sphere or capsule: radius on each axis. Cylinder or cone: radius, half
  // height, radius. Hull, mesh or height field: 1, because the mesh has its full size
  math::Vec3 scale;
  state::Colour colour;
  std::uint8_t padding = 255;
  Pattern pattern = Pattern::Plain;
  std::uint8_t glow = 0;       // highlight, 0..253; 254: selected body; 255: Mark without radius
  std::uint8_t is_asleep = 0;  // 0 or 1
  // 0: not a player's own body, 1: of another player, 2: of the local player
  std::uint8_t player = 0;
};
static_assert(sizeof(Instance) == 52, "the attribute layout in renderer.cpp");

/// Index of the mesh with which instances are drawn: a box, or a round shape with a level of detail
/// for its size on the screen. Up to the maximum size of a level, the polygon deviates from the
/// circle by less than a third of a pixel.
using MeshSlot = std::size_t;

struct RoundMesh {
  state::ShapeKind kind;
  // number of sides around the axis; for a sphere: number of subdivisions of an icosahedron
  int slices = 0;
  int stacks = 0;          // number of rings in each end of a capsule
  float up_to_pixels = 0;  // maximum radius on the screen
};
inline constexpr float any_size = 1e9f;
/// Ordered by kind, coarsest first.
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
/// Returns the mesh for a shape of this kind whose radius on the screen is `radius_pixels`.
/// Contract: the kind is neither a solid (hull, mesh, height field) nor a plane.
MeshSlot mesh_slot(state::ShapeKind kind, float radius_pixels);

/// A half-space to draw as ground.
struct GroundPlane {
  math::Pose pose;  // surface through the position, normal +y of the frame
  state::Colour colour;
};

/// A straight line in the picture, drawn as a thin capsule.
struct Mark {
  math::Position from, to;
  state::Colour colour{255, 214, 90};
  /// Radius, m. If positive, the mark is a lit object with a shadow, drawn with at least a visible
  /// thickness. If 0, it is a glowing line of constant thickness on the screen.
  float radius = 0;
};

/// Draw modes of bodies.
enum class BodyLook : std::uint8_t {
  Solid,
  Edges,      // solid, with the edges of its triangles on top
  Wireframe,  // draws only the edges
  XRay,       // translucent, with strong rims
};
inline constexpr std::size_t body_look_count = 4;
/// Returns the next draw mode, cyclically.
BodyLook after(BodyLook look);
/// Returns the name of a draw mode for display.
const char* name_of(BodyLook look);
/// Returns the draw modes with their names on the command line and in settings files, in order.
std::vector<std::pair<std::string, BodyLook>> body_looks();
std::optional<BodyLook> find_look(std::string_view word);

/// Content of one frame: the input of the renderer.
struct Picture {
  View view;
  math::Position focus;  // point around which the view turns; shadows are finest there
  std::span<const client::ShownBody> bodies;
  // bodies of another run or snapshot, drawn in one colour and on every other pixel only
  std::span<const client::ShownBody> ghosts;
  state::BodyId hovered, grabbed, selected;  // null if there is none
  std::span<const Mark> marks;
  std::span<const client::ShownParticle> particles;
  BodyLook look = BodyLook::Solid;
  bool is_sleep_shown = true;  // true if sleeping bodies are drawn paler
  state::PlayerId own;         // the local player, whose own body has the brightest rim; null: none
  const state::DebugDrawFrame* debug_draw = nullptr;  // drawn on top; null: none
};

/// The instances of one hull, mesh or height field.
struct SolidInstances {
  std::shared_ptr<const state::Solid> solid;
  std::size_t first = 0, count = 0;  // range in InstanceList::instances
};

/// Shapes of a picture, grouped by mesh: group g holds instances [first[g], first[g + 1]). The
/// first mesh_slot_count groups hold the shapes with visible patterns, one group per mesh. The next
/// mesh_slot_count groups hold the shapes that cover only a few pixels. The instances of the solids
/// follow, ordered by content hash.
struct InstanceList {
  static constexpr std::size_t group_count = 2 * mesh_slot_count;

  std::vector<Instance> instances;
  std::array<std::size_t, group_count + 1> first{};
  std::vector<SolidInstances> solids;
  std::vector<GroundPlane> planes;
};

/// Builder of instance lists, which reuses the memory of earlier pictures.
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
  std::map<std::uint64_t, OfSolid> by_solid_;  // keyed by content hash
  InstanceList list_;
};

}  // namespace jostle::render
