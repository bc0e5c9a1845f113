#include "tools/gltf/model_builder.h"

#include "shared/base/assert.h"
#include "shared/base/version.h"
#include "shared/shape_mesh/mesh.h"

#include <tiny_gltf.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <sstream>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace jostle::gltf {
namespace {

using math::Vec3;
using shape_mesh::Mesh;

constexpr float plane_half_width = 100;  // m
constexpr int sphere_levels = 3, capsule_slices = 24, capsule_stacks = 8, round_slices = 32;

/// The vertices of a mesh in glTF's layout, with three floats per position and per normal. If
/// `indices` is empty, every three vertices are a triangle.
struct Corners {
  std::vector<float> positions, normals;
  std::vector<std::uint16_t> indices;

  void add(Vec3 position, Vec3 normal) {
    positions.insert(positions.end(), {position.x, position.y, position.z});
    normals.insert(normals.end(), {normal.x, normal.y, normal.z});
  }
};

/// Returns the vertices of a unit mesh, scaled by `scale`. `stretch` is the half length of a
/// capsule's segment and 0 for other shapes (see shape_mesh::MeshVertex).
Corners scaled(const Mesh& mesh, Vec3 scale, float stretch) {
  Corners corners;
  for (const shape_mesh::MeshVertex& vertex : mesh.vertices) {
    const Vec3 unit = vertex.unit, normal = vertex.normal;
    const Vec3 leaning{normal.x / scale.x, normal.y / scale.y, normal.z / scale.z};
    corners.add({unit.x * scale.x, unit.y * scale.y + vertex.segment * stretch, unit.z * scale.z},
                math::normalized_or(leaning, normal));
  }
  corners.indices = mesh.indices;
  return corners;
}

Corners plane_corners() {
  constexpr float w = plane_half_width;
  Corners corners;
  for (const Vec3 corner : {Vec3{-w, 0, -w}, Vec3{-w, 0, w}, Vec3{w, 0, w}, Vec3{w, 0, -w}})
    corners.add(corner, {0, 1, 0});
  corners.indices = {0, 1, 2, 0, 2, 3};
  return corners;
}

Corners corners_of(const state::Shape& shape) {
  const float r = shape.radius, h = shape.half_segment;
  switch (shape.kind) {
    case state::ShapeKind::Sphere:
      return scaled(shape_mesh::sphere_mesh(sphere_levels), {r, r, r}, 0);
    case state::ShapeKind::Box:
      return scaled(shape_mesh::box_mesh(), shape.half_extents, 0);
    case state::ShapeKind::Capsule:
      return scaled(shape_mesh::capsule_mesh(capsule_slices, capsule_stacks), {r, r, r}, h);
    case state::ShapeKind::Cylinder:
      return scaled(shape_mesh::cylinder_mesh(round_slices), {r, h, r}, 0);
    case state::ShapeKind::Cone:
      return scaled(shape_mesh::cone_mesh(round_slices), {r, h, r}, 0);
    case state::ShapeKind::Plane:
      return plane_corners();
    case state::ShapeKind::Hull:
    case state::ShapeKind::Mesh:
    case state::ShapeKind::HeightField:
      break;
  }
  Corners corners;
  for (const shape_mesh::MeshVertex& corner : shape_mesh::solid_corners(*shape.solid))
    corners.add(corner.unit, corner.normal);
  return corners;
}

/// Converts sRGB to the linear values of glTF's factors (IEC 61966-2-1).
double linear(std::uint8_t value) {
  const double s = value / 255.0;
  return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
}

std::vector<double> doubles(Vec3 v) {
  return {double{v.x}, double{v.y}, double{v.z}};
}
std::vector<double> doubles(const math::Quat& q) {
  return {double{q.x}, double{q.y}, double{q.z}, double{q.w}};
}

/// The values that determine a shape's mesh.
using ShapeKey = std::tuple<state::ShapeKind, std::array<float, 5>, std::uint64_t>;
ShapeKey key_of(const state::Shape& shape) {
  const Vec3 e = shape.half_extents;
  return {shape.kind,
          {shape.radius, shape.half_segment, e.x, e.y, e.z},
          shape.solid ? shape.solid->content_hash : 0};
}
using ColourKey = std::array<std::uint8_t, 3>;

}  // namespace

struct ModelBuilder::Model {
  tinygltf::Model model;
  tinygltf::Animation animation;
  float length_s = 0;
  std::map<ShapeKey, tinygltf::Primitive> primitives;  // meshes of shapes, without a material
  std::map<ColourKey, int> materials;
  std::map<std::pair<ShapeKey, ColourKey>, int> meshes;

  /// Appends the numbers to the buffer and returns the index of their accessor.
  template <typename Number>
  int add_numbers(std::span<const Number> numbers, int type, int target) {
    constexpr std::size_t alignment = 4;
    std::vector<unsigned char>& data = model.buffers.front().data;
    data.resize((data.size() + alignment - 1) / alignment * alignment);
    tinygltf::BufferView view;
    view.buffer = 0;
    view.byteOffset = data.size();
    view.byteLength = numbers.size_bytes();
    view.target = target;
    data.resize(data.size() + numbers.size_bytes());
    std::memcpy(data.data() + view.byteOffset, numbers.data(), numbers.size_bytes());
    model.bufferViews.push_back(view);

    tinygltf::Accessor accessor;
    accessor.bufferView = static_cast<int>(model.bufferViews.size()) - 1;
    accessor.componentType = std::is_same_v<Number, float> ? TINYGLTF_COMPONENT_TYPE_FLOAT
                                                           : TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT;
    accessor.type = type;
    const auto width = static_cast<std::size_t>(
        tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(type)));
    accessor.count = numbers.size() / width;
    for (std::size_t i = 0; i < width; ++i) {
      double least = numbers[i], most = numbers[i];
      for (std::size_t at = i; at < numbers.size(); at += width) {
        least = std::min(least, static_cast<double>(numbers[at]));
        most = std::max(most, static_cast<double>(numbers[at]));
      }
      accessor.minValues.push_back(least);
      accessor.maxValues.push_back(most);
    }
    model.accessors.push_back(accessor);
    return static_cast<int>(model.accessors.size()) - 1;
  }

  const tinygltf::Primitive& primitive_of(const state::Shape& shape) {
    const auto [entry, is_new] = primitives.try_emplace(key_of(shape));
    tinygltf::Primitive& primitive = entry->second;
    if (!is_new) return primitive;
    const Corners corners = corners_of(shape);
    primitive.mode = TINYGLTF_MODE_TRIANGLES;
    primitive.attributes["POSITION"] =
        add_numbers<float>(corners.positions, TINYGLTF_TYPE_VEC3, TINYGLTF_TARGET_ARRAY_BUFFER);
    primitive.attributes["NORMAL"] =
        add_numbers<float>(corners.normals, TINYGLTF_TYPE_VEC3, TINYGLTF_TARGET_ARRAY_BUFFER);
    if (!corners.indices.empty())
      primitive.indices = add_numbers<std::uint16_t>(corners.indices, TINYGLTF_TYPE_SCALAR,
                                                     TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
    return primitive;
  }

  int material_of(ColourKey colour) {
    const auto [entry, is_new] = materials.try_emplace(colour);
    if (!is_new) return entry->second;
    tinygltf::Material material;
    material.pbrMetallicRoughness.baseColorFactor = {linear(colour[0]), linear(colour[1]),
                                                     linear(colour[2]), 1.0};
    material.pbrMetallicRoughness.metallicFactor = 0;
    material.pbrMetallicRoughness.roughnessFactor = 0.8;
    model.materials.push_back(material);
    return entry->second = static_cast<int>(model.materials.size()) - 1;
  }

  int mesh_of(const state::Shape& shape, ColourKey colour) {
    const auto [entry, is_new] = meshes.try_emplace({key_of(shape), colour});
    if (!is_new) return entry->second;
    tinygltf::Primitive primitive = primitive_of(shape);
    primitive.material = material_of(colour);
    tinygltf::Mesh mesh;
    mesh.primitives.push_back(primitive);
    model.meshes.push_back(mesh);
    return entry->second = static_cast<int>(model.meshes.size()) - 1;
  }

  int add_node(const tinygltf::Node& node) {
    model.nodes.push_back(node);
    return static_cast<int>(model.nodes.size()) - 1;
  }
  void add_to_scene(int node) { model.scenes.front().nodes.push_back(node); }

  void add_channel(int node, const char* path, const char* interpolation, int times, int values) {
    tinygltf::AnimationSampler sampler;
    sampler.input = times;
    sampler.output = values;
    sampler.interpolation = interpolation;
    animation.samplers.push_back(sampler);
    tinygltf::AnimationChannel channel;
    channel.sampler = static_cast<int>(animation.samplers.size()) - 1;
    channel.target_node = node;
    channel.target_path = path;
    animation.channels.push_back(channel);
  }

  void move(int node, const Track& track) {
    std::vector<float> times, positions, rotations;
    for (const Track::Sample& sample : track.samples()) {
      const Vec3 p = sample.position;
      const math::Quat q = sample.rotation;
      times.push_back(sample.seconds);
      positions.insert(positions.end(), {p.x, p.y, p.z});
      rotations.insert(rotations.end(), {q.x, q.y, q.z, q.w});
    }
    const int input = add_numbers<float>(times, TINYGLTF_TYPE_SCALAR, 0);
    add_channel(node, "translation", "LINEAR", input,
                add_numbers<float>(positions, TINYGLTF_TYPE_VEC3, 0));
    add_channel(node, "rotation", "LINEAR", input,
                add_numbers<float>(rotations, TINYGLTF_TYPE_VEC4, 0));
  }

  /// Scales the node to zero before its body was created and after the body was destroyed.
  void come_and_go(int node, float came_s, float went_s) {
    std::vector<float> times, sizes;
    const auto set = [&](float seconds, float size) {
      times.push_back(seconds);
      sizes.insert(sizes.end(), {size, size, size});
    };
    if (came_s > 0) set(0, 0);
    set(came_s, 1);
    if (went_s < length_s) set(std::nextafter(went_s, length_s), 0);
    add_channel(node, "scale", "STEP", add_numbers<float>(times, TINYGLTF_TYPE_SCALAR, 0),
                add_numbers<float>(sizes, TINYGLTF_TYPE_VEC3, 0));
  }
};

ModelBuilder::ModelBuilder(const std::string& name, float length_s)
    : model_(std::make_unique<Model>()) {
  model_->length_s = length_s;
  tinygltf::Model& model = model_->model;
  model.asset.version = "2.0";
  model.asset.generator = base::build_description();
  model.buffers.emplace_back();
  tinygltf::Scene scene;
  scene.name = name;
  model.scenes.push_back(scene);
  model.defaultScene = 0;
  model_->animation.name = "run";
}

ModelBuilder::~ModelBuilder() = default;

void ModelBuilder::add_camera(const state::Camera& camera) {
  tinygltf::Camera lens;
  lens.type = "perspective";
  lens.perspective.yfov = 0.9;
  lens.perspective.znear = 0.05;
  lens.perspective.zfar = 2'000;
  model_->model.cameras.push_back(lens);
  // A glTF camera looks along −z.
  const auto to_target = camera.target - camera.eye;
  const double across = std::hypot(to_target.x, to_target.z);
  const double turn = std::atan2(-to_target.x, -to_target.z) / 2;
  const double tilt = std::atan2(double{to_target.y}, across) / 2;
  tinygltf::Node node;
  node.name = "camera";
  node.camera = 0;
  node.translation = {camera.eye.x, camera.eye.y, camera.eye.z};
  node.rotation = {std::cos(turn) * std::sin(tilt), std::sin(turn) * std::cos(tilt),
                   -std::sin(turn) * std::sin(tilt), std::cos(turn) * std::cos(tilt)};
  model_->add_to_scene(model_->add_node(node));
}

void ModelBuilder::add(const Track& track) {
  JOSTLE_ASSERT(!track.samples().empty());
  const state::BodyInfo& body = track.body();
  const Track::Sample& first = track.samples().front();
  tinygltf::Node node;
  node.name = body.name.empty() ? "body " + std::to_string(body.id.value) : body.name;
  node.translation = doubles(first.position);
  node.rotation = doubles(first.rotation);
  for (const state::BodyShape& shape : body.shapes) {
    tinygltf::Node part;
    part.mesh =
        model_->mesh_of(shape.shape, {body.colour.red, body.colour.green, body.colour.blue});
    part.translation = doubles(shape.local.offset);
    part.rotation = doubles(shape.local.rotation);
    node.children.push_back(model_->add_node(part));
  }
  const int index = model_->add_node(node);
  model_->add_to_scene(index);
  if (track.has_moved()) model_->move(index, track);
  const float went_s = track.samples().back().seconds;
  if (first.seconds > 0 || went_s < model_->length_s)
    model_->come_and_go(index, first.seconds, went_s);
}

std::string ModelBuilder::text(bool is_binary) {
  tinygltf::Model& model = model_->model;
  if (!model_->animation.channels.empty()) model.animations.push_back(model_->animation);
  if (model.buffers.front().data.empty()) model.buffers.clear();
  std::ostringstream out;
  tinygltf::TinyGLTF().WriteGltfSceneToStream(&model, out, !is_binary, is_binary);
  return std::move(out).str();
}

}  // namespace jostle::gltf
