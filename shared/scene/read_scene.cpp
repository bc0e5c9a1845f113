#include "shared/scene/detail/builder_reader.h"
#include "shared/scene/detail/error_subject.h"
#include "shared/scene/detail/field_reader.h"
#include "shared/scene/detail/generators.h"
#include "shared/scene/detail/joint_reader.h"
#include "shared/scene/detail/limits.h"
#include "shared/scene/detail/particle_reader.h"
#include "shared/scene/detail/push_reader.h"
#include "shared/scene/detail/scene_reader.h"
#include "shared/scene/scene.h"
#include "shared/scene/scene_generated.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>

namespace jostle::scene {
namespace {

using detail::Path;
using detail::ValueReader;

void read_bodies(ValueReader& reader, const wire::Scene& table, const detail::BodyContext& context,
                 detail::BodyList& list) {
  if (table.bodies() == nullptr) return;
  const Path root;
  const Path all = root.field("bodies");
  for (flatbuffers::uoffset_t i = 0; i < table.bodies()->size() && !reader.has_failed(); ++i) {
    const Path path = all.entry(i);
    const detail::BodyDraft draft =
        detail::read_body(reader, *table.bodies()->Get(i), path, context);
    list.add(reader, detail::finish_body(reader, draft, path), path);
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

SceneDef read_tables(ValueReader& reader, const wire::Scene& table) {
  SceneDef scene;
  const Path root;
  if (table.name() == nullptr) reader.fail(root.field("name"), "is missing");
  scene.name = reader.name(table.name(), root.field("name"));
  scene.description =
      reader.line(table.description(), root.field("description"), max_description_bytes);
  scene.world = detail::read_world(reader, table.world(), root.field("world"));
  scene.camera = detail::read_camera(reader, table.camera(), root.field("camera"));

  detail::BodyContext context;
  context.world = scene.world;
  context.materials = detail::read_materials(reader, table.materials());
  scene.material_pairs =
      detail::read_material_pairs(reader, table.material_pairs(), context.materials);
  scene.player =
      detail::read_player(reader, table.player(), root.field("player"), context.materials);
  scene.spawns = detail::read_spawns(reader, table.spawns(), root.field("spawns"));
  detail::read_templates(reader, table.templates(), context);

  detail::BodyList list;
  read_bodies(reader, table, context, list);
  read_generators(reader, table, context, list);
  const Path builders = root.field("assemblies");
  std::vector<SceneJoint> built = detail::read_builders(reader, table.assemblies(), builders, list);
  scene.bodies = list.take();
  for (SceneBody& body : scene.bodies) {
    if (scene.world.is_planar && body.motion == state::MotionType::Dynamic)
      body.locks |= state::lock_planar;
  }
  const detail::BodyNames names(scene.bodies);
  scene.joints =
      detail::read_joints(reader, table.joints(), root.field("joints"), scene.bodies, names);
  if (scene.joints.size() + built.size() > max_scene_joints)
    reader.fail(builders, detail::too_many_joints(scene.joints.size() + built.size()));
  std::ranges::move(built, std::back_inserter(scene.joints));
  scene.pushes =
      detail::read_pushes(reader, table.actuators(), root.field("actuators"), scene, names);
  scene.fields =
      detail::read_fields(reader, table.force_fields(), root.field("force_fields"), scene, names);
  scene.particles =
      detail::read_particles(reader, table.particles(), root.field("particles"), context.materials);
  scene.labels = detail::read_labels(reader, table.labels(), root.field("labels"), scene, names);
  scene.explosions = detail::read_explosions(reader, table.explosions(), root.field("explosions"));
  return scene;
}

}  // namespace

base::Result<SceneDef, SceneError> detail::read_scene(const wire::Scene& table,
                                                      std::string_view file_name) {
  ValueReader reader;
  SceneDef scene = read_tables(reader, table);
  if (!reader.has_failed()) return scene;
  SceneError error = *reader.error();
  error.file = file_name;
  error.subject = subject_of(table, error.path);
  return error;
}

base::Result<SceneDef, SceneError> read_scene(std::span<const std::uint8_t> buffer,
                                              std::string_view file_name) {
  flatbuffers::Verifier verifier(buffer.data(), buffer.size());
  if (!verifier.VerifyBuffer<wire::Scene>())
    return SceneError{std::string(file_name), 0, 0, {}, "is not a scene in the FlatBuffers format"};
  return detail::read_scene(*flatbuffers::GetRoot<wire::Scene>(buffer.data()), file_name);
}

}  // namespace jostle::scene
