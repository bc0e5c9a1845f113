#include "protocol/visuals_codec.h"

#include "protocol/limits.h"
#include "shared/base/random.h"
#include "tests/protocol/flipped_bits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

namespace jostle::protocol {
namespace {

using math::Position;
using math::Vec3;

state::ParticleFrame sample(std::size_t count, double extent, std::size_t groups) {
  base::Random random(9);
  state::ParticleFrame frame;
  frame.tick = {1'234};
  for (std::size_t g = 0; g < groups; ++g) {
    state::ParticleGroup group;
    group.colour = {static_cast<std::uint8_t>(g), 20, 30};
    group.radius = 0.05f;
    group.acceleration = {0, -9.81f, 0};
    for (std::size_t i = 0; i < count / groups; ++i) {
      const auto draw = [&] { return static_cast<double>(random.between(-1, 1)) * extent; };
      const double x = draw(), y = draw(), z = draw();
      group.positions.push_back({x + 100, y, z});
      const float u = random.between(-9, 9), v = random.between(-9, 9), w = random.between(-9, 9);
      group.velocities.push_back({u, v, w});
    }
    frame.groups.push_back(std::move(group));
  }
  return frame;
}

/// Joins all parts of a frame. Groups with the same colour are merged.
state::ParticleFrame decoded(const std::vector<std::vector<std::byte>>& messages) {
  state::ParticleFrame frame;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    EXPECT_LE(messages[i].size(), max_state_message_bytes);
    EXPECT_EQ(kind_of_state_message(messages[i]), StateMessage::Particles);
    const auto part = decode_particles(messages[i]);
    EXPECT_TRUE(part.has_value());
    if (!part) return frame;
    EXPECT_EQ(part->part, i);
    EXPECT_EQ(part->parts, messages.size());
    frame.tick = part->tick;
    for (const state::ParticleGroup& group : part->groups) {
      if (frame.groups.empty() || frame.groups.back().colour != group.colour) {
        frame.groups.push_back(group);
        continue;
      }
      state::ParticleGroup& last = frame.groups.back();
      last.positions.insert(last.positions.end(), group.positions.begin(), group.positions.end());
      last.velocities.insert(last.velocities.end(), group.velocities.begin(),
                             group.velocities.end());
    }
  }
  return frame;
}

TEST(VisualsCodec, RoundTripsParticlesWithinTheErrorBound) {
  for (const double extent : {0.0, 3.0, 60.0, 5e3, 1e6}) {
    SCOPED_TRACE(extent);
    const state::ParticleFrame frame = sample(600, extent, 3);
    const state::ParticleFrame back = decoded(encode_particles(frame));
    EXPECT_EQ(back.tick, frame.tick);
    ASSERT_EQ(back.groups.size(), 3U);
    const double error = std::max(1.0 / 1'024, 2 * extent / 65'535) + 1.0 / 1'024;
    for (std::size_t g = 0; g < 3; ++g) {
      const state::ParticleGroup &was = frame.groups[g], &is = back.groups[g];
      EXPECT_EQ(is.colour, was.colour);
      EXPECT_EQ(is.radius, was.radius);
      EXPECT_EQ(is.acceleration, was.acceleration);
      ASSERT_EQ(is.positions.size(), was.positions.size());
      for (std::size_t i = 0; i < was.positions.size(); ++i) {
        EXPECT_NEAR(is.positions[i].x, was.positions[i].x, error);
        EXPECT_NEAR(is.positions[i].y, was.positions[i].y, error);
        EXPECT_NEAR(is.positions[i].z, was.positions[i].z, error);
        EXPECT_LE(length(is.velocities[i] - was.velocities[i]), 9.0f / 254 * 1.75f);
      }
    }
  }
}

TEST(VisualsCodec, TheMaximumNumberOfParticlesFitsTheParts) {
  for (const std::size_t groups : {1U, 64U}) {
    const state::ParticleFrame frame = sample(state::max_shown_particles, 10, groups);
    const auto messages = encode_particles(frame);
    EXPECT_LE(messages.size(), max_particle_parts);
    std::size_t count = 0;
    for (const state::ParticleGroup& group : decoded(messages).groups)
      count += group.positions.size();
    EXPECT_EQ(count, state::max_shown_particles);
  }
}

TEST(VisualsCodec, EncodesAFrameWithoutParticles) {
  const auto messages = encode_particles({{7}, 3, {}});
  ASSERT_EQ(messages.size(), 1U);
  const auto part = decode_particles(messages[0]);
  ASSERT_TRUE(part.has_value());
  EXPECT_EQ(part->tick.number, 7U);
  EXPECT_EQ(part->world_revision, 3U);
  EXPECT_TRUE(part->groups.empty());
}

TEST(VisualsCodec, LeavesOutParticlesThatAreTooFarAway) {
  state::ParticleFrame frame = sample(4, 1, 1);
  frame.groups[0].positions[1].x = 5e6;
  frame.groups[0].positions[2].z = -1e9;
  EXPECT_EQ(decoded(encode_particles(frame)).groups[0].positions.size(), 2U);
}

TEST(VisualsCodec, KeepsAVelocityOfZero) {
  state::ParticleFrame frame = sample(3, 1, 1);
  frame.groups[0].velocities.assign(3, Vec3{});
  EXPECT_EQ(decoded(encode_particles(frame)).groups[0].velocities[2], Vec3{});
}

state::Labels some_labels() {
  return {{77},
          5,
          {{"explicit Euler", state::LabelKind::EnergyChange, 1.53f},
           {"höhe", state::LabelKind::Height, -2},
           {"", state::LabelKind::Speed, 3}}};
}

TEST(VisualsCodec, RoundTripsLabels) {
  const auto bytes = encode_labels(some_labels());
  EXPECT_EQ(kind_of_state_message(bytes), StateMessage::Labels);
  const auto back = decode_labels(bytes);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*back, some_labels());
}

TEST(VisualsCodec, SixteenLabelsWithLongNamesFit) {
  state::Labels labels;
  for (std::size_t i = 0; i < state::max_labels; ++i)
    labels.lines.push_back({std::string(64, 'x'), state::LabelKind::Energy, 1});
  const auto back = decode_labels(encode_labels(labels));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->lines[15].name, std::string(max_label_name_bytes, 'x'));
}

state::Labels some_values() {
  return {{78},
          5,
          {{"score", state::LabelKind::Number, 3},
           {"left", state::LabelKind::Duration, 12.5f},
           {"state", state::LabelKind::Text, 0, "Ada führt"}}};
}

TEST(VisualsCodec, RoundTripsValues) {
  const auto bytes = encode_values(some_values());
  EXPECT_EQ(kind_of_state_message(bytes), StateMessage::Values);
  const auto back = decode_values(bytes);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*back, some_values());
  EXPECT_FALSE(decode_labels(bytes).has_value());
}

TEST(VisualsCodec, AllValuesWithLongNamesAndTextsFit) {
  state::Labels values;
  for (std::size_t i = 0; i < state::max_shown_values; ++i)
    values.lines.push_back({std::string(64, 'x'), state::LabelKind::Text, 1, std::string(64, 'y')});
  const auto back = decode_values(encode_values(values));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->lines[11].name, std::string(state::max_value_name_bytes, 'x'));
  EXPECT_EQ(back->lines[11].text, std::string(state::max_value_text_bytes, 'y'));
}

state::Ropes some_ropes() {
  return {{78},
          6,
          3,
          9,
          {{{{4}, {1, -2, 3}}, {{}, {1e6f, 0, -1e6f}}, state::RopeKind::Rope},
           {{{7}, {0, 0.5f, 0}}, {{9}, {}}, state::RopeKind::Spring},
           {{{2}, {}}, {{1'000'000}, {}}, state::RopeKind::Rod}}};
}

TEST(VisualsCodec, RoundTripsRopes) {
  const auto bytes = encode_ropes(some_ropes());
  EXPECT_EQ(kind_of_state_message(bytes), StateMessage::Ropes);
  const auto back = decode_ropes(bytes);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*back, some_ropes());
  EXPECT_EQ(*decode_ropes(encode_ropes({})), state::Ropes{});
}

TEST(VisualsCodec, TheMaximumNumberOfRopesFitsAMessage) {
  state::Ropes ropes = some_ropes();
  ropes.total = state::max_shown_ropes;
  ropes.first = state::max_shown_ropes - max_message_ropes;
  ropes.ropes.resize(max_message_ropes);
  const auto bytes = encode_ropes(ropes);
  EXPECT_LE(bytes.size(), max_state_message_bytes);
  EXPECT_EQ(*decode_ropes(bytes), ropes);
}

TEST(VisualsCodec, RejectsEveryTruncationOfRopes) {
  const auto bytes = encode_ropes(some_ropes());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decode_ropes(std::span(bytes).first(size)).has_value()) << size;
}

TEST(VisualsCodec, ReencodesRopesThatItAcceptsWithAFlippedBit) {
  const FlippedBits outcome =
      decode_with_flipped_bits(encode_ropes(some_ropes()), decode_ropes, encode_ropes);
  EXPECT_GT(outcome.refused, 200U);
  EXPECT_LT(outcome.ignored, 150U) << "padding, and tables of FlatBuffers";
}

TEST(VisualsCodec, RejectsEveryTruncationOfParticlesAndLabels) {
  const auto particles = encode_particles(sample(20, 5, 2))[0];
  const auto labels = encode_labels(some_labels());
  for (std::size_t size = 0; size < particles.size(); ++size)
    EXPECT_FALSE(decode_particles(std::span(particles).first(size)).has_value()) << size;
  for (std::size_t size = 0; size < labels.size(); ++size)
    EXPECT_FALSE(decode_labels(std::span(labels).first(size)).has_value()) << size;
  const std::vector<std::byte> large(max_state_message_bytes + 1);
  EXPECT_FALSE(decode_particles(large).has_value());
  EXPECT_FALSE(decode_labels(large).has_value());
}

/// Returns the encoding of a part. Expects that the numbers that the encoder does not assert are
/// within their limits.
std::vector<std::byte> reencoded(const ParticlePart& part) {
  EXPECT_LT(part.part, part.parts);
  EXPECT_LE(part.parts, max_particle_parts);
  for (const state::ParticleGroup& group : part.groups) {
    for (const Position& p : group.positions)
      EXPECT_LE(std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}), max_position);
    for (const Vec3 v : group.velocities)
      EXPECT_TRUE(is_finite(v));
  }
  const auto messages = encode_particles({part.tick, part.world_revision, part.groups});
  EXPECT_EQ(messages.size(), 1U);
  return messages[0];
}

/// Returns true if an encoding of `before` may decode to `after`: only the numbers of parts may
/// differ, and velocities by the rounding to 1/127 of the largest component. A flipped sign of the
/// corner moves all particles more than 4,000 km away, where the encoder leaves them out.
bool is_reencoding(const ParticlePart& after, const ParticlePart& before) {
  if (after.tick != before.tick || after.world_revision != before.world_revision) return false;
  const Position& first = before.groups[0].positions[0];
  if (std::max({std::abs(first.x), std::abs(first.y), std::abs(first.z)}) > 4e6)
    return after.groups.empty();
  return std::ranges::equal(
      after.groups, before.groups,
      [](const state::ParticleGroup& a, const state::ParticleGroup& b) {
        float largest = 0;
        for (const Vec3 v : b.velocities)
          largest = std::max({largest, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
        return a.colour == b.colour && a.radius == b.radius && a.acceleration == b.acceleration &&
               a.positions == b.positions &&
               std::ranges::equal(a.velocities, b.velocities,
                                  [&](Vec3 u, Vec3 v) { return length(u - v) <= largest / 127; });
      });
}

TEST(VisualsCodec, ReencodesParticlesThatItAcceptsWithAFlippedBit) {
  const FlippedBits outcome = decode_with_flipped_bits(encode_particles(sample(12, 5, 2))[0],
                                                       decode_particles, reencoded, is_reencoding);
  EXPECT_GT(outcome.refused, 300U);
  EXPECT_LT(outcome.ignored, 100U);
}

TEST(VisualsCodec, ReencodesLabelsThatItAcceptsWithAFlippedBit) {
  const FlippedBits outcome = decode_with_flipped_bits(
      encode_labels(some_labels()), decode_labels, [](const state::Labels& labels) {
        for (const state::Label& line : labels.lines)
          EXPECT_LT(static_cast<std::uint8_t>(line.kind), state::label_kind_count);
        return encode_labels(labels);
      });
  EXPECT_GT(outcome.refused, 250U);
  EXPECT_LT(outcome.ignored, 100U);
}

/// Returns the offset of `value` in the message `bytes`, as 32 bits in little-endian order.
std::size_t place_of(const std::vector<std::byte>& bytes, std::uint32_t value) {
  for (std::size_t i = 0; i + 4 <= bytes.size(); ++i) {
    std::uint32_t read = 0;
    for (std::size_t k = 0; k < 4; ++k)
      read |= static_cast<std::uint32_t>(bytes[i + k]) << (8 * k);
    if (read == value) return i;
  }
  ADD_FAILURE();
  return 0;
}

TEST(VisualsCodec, RejectsAShiftOutOfRange) {
  state::ParticleFrame frame = sample(1, 0, 1);
  frame.tick = {0xA1B2C3D4U};
  auto bytes = encode_particles(frame)[0];
  // The shift follows tick, revision, corner, part and parts.
  std::byte& shift = bytes[place_of(bytes, frame.tick.number) + 22];
  ASSERT_EQ(shift, std::byte{0});
  shift = std::byte{16};
  EXPECT_TRUE(decode_particles(bytes).has_value());
  for (const int wrong : {17, 32, 64, 255}) {
    shift = static_cast<std::byte>(wrong);
    EXPECT_FALSE(decode_particles(bytes).has_value()) << wrong;
  }
}

TEST(VisualsCodec, RejectsValuesOfTheKindsOfScenesAndTooLongTexts) {
  state::Labels values = some_values();
  values.lines[0].kind = state::LabelKind::Energy;
  EXPECT_FALSE(decode_values(encode_values(values)).has_value());
  auto bytes = encode_values(some_values());
  std::byte& text_bytes = bytes[place_of(bytes, std::bit_cast<std::uint32_t>(12.5f)) + 6];
  ASSERT_EQ(text_bytes, std::byte{0});
  text_bytes = std::byte{41};
  EXPECT_FALSE(decode_values(bytes).has_value());
}

TEST(VisualsCodec, RejectsLabelNameLengthsThatDoNotAddUp) {
  state::Labels labels = some_labels();
  labels.lines[0].value = 1.25f;
  auto bytes = encode_labels(labels);
  std::byte& length = bytes[place_of(bytes, std::bit_cast<std::uint32_t>(1.25f)) + 5];
  ASSERT_EQ(length, std::byte{14});
  length = std::byte{13};
  EXPECT_FALSE(decode_labels(bytes).has_value());
  length = std::byte{40};
  EXPECT_FALSE(decode_labels(bytes).has_value());
}

TEST(VisualsCodec, ReencodesParticlesThatItAcceptsWithReplacedBytes) {
  base::Random random(4);
  int accepted = 0;
  for (int i = 0; i < 3'000; ++i) {
    SCOPED_TRACE(i);
    std::vector<std::byte> bytes = encode_particles(sample(6, 2, 1))[0];
    for (int k = 0; k < 6; ++k)
      bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] =
          static_cast<std::byte>(random.below(256));
    EXPECT_FALSE(decode_labels(bytes).has_value()) << "the message is of another kind";
    const auto part = decode_particles(bytes);
    if (!part) continue;
    ++accepted;
    const auto again = decode_particles(reencoded(*part));
    EXPECT_TRUE(again.has_value() && is_reencoding(*again, *part));
  }
  EXPECT_GT(accepted, 200);
}

}  // namespace
}  // namespace jostle::protocol
