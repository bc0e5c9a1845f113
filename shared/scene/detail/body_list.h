#pragma once

#include "shared/scene/detail/value_reader.h"
#include "shared/scene/scene.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::scene::detail {

/// The bodies of a scene in their final order. Ensures that names are unique and totals within
/// limits.
class BodyList {
 public:
  std::size_t size() const { return bodies_.size(); }
  /// Adds a body. `path` is the path of the entry that creates it.
  void add(ValueReader& reader, SceneBody body, const Path& path);
  /// Returns true if `count` more bodies of at most `shapes` shapes each are within the limits of a
  /// scene. Fails the reader otherwise.
  bool check_room(ValueReader& reader, std::uint64_t count, std::size_t shapes, const Path& path);
  /// Returns the next name of a series: prefix_0, prefix_1 ..., counted over the whole scene.
  std::string next_name(const std::string& prefix);

  std::vector<SceneBody> take() { return std::move(bodies_); }

 private:
  std::vector<SceneBody> bodies_;
  std::size_t shape_count_ = 0;
  std::set<std::string, std::less<>> names_;
  std::map<std::string, std::uint32_t, std::less<>> next_numbers_;
};

}  // namespace jostle::scene::detail
