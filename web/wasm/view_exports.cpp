// The functions with which the page passes the user's input and reads frames.
#include "client/render/picking.h"
#include "client/render/shaders.h"
#include "client/render/shown_bodies.h"
#include "client/render/unit_meshes.h"

#include "web/wasm/exports.h"
#include "web/wasm/json_writer.h"
#include "web/wasm/picture_source.h"
#include "web/wasm/scene_view.h"
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace jostle::web {
namespace {

/// Axes and held buttons of the user's input. The page writes them before each frame; the order is
/// that of `inputAxes` in web/page/src/input.ts.
enum Axis : std::uint8_t {
  Right,
  Forward,
  Jump,
  Pull,
  Repel,
  Up,
  Down,
  TurnX,
  TurnY,
  PanX,
  PanY,
  Zoom,
  LookX,
  LookY,
  ZoomRate,
  Dragging,
  AimingDrag,
  CursorX,
  CursorY,
  ByGamepad,
  AxisCount
};

std::array<float, AxisCount> axes{};
controls::UserInput pending;  // clicks and commands since the last frame
PictureSource* current_source = nullptr;
SceneView view;
render::Size picture_size;
std::vector<client::ShownBody> no_bodies;

controls::UserInput take_input() {
  controls::UserInput user = std::exchange(pending, {});
  const auto is_held = [](Axis axis) { return axes[axis] != 0; };
  user.right = axes[Right];
  user.forward = axes[Forward];
  if (const float length = std::hypot(user.right, user.forward); length > 1) {
    user.right /= length;
    user.forward /= length;
  }
  user.is_jump = is_held(Jump);
  user.is_pull = is_held(Pull);
  user.is_repel = is_held(Repel);
  user.is_up = is_held(Up);
  user.is_down = is_held(Down);
  user.turn_x = axes[TurnX];
  user.turn_y = axes[TurnY];
  user.pan_x = axes[PanX];
  user.pan_y = axes[PanY];
  user.zoom = axes[Zoom];
  user.look_x = axes[LookX];
  user.look_y = axes[LookY];
  user.zoom_rate = axes[ZoomRate];
  user.is_dragging = is_held(Dragging);
  user.is_aiming_drag = is_held(AimingDrag);
  user.cursor = {axes[CursorX], axes[CursorY]};
  user.is_by_gamepad = is_held(ByGamepad);
  return user;
}

std::span<const client::ShownBody> shown_bodies() {
  return current_source != nullptr && current_source->is_ready() ? current_source->picture().bodies
                                                                 : no_bodies;
}

std::uint32_t put_mesh(std::span<const shape_mesh::MeshVertex> vertices,
                       std::span<const std::uint16_t> indices) {
  static_assert(sizeof(shape_mesh::MeshVertex) == 28);
  std::string bytes(reinterpret_cast<const char*>(vertices.data()), vertices.size_bytes());
  bytes.append(reinterpret_cast<const char*>(indices.data()), indices.size_bytes());
  set_result(std::move(bytes));
  return static_cast<std::uint32_t>(vertices.size());
}

}  // namespace

PictureSource* source() {
  return current_source;
}
void set_source(PictureSource* source) {
  current_source = source;
}
ViewChoice& view_choice() {
  static ViewChoice choice;
  return choice;
}

/// Returns the address of the axes, which the page writes before each frame.
JOSTLE_EXPORT(input_axes) float* input_axes() {
  return axes.data();
}

/// Adds a click: 0: push, 1: shot, 2: spawn, 3: blast.
JOSTLE_EXPORT(input_click) void input_click(std::uint32_t kind, float x, float y) {
  std::vector<render::ScreenPoint>* const lists[] = {&pending.pushes, &pending.shots,
                                                     &pending.spawns, &pending.blasts};
  if (kind < std::size(lists)) lists[kind]->push_back({x, y});
}

/// Adds a command; `command` is a controls::Command.
JOSTLE_EXPORT(input_command) void input_command(std::uint32_t command) {
  if (command <= static_cast<std::uint32_t>(controls::Command::ToggleFullscreen))
    pending.commands.push_back(static_cast<controls::Command>(command));
}

/// Advances the world by `seconds` of real time and builds a frame. Returns its address.
JOSTLE_EXPORT(frame)
const Frame* frame(std::uint32_t width, std::uint32_t height, float seconds,
                   std::uint32_t shadow_size) {
  static const Frame empty;
  picture_size = {static_cast<int>(width), static_cast<int>(height)};
  const controls::UserInput user = take_input();
  if (current_source == nullptr || width == 0 || height == 0) return &empty;
  current_source->advance(user, picture_size, seconds);
  if (!current_source->is_ready()) return &empty;
  render::Picture picture = current_source->picture();
  const ViewChoice& choice = view_choice();
  picture.look = choice.look;
  picture.is_sleep_shown = choice.is_sleep_shown;
  picture.selected = choice.selected;
  return &view.build(picture, picture_size, static_cast<int>(shadow_size));
}

/// Sets the draw modes: a render::BodyLook, two flags and a set of debug draw layers.
JOSTLE_EXPORT(view_choose)
void view_choose(std::uint32_t look, std::uint32_t is_sleep_shown, std::uint32_t are_ghosts_shown,
                 std::uint32_t layers, std::uint32_t wants_statistics) {
  ViewChoice& choice = view_choice();
  if (look < render::body_look_count) choice.look = static_cast<render::BodyLook>(look);
  choice.is_sleep_shown = is_sleep_shown != 0;
  choice.are_ghosts_shown = are_ghosts_shown != 0;
  choice.layers = static_cast<state::DebugDrawLayers>(layers & state::all_debug_draw_layers);
  choice.wants_statistics = wants_statistics != 0;
}

JOSTLE_EXPORT(view_select) void view_select(std::uint32_t body) {
  view_choice().selected = {body};
}

JOSTLE_EXPORT(view_follow) void view_follow(std::uint32_t body) {
  if (current_source != nullptr) current_source->follow({body});
}

/// Returns the id of the body at a point of the picture; 0: there is none.
JOSTLE_EXPORT(view_pick) std::uint32_t view_pick(float x, float y) {
  if (current_source == nullptr || !current_source->is_ready()) return 0;
  const render::Ray ray = render::ray_through(current_source->rig().view(), picture_size, {x, y});
  const auto found = render::pick(ray, shown_bodies(), {});
  return found ? found->body->info->id.value : 0;
}

/// Stores the centre of a body in the picture, in pixels, as JSON [x, y]; null if it is not
/// visible.
JOSTLE_EXPORT(view_project) void view_project(std::uint32_t id) {
  JsonWriter json;
  const client::ShownBody* body = render::find_body(shown_bodies(), {id});
  const auto point = body != nullptr ? render::project(current_source->rig().view(), picture_size,
                                                       body->pose.position)
                                     : std::nullopt;
  if (!point) return set_result("null");
  json.open('[')
      .number(static_cast<double>(point->x))
      .number(static_cast<double>(point->y))
      .close(']');
  set_result(json.take());
}

/// Stores the camera as JSON: eye, target and mode (0: orbit, 1: follow, 2: fly).
JOSTLE_EXPORT(view_camera) void view_camera() {
  if (current_source == nullptr) return set_result("null");
  const render::CameraRig& rig = current_source->rig();
  const math::Position eye = rig.view().eye, target = rig.target();
  JsonWriter json;
  json.open('{').key("eye").open('[').number(eye.x).number(eye.y).number(eye.z).close(']');
  json.key("target").open('[').number(target.x).number(target.y).number(target.z).close(']');
  json.field("mode", static_cast<int>(rig.mode())).close('}');
  set_result(json.take());
}

/// Sets the camera: it looks from an eye at a target, in mode orbit.
JOSTLE_EXPORT(view_look)
void view_look(double x, double y, double z, double target_x, double target_y, double target_z) {
  if (current_source != nullptr) current_source->look({{x, y, z}, {target_x, target_y, target_z}});
}

/// Stores all bodies as JSON: [id, name, motion type, is awake, x, y, z] each.
JOSTLE_EXPORT(view_bodies) void view_bodies() {
  JsonWriter json;
  json.open('[');
  for (const client::ShownBody& body : shown_bodies()) {
    const math::Position at = body.pose.position;
    json.open('[').number(body.info->id.value).text(body.info->name);
    json.number(static_cast<double>(body.info->motion)).flag(body.is_awake);
    json.number(at.x).number(at.y).number(at.z).close(']');
  }
  json.close(']');
  set_result(json.take());
}

/// Stores a body as JSON: name, motion type, pose, owner, shapes and whether it is awake. Null if
/// it does not exist.
JOSTLE_EXPORT(view_body) void view_body(std::uint32_t id) {
  const client::ShownBody* body = render::find_body(shown_bodies(), {id});
  if (body == nullptr) return set_result("null");
  const math::Position at = body->pose.position;
  const math::Quat turn = body->pose.rotation;
  JsonWriter json;
  json.open('{').field("id", body->info->id.value).field("name", body->info->name);
  json.field("motion", static_cast<int>(body->info->motion)).field("awake", body->is_awake);
  json.field("owner", body->info->owner.value).field("shapes", body->info->shapes.size());
  json.key("position").open('[').number(at.x).number(at.y).number(at.z).close(']');
  json.key("rotation")
      .open('[')
      .number(static_cast<double>(turn.x))
      .number(static_cast<double>(turn.y));
  json.number(static_cast<double>(turn.z))
      .number(static_cast<double>(turn.w))
      .close(']')
      .close('}');
  set_result(json.take());
}

/// Stores the mesh of a slot: vertices of 28 bytes, then 16-bit indices. Returns the number of
/// vertices; 0: there is no such slot. `is_caster`: with merged vertices, for shadows.
JOSTLE_EXPORT(mesh_of_slot)
std::uint32_t mesh_of_slot(std::uint32_t slot, std::uint32_t is_caster) {
  if (slot >= render::mesh_slot_count) return 0;
  const shape_mesh::Mesh mesh = render::unit_mesh(slot);
  const shape_mesh::Mesh shown = is_caster != 0 ? shape_mesh::welded(mesh) : mesh;
  return put_mesh(shown.vertices, shown.indices);
}

/// Stores the triangles of a solid of the last frame: three vertices of 28 bytes each. Returns the
/// number of vertices; 0: there is no such solid.
JOSTLE_EXPORT(mesh_of_solid) std::uint32_t mesh_of_solid(std::uint32_t index) {
  const auto solid = view.solid(index);
  return solid ? put_mesh(shape_mesh::solid_corners(*solid), {}) : 0;
}

/// Stores the shaders of client/render as JSON.
JOSTLE_EXPORT(shader_texts) void shader_texts() {
  const render::ShaderSources& sources = render::shader_sources();
  JsonWriter json;
  json.open('{').field("common", sources.common);
  json.field("shape_vertex", sources.shape_vertex).field("shape_fragment", sources.shape_fragment);
  json.field("speck_vertex", sources.speck_vertex).field("speck_fragment", sources.speck_fragment);
  json.field("shadow_vertex", sources.shadow_vertex);
  json.field("shadow_fragment", sources.shadow_fragment);
  json.field("ground_vertex", sources.ground_vertex);
  json.field("ground_fragment", sources.ground_fragment);
  json.field("sky_vertex", sources.sky_vertex).field("sky_fragment", sources.sky_fragment);
  json.field("debug_draw_vertex", sources.debug_draw_vertex);
  json.field("debug_draw_fragment", sources.debug_draw_fragment).close('}');
  set_result(json.take());
}

}  // namespace jostle::web
