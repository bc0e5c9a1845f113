#include "shared/scene/scene.h"

namespace jostle::scene {

std::string SceneError::text() const {
  std::string out = file;
  if (line > 0) out += ":" + std::to_string(line) + ":" + std::to_string(column);
  if (!out.empty()) out += ": ";
  if (!path.empty()) out += path + (subject.empty() ? "" : " of " + subject) + ": ";
  return out + message;
}

}  // namespace jostle::scene
