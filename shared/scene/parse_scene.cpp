#include "shared/scene/detail/json_check.h"
#include "shared/scene/detail/scene_reader.h"
#include "shared/scene/detail/value_place.h"
#include "shared/scene/scene.h"
#include "shared/scene/scene_generated.h"

#include <string>
#include <utility>

namespace jostle::scene {

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
                    "is larger than " + std::to_string(max_scene_file_bytes >> 20) +
                        " MiB, the limit for scene files"});
  }
  auto buffer = detail::parse_json(text);
  if (!buffer) return refused(buffer.error());
  auto scene = detail::read_scene(*flatbuffers::GetRoot<wire::Scene>(buffer->data()), file_name);
  if (!scene) {
    SceneError error = scene.error();
    if (!error.path.empty()) {
      const detail::TextPlace place = detail::place_of_value(text, error.path);
      error.line = place.line;
      error.column = place.column;
    }
    return error;
  }
  scene->source_text = text;
  return scene;
}

}  // namespace jostle::scene
