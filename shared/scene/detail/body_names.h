#pragma once

#include "shared/scene/detail/value_reader.h"
#include "shared/scene/scene.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace jostle::scene::detail {

/// The bodies of a scene by name. They must live longer, unchanged.
class BodyNames {
 public:
  explicit BodyNames(const std::vector<SceneBody>& bodies);

  /// The index of the body with that name; fails the reader, and gives 0, where there is none.
  std::uint32_t find(ValueReader& reader, const flatbuffers::String* text, const Path& path) const;

 private:
  std::map<std::string_view, std::uint32_t> indices_;
};

}  // namespace jostle::scene::detail
