#include "shared/scene/detail/body_list.h"

#include "shared/scene/detail/limits.h"

namespace jostle::scene::detail {

bool BodyList::check_room(ValueReader& reader, std::uint64_t count, std::size_t shapes,
                          const Path& path) {
  if (count > max_scene_bodies - bodies_.size()) {
    reader.fail(path, "brings the scene to " + std::to_string(bodies_.size() + count) +
                          " bodies; at most " + std::to_string(max_scene_bodies) + " are allowed");
    return false;
  }
  if (shape_count_ + count * shapes > max_scene_shapes) {
    reader.fail(path, "brings the scene to " + std::to_string(shape_count_ + count * shapes) +
                          " shapes; at most " + std::to_string(max_scene_shapes) + " are allowed");
    return false;
  }
  return true;
}

void BodyList::add(ValueReader& reader, SceneBody body, const Path& path) {
  if (!check_room(reader, 1, body.shapes.size(), path)) return;
  if (!body.name.empty() && !names_.insert(body.name).second)
    reader.fail(path.field("name"), "\"" + body.name + "\" is already the name of another body");
  shape_count_ += body.shapes.size();
  bodies_.push_back(std::move(body));
}

std::string BodyList::next_name(const std::string& prefix) {
  return prefix + "_" + std::to_string(next_numbers_[prefix]++);
}

}  // namespace jostle::scene::detail
