#pragma once

#include "shared/scene/detail/value_reader.h"
#include "shared/scene/scene.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace jostle::scene::detail {

/// An index of a scene's bodies by name. The bodies must outlive this object and must not change.
class BodyNames {
 public:
  explicit BodyNames(const std::vector<SceneBody>& bodies);

  /// Returns the index of the body with that name. Fails the reader and returns 0 if there is none.
  std::uint32_t find(ValueReader& reader, const flatbuffers::String* text, const Path& path) const;

 private:
  std::map<std::string_view, std::uint32_t> indices_;
};

}  // namespace jostle::scene::detail
