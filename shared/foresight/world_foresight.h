#pragma once

#include "protocol/context/context_codec.h"
#include "shared/foresight/foresight.h"
#include "shared/state/ids.h"
#include "shared/state/world_def.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jostle::foresight {

/// Of the engine's bits and the coder's priors: ends that differ in it would foresee different
/// worlds. Made by running a small world of many kinds of contacts and joints, once.
std::uint64_t fingerprint();

/// Foresight in a world whose bodies come and go.
class WorldForesight {
 public:
  WorldForesight(scene::SceneDef scene, int tick_rate_hz)
      : scene_(std::move(scene)), tick_rate_hz_(tick_rate_hz) {}

  /// The bodies as they are now; costs nothing while the revision is the same.
  void set_world(const state::WorldDef& world);
  /// The players whose inputs are asked for, in their order.
  const std::vector<state::PlayerId>& steered() const { return steered_; }
  const scene::SceneDef& scene() const { return scene_; }

  /// Where the bodies of `baseline`, of which `previous` is an older state, will be at `tick`. As
  /// in Foresight::foresee; nothing where these do not fit the world or each other.
  std::vector<protocol::context::ForeseenBody> foresee(
      const protocol::context::ReferencePair& references, state::Tick tick,
      std::span<const protocol::QuantizedBody> baseline,
      std::span<const protocol::QuantizedBody> previous,
      std::span<const protocol::context::HeldInput> inputs) const;

 private:
  scene::SceneDef scene_;
  int tick_rate_hz_ = 60;
  std::uint32_t revision_ = 0;
  std::size_t moving_ = 0;  // bodies
  std::vector<state::PlayerId> steered_;
  std::optional<Foresight> foresight_;
};

}  // namespace jostle::foresight
