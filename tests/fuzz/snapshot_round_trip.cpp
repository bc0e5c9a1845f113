// Fuzzes the snapshot codecs: frames of generated bodies must survive each codec bit for bit, and
// arbitrary bytes as a part of a frame must be rejected or yield valid bodies.
#include "protocol/context/predicted_codec.h"
#include "protocol/limits.h"
#include "protocol/precise/precise_codec.h"
#include "protocol/snapshot_codec.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/read_again.h"

#include <algorithm>
#include <map>
#include <optional>

namespace jostle::protocol::fuzz_snapshot_round_trip {
namespace {

using context::BaselinePair;
using context::ReferenceRun;
using fuzz::FuzzInput;

constexpr std::size_t max_bodies_here = 48;
constexpr std::size_t players = 2, predicted_ticks = 6;
constexpr state::Tick spawn{0}, older{14}, newer{15}, now{20};

QuantizedBody any_body(FuzzInput& input) {
  math::Pose pose;
  pose.position = {static_cast<double>(static_cast<std::int32_t>(input.u32())) / 256.0,
                   static_cast<double>(static_cast<std::int16_t>(input.u16())) / 64.0,
                   static_cast<double>(static_cast<std::int32_t>(input.u32())) / 65'536.0};
  const auto component = [&] { return static_cast<float>(static_cast<std::int8_t>(input.u8())); };
  const float x = component(), y = component(), z = component(), w = component();
  if (x != 0 || y != 0 || z != 0 || w != 0) pose.rotation = math::normalized({x, y, z, w});
  return quantize(pose, input.boolean());
}

/// Returns the body in the next frame. With most inputs, it does not move or moves a little.
QuantizedBody next_of(const QuantizedBody& body, FuzzInput& input) {
  constexpr std::int64_t furthest = 4'194'303LL * position_steps_per_metre;
  const std::size_t kind = input.choice(8);
  if (kind == 0) return any_body(input);
  QuantizedBody next = body;
  if (kind < 4) return next;
  if (kind == 4) {
    next.is_awake = !next.is_awake;
    return next;
  }
  for (std::int32_t& axis : next.position) {
    const std::int64_t step = static_cast<std::int8_t>(input.u8());
    const std::int64_t moved = axis + (kind == 7 ? step * 1'000'003 : step);
    axis = static_cast<std::int32_t>(std::clamp(moved, -furthest, furthest));
  }
  return next;
}

/// A world at four ticks, and the data that both ends share.
struct Frames {
  QuantizedSnapshot snapshot;
  std::map<std::uint32_t, std::vector<QuantizedBody>> history;
  std::vector<context::BodyFacts> facts;
  std::vector<std::uint32_t> chosen;
  bool chooses = false;
  std::size_t limit = 1'000;

  explicit Frames(FuzzInput& input) {
    const std::size_t count = input.choice(max_bodies_here + 1);
    chooses = input.boolean();
    limit = context::min_predicted_bytes + 16 * input.choice(30);
    snapshot.tick = now;
    snapshot.world_revision = 3;
    for (std::size_t i = 0; i < count; ++i) {
      snapshot.ids.push_back({static_cast<std::uint32_t>(1 + 3 * i)});
      facts.push_back({static_cast<std::uint16_t>(1 + input.u8() * 7), input.choice(8) == 0});
      const QuantizedBody first = any_body(input), second = next_of(first, input),
                          third = next_of(second, input);
      history[spawn.number].push_back(first);
      history[older.number].push_back(second);
      history[newer.number].push_back(third);
      snapshot.bodies.push_back(next_of(third, input));
      if (!chooses || input.boolean()) chosen.push_back(static_cast<std::uint32_t>(i));
    }
    history[now.number] = snapshot.bodies;
  }

  BaselineLookup lookup() const {
    return [this](state::BodyId id, state::Tick baseline) -> const QuantizedBody* {
      const auto at = history.find(baseline.number);
      const auto body = std::lower_bound(snapshot.ids.begin(), snapshot.ids.end(), id);
      if (at == history.end() || body == snapshot.ids.end() || *body != id) return nullptr;
      return &at->second[static_cast<std::size_t>(body - snapshot.ids.begin())];
    };
  }
  SnapshotHeader header_of(const EncodedPart& part) const {
    SnapshotHeader header;
    header.tick = snapshot.tick;
    header.world_revision = snapshot.world_revision;
    header.first = part.first;
    header.count = part.count;
    return header;
  }
};

void check_bodies(std::span<const QuantizedBody> bodies) {
  for (const QuantizedBody& body : bodies) {
    JOSTLE_ASSERT(body.largest < 4);
    for (const std::uint16_t component : body.smallest)
      JOSTLE_ASSERT(component <= rotation_max);
    for (const std::int32_t axis : body.position)
      JOSTLE_ASSERT(std::abs(std::int64_t{axis}) <= 4'194'303LL * position_steps_per_metre);
  }
}

/// A check that each body to be sent is in exactly one part, with an unchanged state.
class Collected {
 public:
  explicit Collected(const Frames& frames)
      : frames_(frames), seen_(frames.snapshot.bodies.size()) {}

  void add(const EncodedPart& part, const DecodedPart& decoded) {
    JOSTLE_ASSERT(part.payload.size() <= frames_.limit);
    JOSTLE_ASSERT(decoded.chosen == part.chosen);
    JOSTLE_ASSERT(decoded.bodies.size() == (part.chosen.empty() ? part.count : part.chosen.size()));
    for (std::size_t i = 0; i < decoded.bodies.size(); ++i) {
      const std::size_t at = part.chosen.empty() ? part.first + i : part.chosen[i];
      JOSTLE_ASSERT(at < seen_.size() && !seen_[at]);
      JOSTLE_ASSERT(decoded.bodies[i] == frames_.snapshot.bodies[at]);
      seen_[at] = true;
    }
  }
  void check_all_of(std::span<const std::uint32_t> wanted) const {
    for (const std::uint32_t at : wanted)
      JOSTLE_ASSERT(seen_[at]);
  }

 private:
  const Frames& frames_;
  std::vector<bool> seen_;
};

/// Returns lengths of baseline runs that add up to `count`.
std::vector<std::uint32_t> run_lengths(std::size_t count, FuzzInput& input) {
  std::vector<std::uint32_t> lengths;
  for (std::size_t done = 0; done < count;) {
    std::size_t length = 1 + input.choice(count - done);
    if (lengths.size() + 1 == max_baseline_runs) length = count - done;
    lengths.push_back(static_cast<std::uint32_t>(length));
    done += length;
  }
  return lengths;
}

/// Checks codec 0, which encodes keyframes.
void go_through_keyframe(const Frames& frames) {
  const auto back = decode_keyframe(encode_keyframe(frames.snapshot));
  JOSTLE_ASSERT(back.has_value() && *back == frames.snapshot);
}

/// Checks codec 1, which always sends all bodies, with a baseline per run of bodies.
void go_through_bits(const Frames& frames, FuzzInput& input) {
  constexpr state::Tick baselines[] = {spawn, older, newer};
  std::vector<BaselineRun> runs;
  for (const std::uint32_t length : run_lengths(frames.snapshot.bodies.size(), input))
    runs.push_back({length, baselines[input.choice(3)]});
  const auto parts = encode_parts(frames.snapshot, runs, frames.lookup(), frames.limit);
  JOSTLE_ASSERT(!parts.empty());
  Collected collected(frames);
  for (const EncodedPart& part : parts) {
    auto bodies =
        decode_part(frames.header_of(part), part.payload, frames.snapshot.ids, frames.lookup());
    JOSTLE_ASSERT(bodies.has_value());
    collected.add(part, {*std::move(bodies), {}});
  }
  std::vector<std::uint32_t> all(frames.snapshot.bodies.size());
  for (std::uint32_t i = 0; i < all.size(); ++i)
    all[i] = i;
  collected.check_all_of(all);
}

/// Checks codec 2, with a pair of baselines per run of bodies.
void go_through_context(const Frames& frames, FuzzInput& input) {
  constexpr BaselinePair pairs[] = {{spawn, spawn}, {older, older}, {newer, newer}, {newer, older}};
  std::vector<ReferenceRun> runs;
  for (const std::uint32_t length : run_lengths(frames.chosen.size(), input))
    runs.push_back({length, pairs[input.choice(4)]});
  std::optional<std::span<const std::uint32_t>> chosen;
  if (frames.chooses) chosen = frames.chosen;
  const auto parts = context::encode_parts({&frames.snapshot, frames.facts, chosen, runs},
                                           frames.lookup(), frames.limit);
  JOSTLE_ASSERT(!parts.empty());
  Collected collected(frames);
  for (const EncodedPart& part : parts) {
    const auto decoded = context::decode_part(frames.header_of(part), part.payload,
                                              frames.snapshot.ids, frames.facts, frames.lookup());
    JOSTLE_ASSERT(decoded.has_value());
    collected.add(part, *decoded);
  }
  collected.check_all_of(frames.chosen);
}

struct PredictionBaseline {
  std::vector<context::BaselinePrediction> bodies;
  std::vector<context::QuantizedInput> inputs;

  PredictionBaseline(const Frames& frames, FuzzInput& input) {
    for (const QuantizedBody& truth : frames.snapshot.bodies) {
      const QuantizedBody body = next_of(truth, input);
      context::BaselinePrediction predicted;
      for (std::size_t i = 0; i < 3; ++i)
        predicted.position[i] = std::int64_t{body.position[i]} * context::predicted_steps +
                                static_cast<std::int8_t>(input.u8());
      predicted.rotation = context::unpack_rotation(body);
      const std::uint8_t flags = input.u8();
      predicted.is_awake = (flags & 1) != 0;
      predicted.is_known = (flags & 6) != 0;
      predicted.is_still = (flags & 24) == 24;
      bodies.push_back(predicted);
    }
    const auto move = [&] {
      return static_cast<std::int8_t>(std::max<int>(static_cast<std::int8_t>(input.u8()), -127));
    };
    for (std::size_t i = 0; i < players * predicted_ticks; ++i) {
      const std::int8_t x = move(), z = move();
      inputs.push_back({x, z, static_cast<std::uint8_t>(input.choice(8))});
    }
  }
};

/// Checks codec 3, whose baselines are predictions of a simulation.
void go_through_prediction_baseline(const Frames& frames, FuzzInput& input) {
  const PredictionBaseline prediction_baseline(frames, input);
  const BaselinePair pair{newer, older};
  std::vector<ReferenceRun> runs;
  if (!frames.chosen.empty())
    runs.push_back({static_cast<std::uint32_t>(frames.chosen.size()), pair});
  std::optional<std::span<const std::uint32_t>> chosen;
  if (frames.chooses) chosen = frames.chosen;
  std::optional<context::Expectation> expectation;
  if (!runs.empty() && input.choice(8) != 0)
    expectation = {prediction_baseline.bodies, prediction_baseline.inputs};
  const auto parts = context::encode_predicted_parts({&frames.snapshot, frames.facts, chosen, runs},
                                                     expectation, frames.lookup(), frames.limit);
  const auto predict_baseline = [&](const BaselinePair& received,
                                    std::span<const context::QuantizedInput> inputs) {
    JOSTLE_ASSERT(received == pair && std::ranges::equal(inputs, prediction_baseline.inputs));
    return std::span<const context::BaselinePrediction>(prediction_baseline.bodies);
  };
  Collected collected(frames);
  for (const EncodedPart& part : parts) {
    const auto decoded =
        context::decode_predicted_part(frames.header_of(part), part.payload, frames.snapshot.ids,
                                       frames.facts, frames.lookup(), players, predict_baseline);
    JOSTLE_ASSERT(decoded.has_value());
    collected.add(part, *decoded);
  }
  collected.check_all_of(frames.chosen);
}

/// Checks the codecs of the profiles fine and lossless.
template <class Body, class Convert>
void go_through_precise(FuzzInput& input, Convert convert) {
  const auto state_of = [&] {
    state::BodyState state;
    const auto real = [&] { return std::bit_cast<float>(input.u32()); };
    state.pose.position = {std::bit_cast<double>(input.u64()), static_cast<double>(real()),
                           static_cast<double>(static_cast<std::int8_t>(input.u8()))};
    const float x = real(), w = real(), v = real(), u = real();
    state.pose.rotation = {x, 0, 0, w};
    state.linear_velocity = {v, 0, 0};
    state.angular_velocity = {0, u, 0};
    state.is_awake = input.boolean();
    return convert(state);
  };
  std::vector<Body> baseline, bodies;
  const bool has_baseline = input.boolean();
  const float age_seconds = static_cast<float>(input.u8()) / 255.0f * precise::max_age_seconds;
  for (std::size_t i = input.choice(16); i > 0; --i) {
    const auto before = state_of();
    const auto after = input.boolean() ? state_of() : before;
    if (!before || !after) continue;
    if (has_baseline) baseline.push_back(*before);
    bodies.push_back(*after);
  }
  const precise::Reference<Body> reference{baseline, age_seconds};
  const auto bytes = precise::encode(std::span<const Body>(bodies), reference);
  const auto back = precise::decode(bytes, bodies.size(), reference);
  JOSTLE_ASSERT(back.has_value() && *back == bodies);
  // Arbitrary bytes must be rejected or yield the same number of bodies. In the lossless profile
  // these must be finite.
  const auto any = precise::decode(fuzz::copy_of(input.rest()), bodies.size(), reference);
  if (!any) return;
  JOSTLE_ASSERT(any->size() == bodies.size());
  if constexpr (std::is_same_v<Body, precise::LosslessBody>)
    for (const Body& body : *any)
      JOSTLE_ASSERT(precise::from_exact(body));
}

/// Decodes arbitrary bytes as a part of any range. They must be rejected or yield the announced
/// number of bodies.
void take_part(const Frames& frames, FuzzInput& input) {
  SnapshotHeader header = frames.header_of({});
  const std::size_t codec = input.choice(3);
  if (input.choice(4) == 0) header.tick = {input.u8()};
  const std::size_t count = frames.snapshot.bodies.size();
  header.first = input.choice(4) == 0 ? input.u32() : 0;
  header.count = input.choice(4) == 0 ? input.u32() : static_cast<std::uint32_t>(count);
  const PredictionBaseline prediction_baseline(frames, input);
  const auto payload = fuzz::copy_of(input.rest());
  base::Result<DecodedPart, DecodeError> decoded = DecodeError::Malformed;
  if (codec == 0) {
    auto bodies = decode_part(header, payload, frames.snapshot.ids, frames.lookup());
    if (bodies) decoded = DecodedPart{*std::move(bodies), {}};
  } else if (codec == 1) {
    decoded =
        context::decode_part(header, payload, frames.snapshot.ids, frames.facts, frames.lookup());
  } else {
    const auto predict_baseline = [&](const BaselinePair&,
                                      std::span<const context::QuantizedInput> inputs) {
      JOSTLE_ASSERT(inputs.size() <= players * context::max_predicted_ticks);
      return std::span<const context::BaselinePrediction>(prediction_baseline.bodies);
    };
    decoded = context::decode_predicted_part(header, payload, frames.snapshot.ids, frames.facts,
                                             frames.lookup(), players, predict_baseline);
  }
  if (!decoded) return;
  JOSTLE_ASSERT(header.first <= count && header.count <= count - header.first);
  JOSTLE_ASSERT(decoded->bodies.size() ==
                (decoded->chosen.empty() ? header.count : decoded->chosen.size()));
  for (std::size_t i = 0; i < decoded->chosen.size(); ++i) {
    const std::uint32_t at = decoded->chosen[i];
    JOSTLE_ASSERT(at >= header.first && at - header.first < header.count);
    JOSTLE_ASSERT(i == 0 || decoded->chosen[i - 1] < at);
  }
  check_bodies(decoded->bodies);
}

}  // namespace

JOSTLE_FUZZ_TARGET(snapshot_round_trip, data, size) {
  fuzz::FuzzInput input(data, size);
  const std::size_t kind = input.choice(7);
  if (kind == 0) {
    go_through_precise<precise::FineBody>(input, precise::to_fine);
    return 0;
  }
  if (kind == 1) {
    go_through_precise<precise::LosslessBody>(input, precise::to_exact);
    return 0;
  }
  const Frames frames(input);
  switch (kind) {
    case 2:
      go_through_keyframe(frames);
      break;
    case 3:
      go_through_bits(frames, input);
      break;
    case 4:
      go_through_context(frames, input);
      break;
    case 5:
      go_through_prediction_baseline(frames, input);
      break;
    case 6:
      take_part(frames, input);
      break;
  }
  return 0;
}

}  // namespace jostle::protocol::fuzz_snapshot_round_trip
