#pragma once

#include "shared/state/world_def.h"
#include "tools/gltf/track.h"

#include <memory>
#include <string>

namespace jostle::gltf {

/// Builds a glTF model from tracks.
class ModelBuilder {
 public:
  /// Begins a model. `length_s` is the length of the whole animation.
  ModelBuilder(const std::string& name, float length_s);
  ~ModelBuilder();
  ModelBuilder(const ModelBuilder&) = delete;
  ModelBuilder& operator=(const ModelBuilder&) = delete;

  void add_camera(const state::Camera& camera);
  /// Adds a node with one child for each of the body's shapes, and the animation of the node.
  void add(const Track& track);
  /// Returns the model (see GltfAnimation::text). Call it once, at the end.
  std::string text(bool is_binary);

 private:
  struct Model;
  std::unique_ptr<Model> model_;
};

}  // namespace jostle::gltf
