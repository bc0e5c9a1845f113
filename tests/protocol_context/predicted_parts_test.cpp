#include "protocol/context/layout.h"
#include "protocol/context/predicted_codec.h"
#include "protocol/limits.h"
#include "shared/base/hash.h"
#include "tests/protocol/flipped_bits.h"
#include "tests/protocol_context/sample_world.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>

namespace jostle::protocol::context {
namespace {

constexpr std::size_t ticks = 6, players = 2;

/// Quality of the simulated prediction.
enum class Skill { Exact, Near, None };

struct PredictedSample {
  SampleWorld world;
  std::vector<BaselinePrediction> predicted;
  std::vector<QuantizedInput> inputs;

  PredictedSample(std::uint64_t seed, std::size_t count, std::uint32_t one_in, Skill skill)
      : world(seed, count, one_in) {
    base::Random random(seed + 1'000);
    for (const QuantizedBody& body : world.snapshot.bodies)
      predicted.push_back(predict_baseline(body, skill, random));
    QuantizedInput held;
    for (std::size_t i = 0; i < players * ticks; ++i) {
      const auto draw = [&] { return static_cast<std::int8_t>(random.below(255)); };
      if (random.chance(0.3f)) held = {draw(), draw(), static_cast<std::uint8_t>(random.below(8))};
      if (held.move_x == -128) held.move_x = 0;
      if (held.move_z == -128) held.move_z = 0;
      inputs.push_back(held);
    }
  }

  static BaselinePrediction predict_baseline(const QuantizedBody& body, Skill skill,
                                             base::Random& random) {
    BaselinePrediction predicted;
    predicted.is_known = !random.chance(0.05f);
    predicted.is_awake = body.is_awake;
    predicted.is_still = skill != Skill::Exact && random.chance(0.05f);
    predicted.rotation = unpack_rotation(body);
    for (std::size_t i = 0; i < 3; ++i)
      predicted.position[i] = std::int64_t{body.position[i]} * predicted_steps;
    if (skill == Skill::Exact) return predicted;
    for (std::int64_t& axis : predicted.position)
      axis += static_cast<std::int32_t>(random.below(64)) - 32;
    if (skill == Skill::Near) return predicted;
    predicted.is_still = false;
    for (std::int64_t& axis : predicted.position)
      axis += static_cast<std::int64_t>(random.below(1U << 30)) * 1'000 - (std::int64_t{1} << 38);
    predicted.rotation = {static_cast<std::int32_t>(random.below(16'000)), -9'000, 8'000, 100};
    predicted.is_awake = random.chance(0.5f);
    return predicted;
  }

  std::vector<EncodedPart> encode(std::size_t limit, bool with_prediction_baseline) const {
    const auto runs = world.one_run();
    std::optional<Expectation> expectation;
    if (with_prediction_baseline) expectation = Expectation{predicted, inputs};
    return encode_predicted_parts({&world.snapshot, world.facts, {}, runs}, expectation,
                                  world.history.lookup(), limit);
  }
  base::Result<DecodedPart, DecodeError> decode(const SnapshotHeader& header,
                                                std::span<const std::byte> payload,
                                                bool expects_inputs) const {
    const auto predict_baseline = [&](const BaselinePair& pair,
                                      std::span<const QuantizedInput> received) {
      if (expects_inputs) {
        EXPECT_EQ(std::vector<QuantizedInput>(received.begin(), received.end()), inputs);
        EXPECT_EQ(pair, (BaselinePair{{15}, {14}}));
      }
      return std::span<const BaselinePrediction>(predicted);
    };
    return decode_predicted_part(header, payload, world.snapshot.ids, world.facts,
                                 world.history.lookup(), players, predict_baseline);
  }
};

class PredictedParts : public ::testing::TestWithParam<Skill> {};

TEST_P(PredictedParts, RoundTripBitForBit) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const PredictedSample sample(seed, 2 + seed * 13 % 400,
                                 1 + static_cast<std::uint32_t>(seed % 20), GetParam());
    for (const bool with_prediction_baseline : {true, false}) {
      const auto parts =
          sample.encode(seed % 2 == 0 ? 1'000 : min_predicted_bytes, with_prediction_baseline);
      for (std::size_t i = parts.size(); i-- > 0;) {
        const auto back = sample.decode(samples::header_of(sample.world.snapshot, parts, i),
                                        parts[i].payload, with_prediction_baseline);
        ASSERT_TRUE(back.has_value());
        for (std::size_t k = 0; k < parts[i].count; ++k)
          ASSERT_EQ(back->bodies[k], sample.world.snapshot.bodies[parts[i].first + k]) << k;
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Skills, PredictedParts,
                         ::testing::Values(Skill::Exact, Skill::Near, Skill::None));

std::size_t bytes_of(const std::vector<EncodedPart>& parts) {
  std::size_t bytes = 0;
  for (const EncodedPart& part : parts)
    bytes += part.payload.size();
  return bytes;
}

TEST(PredictedPart, IsShorterWithAGoodPredictionAndHardlyLongerWithABadOne) {
  std::size_t v2 = 0, exact = 0, near = 0, none = 0, without = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const SampleWorld world(seed, 500, 12);
    v2 += bytes_of(world.encode(world.one_run(), 1'000));
    exact += bytes_of(PredictedSample(seed, 500, 12, Skill::Exact).encode(1'000, true));
    near += bytes_of(PredictedSample(seed, 500, 12, Skill::Near).encode(1'000, true));
    none += bytes_of(PredictedSample(seed, 500, 12, Skill::None).encode(1'000, true));
    without += bytes_of(PredictedSample(seed, 500, 12, Skill::None).encode(1'000, false));
  }
  EXPECT_LT(100 * none, 102 * v2) << none << " against " << v2;
  EXPECT_LT(100 * without, 102 * v2) << without << " against " << v2;
  EXPECT_LT(2 * exact, v2);
  EXPECT_LT(exact, near);
  EXPECT_LT(near, v2);
}

struct PredictedPayload {
  PredictedSample world{31, 60, 3, Skill::Near};
  std::vector<EncodedPart> parts = world.encode(1'000, true);
  SnapshotHeader header = samples::header_of(world.world.snapshot, parts, 0);

  base::Result<DecodedPart, DecodeError> decode(std::span<const std::byte> bytes) const {
    return world.decode(header, bytes, false);
  }
  /// Returns true if the bodies of an accepted part can be encoded and decode to the same bodies.
  bool is_encodable(const DecodedPart& part) const {
    return context::is_encodable(
        part, world.world,
        [&](const Content& content) {
          return encode_predicted_parts(content, Expectation{world.predicted, world.inputs},
                                        world.world.history.lookup(), max_part_payload_bytes());
        },
        [&](const SnapshotHeader& of_part, std::span<const std::byte> bytes) {
          return world.decode(of_part, bytes, false);
        });
  }
};

// If only a few bytes are missing, the decoder reads zeros, and the result may be a valid part.
TEST(HostilePredictedPart, ReencodesBodiesThatItAcceptsFromATruncation) {
  const PredictedPayload sample;
  const std::vector<std::byte>& payload = sample.parts[0].payload;
  std::size_t refused = 0;
  for (std::size_t size = 0; size < payload.size(); ++size) {
    const auto part = sample.decode(std::span(payload).first(size));
    refused += part ? 0 : 1;
    EXPECT_TRUE(!part || sample.is_encodable(*part)) << size;
  }
  EXPECT_GT(refused, 50U);
}

TEST(HostilePredictedPart, ReencodesBodiesThatItAcceptsWithAFlippedBit) {
  const PredictedPayload sample;
  const FlippedBits outcome = flip_each_bit(
      sample.parts[0].payload,
      [&](std::span<const std::byte> bytes) { return sample.decode(bytes); },
      [&](const DecodedPart& part) { return sample.is_encodable(part); });
  EXPECT_GT(outcome.refused, 300U);
  EXPECT_GT(outcome.changed, 200U);
  EXPECT_LE(outcome.ignored, 8U);
}

TEST(HostilePredictedPart, ReportsAnUnknownBaselineWithoutAPrediction) {
  const PredictedPayload sample;
  const auto nothing = [](const BaselinePair&, std::span<const QuantizedInput>) {
    return std::span<const BaselinePrediction>{};
  };
  const auto back = decode_predicted_part(sample.header, sample.parts[0].payload,
                                          sample.world.world.snapshot.ids, sample.world.world.facts,
                                          sample.world.world.history.lookup(), players, nothing);
  EXPECT_EQ(back.error(), DecodeError::UnknownBaseline);
  const std::vector<std::byte> huge(max_part_payload_bytes() + 1);
  EXPECT_EQ(sample.world.decode(sample.header, huge, false).error(), DecodeError::TooLarge);
}

TEST(HeldInputs, ApproximateInputsWithinHalfAStep) {
  for (int step = -100; step <= 100; ++step) {
    state::PlayerInput input;
    input.move_x = static_cast<float>(step) / 100;
    input.move_z = -input.move_x;
    input.buttons = 0xFFFF;
    const state::PlayerInput back = to_input(held(input));
    EXPECT_NEAR(back.move_x, input.move_x, 0.5f / full_move + 1e-6f);
    EXPECT_EQ(back.move_z, -back.move_x);
    EXPECT_EQ(back.buttons, 7);
    EXPECT_EQ(held(back), held(input));
  }
  state::PlayerInput odd;
  odd.move_x = std::numeric_limits<float>::quiet_NaN();
  odd.move_z = -1e30f;
  EXPECT_EQ(held(odd), (QuantizedInput{0, -full_move, 0}));
}

// Golden values of the bytes of codec 3, which are the same on every machine. The bytes change with
// the priors and the model. Each change of these needs a new version of the codec.
TEST(PredictedPart, MatchesTheGoldenBytes) {
  EXPECT_EQ(hash(trained_predicted_priors()), 18258060092951653459U);
  const PredictedPayload sample;
  ASSERT_EQ(sample.parts.size(), 1U);
  EXPECT_EQ(std::to_string(sample.parts[0].payload.size()) + " bytes, " +
                std::to_string(base::hash_bytes(sample.parts[0].payload)),
            "92 bytes, 2773928364449085537");
}

}  // namespace
}  // namespace jostle::protocol::context
