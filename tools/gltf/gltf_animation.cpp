#include "tools/gltf/gltf_animation.h"

#include "tools/gltf/model_builder.h"

#include <utility>

namespace jostle::gltf {

void GltfAnimation::add(const sim::Simulation& now) {
  const double seconds = static_cast<double>(now.tick().number) / now.options().tick_rate_hz;
  if (frames_++ == 0) {
    name_ = now.scene().name;
    camera_ = now.world_def().camera;
    first_s_ = seconds;
  }
  last_s_ = seconds;
  std::map<state::BodyId, std::size_t> still_there;
  for (const state::BodyInfo& body : now.world_def().bodies) {
    const auto open = open_.find(body.id);
    const bool goes_on = open != open_.end() && tracks_[open->second].body().shapes == body.shapes;
    if (!goes_on) tracks_.emplace_back(body);
    const std::size_t track = goes_on ? open->second : tracks_.size() - 1;
    tracks_[track].add(seconds - first_s_, now.world().pose(*now.find_body(body.id)));
    still_there[body.id] = track;
  }
  open_ = std::move(still_there);
}

std::string GltfAnimation::text(bool is_binary) const {
  ModelBuilder model(name_, static_cast<float>(last_s_ - first_s_));
  model.add_camera(camera_);
  for (const Track& track : tracks_)
    model.add(track);
  return model.text(is_binary);
}

}  // namespace jostle::gltf
