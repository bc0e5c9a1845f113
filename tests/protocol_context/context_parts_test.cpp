#include "protocol/context/layout.h"
#include "protocol/limits.h"
#include "shared/base/hash.h"
#include "tests/protocol_context/sample_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

namespace jostle::protocol::context {
namespace {

/// Checks that parts are consecutive and at most `limit` bytes long, and that each can be decoded
/// alone.
void expect_back(const SampleWorld& world, const std::vector<ReferenceRun>& runs,
                 std::size_t limit) {
  const auto parts = world.encode(runs, limit);
  std::size_t next = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    ASSERT_EQ(parts[i].first, next);
    ASSERT_LE(parts[i].payload.size(), limit);
    next += parts[i].count;
  }
  ASSERT_EQ(next, world.snapshot.bodies.size());
  for (std::size_t i = parts.size(); i-- > 0;) {  // any order works; here backwards
    const auto decoded =
        world.decode(samples::header_of(world.snapshot, parts, i), parts[i].payload);
    ASSERT_TRUE(decoded.has_value());
    ASSERT_TRUE(decoded->chosen.empty());
    for (std::size_t k = 0; k < parts[i].count; ++k)
      ASSERT_EQ(decoded->bodies[k], world.snapshot.bodies[parts[i].first + k]) << "body " << k;
  }
}

TEST(ContextParts, RoundTripRandomSnapshots) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const SampleWorld world(seed, 1 + seed * 13 % 400, 1 + static_cast<std::uint32_t>(seed % 20));
    ASSERT_NO_FATAL_FAILURE(expect_back(world, world.one_run(), 1'000));
  }
}

TEST(ContextParts, RoundTripWithSmallParts) {
  for (const std::size_t limit : {min_part_bytes, std::size_t{200}, std::size_t{500}}) {
    SCOPED_TRACE(limit);
    const SampleWorld world(7, 300, 2);
    ASSERT_NO_FATAL_FAILURE(expect_back(world, world.one_run(), limit));
  }
}

TEST(ContextParts, RoundTripWithMixedBaselines) {
  const SampleWorld world(8, 200, 3);
  const std::vector<ReferenceRun> runs{
      {20, {{15}, {14}}}, {30, {}}, {1, {{14}, {14}}}, {100, {{15}, {15}}}, {49, {}}};
  ASSERT_NO_FATAL_FAILURE(expect_back(world, runs, 1'000));
  ASSERT_NO_FATAL_FAILURE(expect_back(world, runs, 150));
}

/// Checks parts that contain only the bodies `chosen`. All of these must be decoded, in order, and
/// no others.
void expect_some_back(const SampleWorld& world, const std::vector<std::uint32_t>& chosen,
                      const std::vector<ReferenceRun>& runs, std::size_t limit) {
  const auto parts = world.encode_some(chosen, runs, limit);
  std::vector<std::uint32_t> back;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    ASSERT_LE(parts[i].payload.size(), limit);
    const auto decoded =
        world.decode(samples::header_of(world.snapshot, parts, i), parts[i].payload);
    ASSERT_TRUE(decoded.has_value());
    ASSERT_EQ(decoded->chosen, parts[i].chosen);
    for (std::size_t k = 0; k < decoded->bodies.size(); ++k) {
      const std::size_t at =
          decoded->chosen.empty() ? parts[i].first + k : std::size_t{decoded->chosen[k]};
      ASSERT_EQ(decoded->bodies[k], world.snapshot.bodies[at]) << "body " << at;
      back.push_back(static_cast<std::uint32_t>(at));
    }
  }
  ASSERT_EQ(back, chosen);
}

TEST(ContextParts, RoundTripOnlyTheChosenBodies) {
  const SampleWorld world(12, 700, 2);
  base::Random random(5);
  for (const std::uint32_t one_in : {1U, 2U, 10U, 200U}) {
    SCOPED_TRACE(one_in);
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t i = 0; i < 700; ++i)
      if (random.below(one_in) == 0) chosen.push_back(i);
    const auto count = static_cast<std::uint32_t>(chosen.size());
    ASSERT_NO_FATAL_FAILURE(expect_some_back(world, chosen, {{count, {{15}, {14}}}}, 1'000));
    ASSERT_NO_FATAL_FAILURE(expect_some_back(world, chosen, {{count, {}}}, 200));
  }
  ASSERT_NO_FATAL_FAILURE(expect_some_back(world, {0}, {{1, {{15}, {14}}}}, min_part_bytes));
  ASSERT_NO_FATAL_FAILURE(expect_some_back(world, {699}, {{1, {{15}, {14}}}}, min_part_bytes));
  const auto none = world.encode_some({}, {}, min_part_bytes);
  ASSERT_EQ(none.size(), 1U);
  EXPECT_LE(none[0].payload.size(), 1U);
  EXPECT_EQ(none[0].count, 0U);
}

TEST(ContextParts, AllowDifferentReferencesForEveryBody) {
  SampleWorld world(13, 300, 2);
  std::vector<ReferenceRun> runs;
  for (std::uint32_t tick = 16; tick < 20; ++tick) {
    QuantizedSnapshot between = world.snapshot;
    between.tick = {tick};
    world.history.put(between);
  }
  world.snapshot.tick = {30};
  for (std::uint32_t i = 0; i < 300; ++i) {
    const state::Tick baseline{15 + i * 7 % 5};
    runs.push_back(
        {1, {baseline, i % 3 == 0 || baseline.number == 15 ? baseline : state::Tick{15}}});
  }
  ASSERT_NO_FATAL_FAILURE(expect_back(world, runs, 1'000));
}

TEST(ContextParts, EndAtTheMaximumNumberOfReferences) {
  SampleWorld world(14, 200, 2);
  std::vector<ReferenceRun> runs;
  for (std::uint32_t i = 0; i < 100; ++i) {
    QuantizedSnapshot past = world.snapshot;
    past.tick = {1 + i};
    world.history.put(past);
    runs.push_back({2, {past.tick, past.tick}});
  }
  world.snapshot.tick = {110};
  ASSERT_NO_FATAL_FAILURE(expect_back(world, runs, 1'000));
  EXPECT_GE(world.encode(runs, max_part_payload_bytes()).size(), 2U);
}

TEST(ContextParts, RoundTripFromSpawnPoses) {
  const SampleWorld world(9, 901, 10);
  ASSERT_NO_FATAL_FAILURE(expect_back(world, {{901, {}}}, max_part_payload_bytes()));
}

TEST(ContextParts, EncodeAWorldWithoutBodiesAsOnePart) {
  const SampleWorld world(1, 0, 1);
  const auto parts = world.encode({}, min_part_bytes);
  ASSERT_EQ(parts.size(), 1U);
  const auto decoded = world.decode(samples::header_of(world.snapshot, parts, 0), parts[0].payload);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_TRUE(decoded->bodies.empty());
}

TEST(ContextParts, RoundTripPositionsAtTheLimit) {
  SampleWorld world(2, 40, 1);
  base::Random random(77);
  constexpr std::int32_t far = 4'194'303 * position_steps_per_metre;
  for (QuantizedBody& body : world.snapshot.bodies) {
    body = samples::random_body(random);
    for (std::int32_t& axis : body.position) {
      const std::uint32_t kind = random.below(3);
      axis = kind == 0 ? far : kind == 1 ? -far : axis;
    }
  }
  ASSERT_NO_FATAL_FAILURE(expect_back(world, world.one_run(), 1'000));
  ASSERT_NO_FATAL_FAILURE(expect_back(world, world.one_run(), min_part_bytes));
  // Now the baselines are at the limits and the bodies are not, so each body moves by up to the
  // whole range.
  QuantizedSnapshot away = world.snapshot;
  away.tick = {15};
  world.history.put(away);
  const SampleWorld home(3, 40, 2);
  world.snapshot = home.snapshot;
  ASSERT_NO_FATAL_FAILURE(expect_back(world, world.one_run(), 1'000));
}

TEST(ContextParts, AWorldAtRestTakesAFewBytes) {
  SampleWorld world(4, 901, 1'000'000);
  const auto parts = world.encode(world.one_run(), 1'000);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_LE(parts[0].payload.size(), 8U);
}

/// Returns `count` bodies at `tick`. Every tenth body moves and rotates in the air.
QuantizedSnapshot flying(std::uint32_t tick, std::size_t count) {
  QuantizedSnapshot snapshot = samples::resting({tick}, count);
  for (std::size_t i = 0; i < count; i += 10) {
    const auto kind = static_cast<float>(i % 70) / 70;
    const double t = tick / 60.0;
    math::Position position{snapshot.ids[i].value * 0.1 + (3 - 5 * kind) * t, 3 + kind * t,
                            4 * kind * t};
    const math::Quat turn = math::normalized(
        {0.3f * kind, static_cast<float>(0.2 + kind * t), static_cast<float>(0.9 * t), 1});
    snapshot.bodies[i] = quantize({position, turn}, true);
  }
  return snapshot;
}

TEST(ContextParts, TakeAFifthLessThanBitPackingForFlyingBodies) {
  samples::History history;
  history.put(flying(59, 901));
  history.put(flying(60, 901));
  const QuantizedSnapshot snapshot = flying(66, 901);
  const BaselineRun packed_run{901, {60}};
  const ReferenceRun run{901, {{60}, {59}}};
  const std::vector<BodyFacts> facts(901);
  const auto packed = protocol::encode_parts(snapshot, {&packed_run, 1}, history.lookup(), 1'000);
  const auto coded = encode_parts({&snapshot, facts, {}, {&run, 1}}, history.lookup(), 1'000);
  const auto bytes = [](const auto& parts) {
    std::size_t sum = 0;
    for (const EncodedPart& part : parts)
      sum += part.payload.size();
    return sum;
  };
  EXPECT_LT(5 * bytes(coded), 4 * bytes(packed)) << bytes(coded) << " against " << bytes(packed);
}

// Golden values of the bytes on the wire, which are the same on every machine. The bytes change
// with the priors and the model. Each change of these needs a new version of the codec.
TEST(ContextParts, MatchTheGoldenBytes) {
  EXPECT_EQ(hash(trained_priors()), 11543040022624028746U);
  const SampleWorld world(31, 60, 3);
  const auto parts = world.encode({{20, {{15}, {14}}}, {15, {}}, {25, {{15}, {15}}}}, 1'000);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(std::to_string(parts[0].payload.size()) + " bytes, " +
                std::to_string(base::hash_bytes(parts[0].payload)),
            "204 bytes, 10845781915598058124");
}

}  // namespace
}  // namespace jostle::protocol::context
