#include "tools/snapshots/measure_profiles.h"

#include "protocol/precise/precise_codec.h"
#include "tools/snapshots/cpu_time.h"
#include "tools/snapshots/katamari_frames.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace jostle::snapshots {
namespace {

using protocol::precise::FineBody;
using protocol::precise::LosslessBody;

std::optional<FineBody> convert(const state::BodyState& state, const FineBody* /*as*/) {
  return protocol::precise::to_fine(state);
}
std::optional<LosslessBody> convert(const state::BodyState& state, const LosslessBody* /*as*/) {
  return protocol::precise::to_exact(state);
}
/// Returns the uncompressed size of a body, in bytes: numbers in the width of their fields, and a
/// smallest-three rotation in six bytes.
constexpr std::size_t raw_bytes_of(const FineBody* /*body*/) {
  return 3 * 4 + 6 + 6 * 4 + 1;
}
constexpr std::size_t raw_bytes_of(const LosslessBody* /*body*/) {
  return 3 * 8 + 4 * 4 + 6 * 4 + 1;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <class Body>
base::Result<ProfileFigures, std::string> measure_as(const FrameSet& set, std::uint32_t age) {
  std::vector<std::vector<Body>> frames(set.states.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    for (const state::BodyState& state : set.states[i]) {
      const auto body = convert(state, static_cast<const Body*>(nullptr));
      if (!body) return "a number of frame " + std::to_string(i) + " is not finite";
      frames[i].push_back(*body);
    }
  }
  ProfileFigures figures;
  std::vector<double> encode_us, decode_us;
  for (std::size_t i = age; i < frames.size(); ++i) {
    const protocol::precise::Reference<Body> reference{
        frames[i - age], static_cast<float>(age) / static_cast<float>(frames_per_second)};
    const double begin = cpu_us();
    const auto bytes = protocol::precise::encode(std::span<const Body>(frames[i]), reference);
    const double encoded = cpu_us();
    const auto back = protocol::precise::decode(bytes, frames[i].size(), reference);
    decode_us.push_back(cpu_us() - encoded);
    encode_us.push_back(encoded - begin);
    if (!back || *back != frames[i])
      return "frame " + std::to_string(i) + " differs after decoding";
    figures.bytes += static_cast<double>(bytes.size());
    figures.raw_bytes +=
        static_cast<double>(frames[i].size() * raw_bytes_of(static_cast<const Body*>(nullptr)));
    ++figures.frames;
  }
  figures.bytes /= static_cast<double>(figures.frames);
  figures.raw_bytes /= static_cast<double>(figures.frames);
  figures.encode_median_us = median(encode_us);
  figures.decode_median_us = median(decode_us);
  return figures;
}

}  // namespace

base::Result<ProfileFigures, std::string> measure_profile(const FrameSet& set, Profile profile,
                                                          std::uint32_t age) {
  if (set.states.size() <= age) {
    return "--age " + std::to_string(age) + " needs at least " + std::to_string(age + 1) +
           " frames with states, but the set has only " + std::to_string(set.states.size());
  }
  return profile == Profile::Fine ? measure_as<FineBody>(set, age)
                                  : measure_as<LosslessBody>(set, age);
}

}  // namespace jostle::snapshots
