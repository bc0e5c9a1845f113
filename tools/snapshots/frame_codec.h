#pragma once

#include "shared/base/result.h"
#include "shared/scene/scene.h"
#include "tools/snapshots/frame_set.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::snapshots {

/// What a frame is coded against: the newest one that is acknowledged, and another before it.
struct Reference {
  std::uint32_t age = 0;  // frames before
  const Frame* frame = nullptr;
  std::uint32_t gap = 0;  // frames from the older to the newer one; 0: there is none
  const Frame* previous = nullptr;
  /// What the player held in the frames after `previous`, that which is coded the last. Only
  /// encoders are told.
  std::span<const protocol::context::HeldInput> inputs = {};
};

/// One message of a frame: the bodies [first, first + count).
struct Part {
  std::uint32_t first = 0, count = 0;
  std::vector<std::byte> payload;

  bool operator==(const Part&) const = default;
};

/// A way to write frames as snapshots. It keeps nothing from frame to frame. `foresight_us` grows
/// by the time that a simulation took, if the codec runs one.
class FrameCodec {
 public:
  virtual ~FrameCodec() = default;
  virtual std::vector<Part> encode(const Frame& frame, const Reference& reference,
                                   double& foresight_us) const = 0;
  /// An error says what is wrong with the bytes.
  virtual base::Result<Frame, std::string> decode(const std::vector<Part>& parts,
                                                  const Reference& reference,
                                                  double& foresight_us) const = 0;
  /// Whether it codes only frames of which inputs are known.
  virtual bool needs_inputs() const { return false; }
};

/// By name: v0, which writes every body whole, v1, the bit-packed deltas of
/// protocol/snapshot_codec.h, v2, the context coder of protocol/context/context_codec.h, or v3, the
/// same with a simulation of `scene`, which must be given then; null for others.
std::unique_ptr<FrameCodec> make_codec(std::string_view name, const scene::SceneDef* scene);
inline constexpr std::string_view codec_names = "v0|v1|v2|v3";

}  // namespace jostle::snapshots
