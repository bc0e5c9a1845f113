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

/// The baseline of a frame: the newest acknowledged frame, and another one before it.
struct Reference {
  std::uint32_t age = 0;  // number of frames before the coded one
  const Frame* frame = nullptr;
  std::uint32_t gap = 0;  // number of frames from `previous` to `frame`; 0: no previous frame
  const Frame* previous = nullptr;
  /// The player's input in each frame after `previous`, up to the coded frame. Empty for decoders.
  std::span<const protocol::context::QuantizedInput> inputs = {};
};

/// One message of a frame, with the bodies [first, first + count).
struct Part {
  std::uint32_t first = 0, count = 0;
  std::vector<std::byte> payload;

  bool operator==(const Part&) const = default;
};

/// A codec that writes frames as snapshots. It keeps no state between frames. The time of a
/// simulation, if the codec runs one, is added to `prediction_baseline_us`.
class FrameCodec {
 public:
  virtual ~FrameCodec() = default;
  virtual std::vector<Part> encode(const Frame& frame, const Reference& reference,
                                   double& prediction_baseline_us) const = 0;
  /// Decodes the parts of a frame. The error says what is wrong with the bytes.
  virtual base::Result<Frame, std::string> decode(const std::vector<Part>& parts,
                                                  const Reference& reference,
                                                  double& prediction_baseline_us) const = 0;
  /// Returns true if the codec needs the inputs of each frame.
  virtual bool needs_inputs() const { return false; }
};

/// Makes a codec by name. Returns null if the name is unknown, or for v3 if `scene` is null:
/// - v0: every body uncompressed.
/// - v1: the bit-packed delta codec of protocol/snapshot_codec.h.
/// - v2: the context coder of protocol/context/context_codec.h.
/// - v3: v2 with a prediction by simulating `scene`.
std::unique_ptr<FrameCodec> make_codec(std::string_view name, const scene::SceneDef* scene);
inline constexpr std::string_view codec_names = "v0|v1|v2|v3";

}  // namespace jostle::snapshots
