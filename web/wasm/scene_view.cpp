#include "web/wasm/scene_view.h"

#include "client/render/shadow_frustum.h"
#include "client/render/shown_bodies.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jostle::web {
namespace {

constexpr float tag_height = 0.9f;  // m above the origin of a player's body

std::uint32_t address_of(const auto* data) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(data));
}

}  // namespace

const Frame& SceneView::build(const render::Picture& picture, render::Size size, int shadow_size) {
  const render::InstanceList& list = builder_.build(picture, size);
  frame_ = {};
  frame_.is_ready = 1;
  frame_.instances = address_of(list.instances.data());
  frame_.instance_count = static_cast<std::uint32_t>(list.instances.size());
  std::transform(list.first.begin(), list.first.end(), first_.begin(),
                 [](std::size_t first) { return static_cast<std::uint32_t>(first); });
  frame_.first = address_of(first_.data());
  add_solids(list);
  grounds_.clear();
  for (const render::GroundPlane& plane : list.planes)
    if (const auto ground = render::ground_uniforms(plane, picture)) grounds_.push_back(*ground);
  frame_.grounds = address_of(grounds_.data());
  frame_.ground_count = static_cast<std::uint32_t>(grounds_.size());
  debug_draw_.clear();
  if (picture.debug_draw != nullptr)
    render::build_debug_draw_mesh(*picture.debug_draw, picture.view, size, debug_draw_);
  frame_.debug_draw = address_of(debug_draw_.data());
  frame_.debug_draw_count = static_cast<std::uint32_t>(debug_draw_.size());
  add_tags(picture, size);
  frame_.hovered = picture.hovered.value;
  frame_.bodies = static_cast<std::uint32_t>(picture.bodies.size());
  frame_.awake_bodies = static_cast<std::uint32_t>(
      std::ranges::count_if(picture.bodies, [](const client::ShownBody& body) {
        return body.is_awake && body.info->motion == state::MotionType::Dynamic;
      }));
  frame_.particles = static_cast<std::uint32_t>(picture.particles.size());
  set_uniforms(picture, size, shadow_size);
  return frame_;
}

void SceneView::add_solids(const render::InstanceList& list) {
  std::map<std::uint64_t, KnownSolid> kept;
  solids_.clear();
  for (const render::SolidInstances& entry : list.solids) {
    const auto found = known_.find(entry.solid->content_hash);
    const KnownSolid solid =
        found != known_.end() ? found->second : KnownSolid{next_solid_++, entry.solid};
    kept[entry.solid->content_hash] = solid;
    solids_.push_back({solid.index, static_cast<std::uint32_t>(entry.first),
                       static_cast<std::uint32_t>(entry.count)});
  }
  known_ = std::move(kept);
  frame_.solids = address_of(solids_.data());
  frame_.solid_count = static_cast<std::uint32_t>(solids_.size());
}

std::shared_ptr<const state::Solid> SceneView::solid(std::uint32_t index) const {
  for (const auto& [hash, known] : known_)
    if (known.index == index) return known.solid;
  return nullptr;
}

void SceneView::add_tags(const render::Picture& picture, render::Size size) {
  tags_.clear();
  for (const client::ShownBody* body : render::player_bodies(picture.bodies)) {
    const auto point =
        render::project(picture.view, size, body->pose.position + math::Vec3{0, tag_height, 0});
    if (!point) continue;
    const bool is_own = !picture.own.is_null() && body->info->owner == picture.own;
    tags_.push_back({point->x, point->y, body->info->id.value, is_own ? 1U : 0U});
  }
  frame_.tags = address_of(tags_.data());
  frame_.tag_count = static_cast<std::uint32_t>(tags_.size());
}

void SceneView::set_uniforms(const render::Picture& picture, render::Size size, int shadow_size) {
  frame_.clip_from_offset = picture.view.clip_from_offset(size.aspect()).m;
  if (shadow_size > 0) {
    const render::ShadowFrustum frustum = render::fit_shadow_frustum(picture, shadow_size);
    frame_.shadow_from_offset = frustum.clip_from_offset.m;
    frame_.shadow_texel = frustum.texel_size;
  }
  frame_.fog_density = render::fog_density(picture);
  frame_.sun = render::sun_direction();
  const float tangent = std::tan(picture.view.fov_y * 0.5f);
  frame_.view_right = picture.view.right * (tangent * size.aspect());
  frame_.view_up = picture.view.up * tangent;
  frame_.view_forward = picture.view.forward;
}

}  // namespace jostle::web
