#pragma once

#include "shared/state/world_def.h"
#include "tools/gltf/track.h"

#include <memory>
#include <string>

namespace jostle::gltf {

/// Puts a glTF model together.
class ModelBuilder {
 public:
  /// `length_s`: of the whole animation.
  ModelBuilder(const std::string& name, float length_s);
  ~ModelBuilder();
  ModelBuilder(const ModelBuilder&) = delete;
  ModelBuilder& operator=(const ModelBuilder&) = delete;

  void add_camera(const state::Camera& camera);
  /// A node, with one below it for each of the body's shapes, and what moves it.
  void add(const Track& track);
  /// Once, at the end; see MovingPicture::write.
  bool write(const std::string& path, bool is_binary);

 private:
  struct Model;
  std::unique_ptr<Model> model_;
};

}  // namespace jostle::gltf
