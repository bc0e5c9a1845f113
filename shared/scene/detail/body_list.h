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

/// The bodies of a scene as they come to stand in it. Keeps names apart and totals within limits.
class BodyList {
 public:
  std::size_t size() const { return bodies_.size(); }
  /// `path` is that of the entry which makes the body.
  void add(ValueReader& reader, SceneBody body, const Path& path);
  /// Whether `count` more bodies of at most `shapes` shapes each are within the limits of a scene.
  bool check_room(ValueReader& reader, std::uint64_t count, std::size_t shapes, const Path& path);
  /// prefix_0, prefix_1 ... counted up over the whole scene.
  std::string next_name(const std::string& prefix);

  std::vector<SceneBody> take() { return std::move(bodies_); }

 private:
  std::vector<SceneBody> bodies_;
  std::size_t shape_count_ = 0;
  std::set<std::string, std::less<>> names_;
  std::map<std::string, std::uint32_t, std::less<>> next_numbers_;
};

}  // namespace jostle::scene::detail
