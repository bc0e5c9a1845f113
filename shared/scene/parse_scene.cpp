#include "shared/scene/detail/generators.h"
#include "shared/scene/detail/json_check.h"
#include "shared/scene/detail/limits.h"
#include "shared/scene/scene.h"

#include <set>
#include <string>

namespace jostle::scene {
namespace {

using detail::Path;
using detail::ValueReader;
namespace wire = jostle::scene::wire;

void read_bodies(ValueReader& reader, const wire::Scene& table, const detail::BodyContext& context,
                 detail::BodyList& list) {
  if (table.bodies() == nullptr) return;
  const Path root;
  const Path all = root.field("bodies");
  for (flatbuffers::uoffset_t i = 0; i < table.bodies()->size() && !reader.has_failed(); ++i) {
    const Path path = all.entry(i);
    const detail::BodyDraft draft =
        detail::read_body(reader, *table.bodies()->Get(i), path, context);
    SceneBody body = detail::finish_body(reader, draft, path);
    list.shape_count += body.shapes.size();
    if (list.shape_count > detail::max_scene_shapes) {
      reader.fail(path, "the scene would hold more than " +
                            std::to_string(detail::max_scene_shapes) + " shapes");
    }
    list.bodies.push_back(std::move(body));
  }
}

void read_generators(ValueReader& reader, const wire::Scene& table,
                     const detail::BodyContext& context, detail::BodyList& list) {
  if (table.generators() == nullptr) return;
  const Path root;
  const Path all = root.field("generators");
  for (flatbuffers::uoffset_t i = 0; i < table.generators()->size() && !reader.has_failed(); ++i)
    detail::expand_generator(reader, *table.generators()->Get(i), all.entry(i), context, list);
}

void check_names(ValueReader& reader, const std::vector<SceneBody>& bodies) {
  std::set<std::string_view> names;
  const Path root;
  const Path all = root.field("bodies");
  for (std::size_t i = 0; i < bodies.size() && !reader.has_failed(); ++i) {
    if (!bodies[i].name.empty() && !names.insert(bodies[i].name).second) {
      const Path path = all.entry(i);
      reader.fail(path.field("name"), "\"" + bodies[i].name + "\" is the name of another body too");
    }
  }
}

std::string read_description(ValueReader& reader, const flatbuffers::String* text,
                             const Path& path) {
  if (text == nullptr) return "";
  if (text->size() > max_description_bytes) {
    reader.fail(path, "must have at most " + std::to_string(max_description_bytes) +
                          " bytes, has " + std::to_string(text->size()));
  }
  return text->str();
}

SceneDef read_scene(ValueReader& reader, const wire::Scene& table) {
  SceneDef scene;
  const Path root;
  if (table.name() == nullptr) reader.fail(root.field("name"), "is missing");
  scene.name = reader.name(table.name(), root.field("name"));
  scene.description = read_description(reader, table.description(), root.field("description"));
  scene.world = detail::read_world(reader, table.world(), root.field("world"));
  scene.camera = detail::read_camera(reader, table.camera(), root.field("camera"));

  detail::BodyContext context;
  context.world = scene.world;
  context.materials = detail::read_materials(reader, table.materials());
  scene.player =
      detail::read_player(reader, table.player(), root.field("player"), context.materials);
  scene.spawns = detail::read_spawns(reader, table.spawns(), root.field("spawns"));
  detail::read_templates(reader, table.templates(), context);

  detail::BodyList list;
  read_bodies(reader, table, context, list);
  read_generators(reader, table, context, list);
  scene.bodies = std::move(list.bodies);
  check_names(reader, scene.bodies);
  return scene;
}

}  // namespace

base::Result<SceneDef, SceneError> parse_scene(std::string_view text, std::string_view file_name) {
  const auto refused = [file_name](SceneError error) {
    error.file = file_name;
    return error;
  };
  if (text.size() > max_scene_file_bytes) {
    return refused({{},
                    0,
                    0,
                    {},
                    "larger than " + std::to_string(max_scene_file_bytes >> 20) +
                        " MiB, the limit of a scene file"});
  }
  auto buffer = detail::parse_json(text);
  if (!buffer) return refused(buffer.error());
  ValueReader reader;
  SceneDef scene = read_scene(reader, *flatbuffers::GetRoot<wire::Scene>(buffer->data()));
  if (reader.has_failed()) return refused(*reader.error());
  scene.source_text = text;
  return scene;
}

}  // namespace jostle::scene
