#include "server/scene_catalogue.h"

#include "protocol/limits.h"
#include "protocol/text.h"
#include "shared/base/log.h"
#include "shared/scene_files/scene_files.h"

#include <set>
#include <variant>

namespace jostle::server {
namespace {

/// Returns an upper bound of the bytes that protocol::encode_shape needs.
std::size_t solid_bytes(const state::Solid& solid) {
  constexpr std::size_t frame_bytes = 256, point_bytes = 12, triangle_bytes = 12, number_bytes = 4;
  if (const auto* hull = std::get_if<state::ConvexHull>(&solid.content)) {
    return frame_bytes + point_bytes * hull->vertices.size() +
           number_bytes * (hull->faces.size() + hull->corners.size());
  }
  if (const auto* mesh = std::get_if<state::TriangleMesh>(&solid.content)) {
    return frame_bytes + point_bytes * mesh->vertices.size() +
           triangle_bytes * mesh->triangles.size();
  }
  return frame_bytes + number_bytes * std::get<state::HeightField>(solid.content).heights.size();
}

}  // namespace

SceneCatalogue read_catalogue(net::Io& io, std::size_t max_players) {
  SceneCatalogue catalogue;
  for (const std::string& name : scene::scene_names()) {
    if (catalogue.entries.size() == protocol::max_scenes) break;
    // Skip names that the wire format would change, because clients could not request them, and
    // files whose name is only the extension.
    if (name.empty() || !protocol::is_wire_text(name, protocol::max_name_bytes)) continue;
    const auto scene = scene::load_scene(io, name);
    const auto why_not = scene ? why_not_servable(*scene, max_players) : scene.error();
    if (!why_not) {
      catalogue.entries.push_back({name, scene->description});
    } else {
      base::warn("scene skipped", {{"scene", name}, {"why", *why_not}});
    }
  }
  catalogue.load = [&io](const std::string& name) { return scene::load_scene(io, name); };
  return catalogue;
}

std::optional<std::string> why_not_servable(const scene::SceneDef& scene, std::size_t max_players) {
  // Upper bounds of the bytes that protocol::encode_world needs.
  constexpr std::size_t body_bytes = 128;
  constexpr std::size_t shape_bytes = 64;
  constexpr std::size_t name_byte_bytes = 2;  // for each byte of a name
  std::size_t moving = 0, definition_bytes = 0;
  std::set<std::uint64_t> solids;
  const auto add_solid = [&](const scene::SceneShape& shape) {
    if (shape.shape.solid && solids.insert(shape.shape.solid->content_hash).second)
      definition_bytes += solid_bytes(*shape.shape.solid);
  };
  add_solid(scene.player.shape);
  for (const scene::SceneBody& body : scene.bodies) {
    if (body.motion != state::MotionType::Static) ++moving;
    for (const scene::SceneShape& shape : body.shapes)
      add_solid(shape);
    definition_bytes +=
        body_bytes + shape_bytes * body.shapes.size() + name_byte_bytes * body.name.size();
  }
  if (definition_bytes > protocol::max_blob_bytes) {
    return "scene '" + scene.name + "' is too large to be sent to clients: its " +
           std::to_string(scene.bodies.size()) + " bodies may need " +
           std::to_string(definition_bytes >> 20) + " MiB, the limit is " +
           std::to_string(protocol::max_blob_bytes >> 20) + " MiB";
  }
  const std::size_t of_players = max_players * (1 + std::size_t{scene.player.max_shots_alive});
  if (moving + of_players <= protocol::max_snapshot_bodies) return std::nullopt;
  return "scene '" + scene.name + "' has " + std::to_string(moving) + " moving bodies, and " +
         std::to_string(max_players) + " players with their shots may add " +
         std::to_string(of_players) + "; a snapshot holds " +
         std::to_string(protocol::max_snapshot_bodies);
}

}  // namespace jostle::server
