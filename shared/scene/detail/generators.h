#pragma once

#include "shared/scene/detail/body_reader.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace jostle::scene::detail {

/// Bodies as they come to stand in the scene, with what is counted across them.
struct BodyList {
  std::vector<SceneBody> bodies;
  std::size_t shape_count = 0;
  /// The next running number of generated names, by the part before the number.
  std::map<std::string, std::uint32_t, std::less<>> next_numbers;
};

/// Appends what one generator makes. All counts are checked before anything is made.
void expand_generator(ValueReader& reader, const wire::Generator& table, const Path& path,
                      const BodyContext& context, BodyList& list);

}  // namespace jostle::scene::detail
