#include "client/particle_buffer.h"

#include <gtest/gtest.h>

namespace jostle::client {
namespace {

protocol::ParticlePart part_of(std::uint32_t tick, std::uint8_t part, std::uint8_t parts, double x,
                               math::Vec3 velocity) {
  protocol::ParticlePart made;
  made.tick = {tick};
  made.part = part;
  made.parts = parts;
  state::ParticleGroup group;
  group.radius = 0.1f;
  group.acceleration = {0, -10, 0};
  group.positions = {{x, 0, 0}};
  group.velocities = {velocity};
  made.groups = {group};
  return made;
}

TEST(ParticleBuffer, MovesEachParticleAlongItsParabola) {
  ParticleBuffer buffer;
  ASSERT_TRUE(buffer.insert(part_of(60, 0, 1, 1, {6, 3, 0})));
  buffer.show(66, 60);
  ASSERT_EQ(buffer.particles().size(), 1U);
  EXPECT_NEAR(buffer.particles()[0].position.x, 1.6, 1e-6);
  EXPECT_NEAR(buffer.particles()[0].position.y, 0.3 - 0.05, 1e-6);
  buffer.show(57, 60);
  EXPECT_NEAR(buffer.particles()[0].position.x, 0.7, 1e-6);
}

TEST(ParticleBuffer, KeepsRestingParticlesInPlace) {
  ParticleBuffer buffer;
  buffer.insert(part_of(60, 0, 1, 1, {}));
  buffer.show(66, 60);
  EXPECT_EQ(buffer.particles()[0].position, (math::Position{1, 0, 0}));
}

TEST(ParticleBuffer, ShowsTheFrameNearestInTime) {
  ParticleBuffer buffer;
  for (const std::uint32_t tick : {66U, 60U, 72U})
    buffer.insert(part_of(tick, 0, 1, tick, {}));
  const auto shown_at = [&](double tick) {
    buffer.show(tick, 60);
    return buffer.particles().at(0).position.x;
  };
  EXPECT_EQ(shown_at(62), 60);
  EXPECT_EQ(shown_at(64), 66);
  EXPECT_EQ(shown_at(90), 72);
}

TEST(ParticleBuffer, PrefersACompleteFrameToANearerIncompleteOne) {
  ParticleBuffer buffer;
  buffer.insert(part_of(60, 0, 1, 60, {}));
  buffer.insert(part_of(66, 0, 2, 66, {}));
  buffer.show(64.5, 60);
  ASSERT_EQ(buffer.particles().size(), 1U);
  EXPECT_EQ(buffer.particles()[0].position.x, 60);
  buffer.insert(part_of(66, 1, 2, 67, {}));
  buffer.show(64.5, 60);
  EXPECT_EQ(buffer.particles().size(), 2U);
}

TEST(ParticleBuffer, RefusesPartsThatContradictTheirFrame) {
  ParticleBuffer buffer;
  EXPECT_TRUE(buffer.insert(part_of(60, 0, 2, 1, {})));
  EXPECT_FALSE(buffer.insert(part_of(60, 0, 3, 1, {})));
}

TEST(ParticleBuffer, LimitsTheNumberOfFramesAndTheExtrapolation) {
  ParticleBuffer buffer;
  for (std::uint32_t tick = 1; tick <= 100; ++tick)
    EXPECT_TRUE(buffer.insert(part_of(tick, 0, 1, tick, {})));
  EXPECT_TRUE(buffer.insert(part_of(1, 0, 1, 1, {})));
  buffer.show(1, 60);
  EXPECT_EQ(buffer.particles()[0].position.x, 93);
  ParticleBuffer late;
  late.insert(part_of(60, 0, 1, 0, {4, 0, 0}));
  late.show(120, 60);
  EXPECT_NEAR(late.particles()[0].position.x, 1, 1e-6);
  late.show(181, 60);
  EXPECT_TRUE(late.particles().empty()) << "of two seconds ago";
}

TEST(ParticleBuffer, ShowsOnlyFramesOfTheGivenWorldRevisions) {
  ParticleBuffer buffer;
  for (const std::uint32_t tick : {60U, 66U, 72U}) {
    protocol::ParticlePart part = part_of(tick, 0, 1, tick, {});
    part.world_revision = tick / 10;
    ASSERT_TRUE(buffer.insert(part));
  }
  const auto shown_at = [&](double tick, Revisions of) {
    buffer.show(tick, 60, of);
    return buffer.particles().empty() ? 0 : buffer.particles()[0].position.x;
  };
  EXPECT_EQ(shown_at(65, {.first = 7}), 72);
  EXPECT_EQ(shown_at(70, {0, 7}), 66);
  EXPECT_EQ(shown_at(70, {.first = 8}), 0);
  protocol::ParticlePart other = part_of(72, 0, 1, 72, {});
  other.world_revision = 8;
  EXPECT_FALSE(buffer.insert(other)) << "a tick has one world";
}

}  // namespace
}  // namespace jostle::client
