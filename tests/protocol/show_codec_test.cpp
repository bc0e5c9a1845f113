#include "protocol/show_codec.h"

#include "protocol/limits.h"
#include "shared/base/random.h"

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

/// Joins all parts of a frame; groups with the same colour are merged.
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

TEST(ShowCodec, RoundTripsParticlesWithinTheErrorBound) {
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

TEST(ShowCodec, TheMaximumNumberOfParticlesFitsTheParts) {
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

TEST(ShowCodec, EncodesAFrameWithoutParticles) {
  const auto messages = encode_particles({{7}, 3, {}});
  ASSERT_EQ(messages.size(), 1U);
  const auto part = decode_particles(messages[0]);
  ASSERT_TRUE(part.has_value());
  EXPECT_EQ(part->tick.number, 7U);
  EXPECT_EQ(part->world_revision, 3U);
  EXPECT_TRUE(part->groups.empty());
}

TEST(ShowCodec, LeavesOutParticlesThatAreTooFarAway) {
  state::ParticleFrame frame = sample(4, 1, 1);
  frame.groups[0].positions[1].x = 5e6;
  frame.groups[0].positions[2].z = -1e9;
  EXPECT_EQ(decoded(encode_particles(frame)).groups[0].positions.size(), 2U);
}

TEST(ShowCodec, KeepsAVelocityOfZero) {
  state::ParticleFrame frame = sample(3, 1, 1);
  frame.groups[0].velocities.assign(3, Vec3{});
  EXPECT_EQ(decoded(encode_particles(frame)).groups[0].velocities[2], Vec3{});
}

state::Readouts some_readouts() {
  return {{77},
          5,
          {{"explicit Euler", state::ReadoutKind::EnergyChange, 1.53f},
           {"höhe", state::ReadoutKind::Height, -2},
           {"", state::ReadoutKind::Speed, 3}}};
}

TEST(ShowCodec, RoundTripsReadouts) {
  const auto bytes = encode_readouts(some_readouts());
  EXPECT_EQ(kind_of_state_message(bytes), StateMessage::Readouts);
  const auto back = decode_readouts(bytes);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*back, some_readouts());
}

TEST(ShowCodec, SixteenReadoutsWithLongNamesFit) {
  state::Readouts readouts;
  for (std::size_t i = 0; i < state::max_readouts; ++i)
    readouts.lines.push_back({std::string(64, 'x'), state::ReadoutKind::Energy, 1});
  const auto back = decode_readouts(encode_readouts(readouts));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->lines[15].name, std::string(max_readout_name_bytes, 'x'));
}

state::Cords some_cords() {
  return {{78},
          6,
          3,
          9,
          {{{{4}, {1, -2, 3}}, {{}, {1e6f, 0, -1e6f}}, state::CordKind::Rope},
           {{{7}, {0, 0.5f, 0}}, {{9}, {}}, state::CordKind::Spring},
           {{{2}, {}}, {{1'000'000}, {}}, state::CordKind::Rod}}};
}

TEST(ShowCodec, RoundTripsCords) {
  const auto bytes = encode_cords(some_cords());
  EXPECT_EQ(kind_of_state_message(bytes), StateMessage::Cords);
  const auto back = decode_cords(bytes);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*back, some_cords());
  EXPECT_EQ(*decode_cords(encode_cords({})), state::Cords{});
}

TEST(ShowCodec, TheMaximumNumberOfCordsFitsAMessage) {
  state::Cords cords = some_cords();
  cords.total = state::max_shown_cords;
  cords.first = state::max_shown_cords - max_message_cords;
  cords.cords.resize(max_message_cords);
  const auto bytes = encode_cords(cords);
  EXPECT_LE(bytes.size(), max_state_message_bytes);
  EXPECT_EQ(*decode_cords(bytes), cords);
}

TEST(ShowCodec, SurvivesEveryTruncationAndFlippedBitOfCords) {
  auto bytes = encode_cords(some_cords());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decode_cords(std::span(bytes).first(size)).has_value()) << size;
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    if (const auto cords = decode_cords(bytes)) {
      EXPECT_LE(cords->total, state::max_shown_cords);
      EXPECT_LE(cords->first + cords->cords.size(), cords->total);
      for (const state::Cord& cord : cords->cords) {
        EXPECT_TRUE(is_finite(cord.a.point) && is_finite(cord.b.point));
        EXPECT_LT(static_cast<std::uint8_t>(cord.kind), state::cord_kind_count);
      }
    }
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  }
}

TEST(ShowCodec, RejectsEveryTruncationOfParticlesAndReadouts) {
  const auto particles = encode_particles(sample(20, 5, 2))[0];
  const auto readouts = encode_readouts(some_readouts());
  for (std::size_t size = 0; size < particles.size(); ++size)
    EXPECT_FALSE(decode_particles(std::span(particles).first(size)).has_value()) << size;
  for (std::size_t size = 0; size < readouts.size(); ++size)
    EXPECT_FALSE(decode_readouts(std::span(readouts).first(size)).has_value()) << size;
  const std::vector<std::byte> large(max_state_message_bytes + 1);
  EXPECT_FALSE(decode_particles(large).has_value());
  EXPECT_FALSE(decode_readouts(large).has_value());
}

TEST(ShowCodec, SurvivesEveryFlippedBitOfParticlesAndReadouts) {
  auto bytes = encode_particles(sample(12, 5, 2))[0];
  int refused = 0;
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    const auto part = decode_particles(bytes);
    if (!part) ++refused;
    if (part) {
      EXPECT_LT(part->part, part->parts);
      EXPECT_LE(part->parts, max_particle_parts);
      for (const state::ParticleGroup& group : part->groups) {
        EXPECT_TRUE(group.radius >= 0.0f && group.radius <= max_particle_radius);
        EXPECT_TRUE(is_finite(group.acceleration));
        EXPECT_EQ(group.positions.size(), group.velocities.size());
        for (const Position& p : group.positions)
          EXPECT_LE(std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}), max_position);
        for (const Vec3 v : group.velocities)
          EXPECT_TRUE(is_finite(v));
      }
    }
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  EXPECT_GT(refused, 300);
  auto lines = encode_readouts(some_readouts());
  for (std::size_t bit = 0; bit < lines.size() * 8; ++bit) {
    lines[bit / 8] ^= std::byte{1} << (bit % 8);
    if (const auto readouts = decode_readouts(lines)) {
      for (const state::Readout& line : readouts->lines) {
        EXPECT_TRUE(std::isfinite(line.value));
        EXPECT_LT(static_cast<std::uint8_t>(line.kind), state::readout_kind_count);
        EXPECT_LE(line.name.size(), max_readout_name_bytes);
      }
    }
    lines[bit / 8] ^= std::byte{1} << (bit % 8);
  }
}

/// Returns the offset of a 32-bit little-endian value in a message.
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

TEST(ShowCodec, RejectsAShiftOutOfRange) {
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

TEST(ShowCodec, RejectsReadoutNameLengthsThatDoNotAddUp) {
  state::Readouts readouts = some_readouts();
  readouts.lines[0].value = 1.25f;
  auto bytes = encode_readouts(readouts);
  std::byte& length = bytes[place_of(bytes, std::bit_cast<std::uint32_t>(1.25f)) + 5];
  ASSERT_EQ(length, std::byte{14});
  length = std::byte{13};
  EXPECT_FALSE(decode_readouts(bytes).has_value());
  length = std::byte{40};
  EXPECT_FALSE(decode_readouts(bytes).has_value());
}

TEST(ShowCodec, SurvivesRandomBytes) {
  base::Random random(4);
  for (int i = 0; i < 3'000; ++i) {
    std::vector<std::byte> bytes = encode_particles(sample(6, 2, 1))[0];
    for (int k = 0; k < 6; ++k)
      bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] =
          static_cast<std::byte>(random.below(256));
    (void)decode_particles(bytes);
    (void)decode_readouts(bytes);
  }
}

}  // namespace
}  // namespace jostle::protocol
