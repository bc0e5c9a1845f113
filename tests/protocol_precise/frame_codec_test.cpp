#include "protocol/precise/frame_codec.h"

#include "shared/base/hash.h"
#include "shared/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace jostle::protocol::precise {
namespace {

constexpr int rate_hz = 60;
constexpr std::size_t room = 1'040;

state::BodyState random_body(base::Random& random, std::uint32_t id) {
  const auto draw = [&] { return random.between(-10, 10); };
  state::BodyState body;
  body.id = {id};
  body.pose.position = {static_cast<double>(draw()), static_cast<double>(draw()) / 3,
                        static_cast<double>(draw()) * 7};
  const float x = draw(), y = draw(), z = draw(), w = draw();
  body.pose.rotation = math::normalized({x, y, z, w});
  const float vx = draw(), vy = draw(), vz = draw();
  body.linear_velocity = {vx, vy, vz};
  body.is_awake = random.chance(0.7f);
  return body;
}

/// A world of at most `count` bodies, and the same world some ticks later with bodies moved, added
/// and removed.
struct Worlds {
  state::Snapshot before, now;

  Worlds(std::uint64_t seed, std::uint32_t count) {
    base::Random random(seed);
    before.tick = {1'000};
    before.world_revision = 3;
    now.tick = before.tick + 1 + random.below(50);
    now.world_revision = 4;
    for (std::uint32_t id = 1; id <= count; ++id) {
      const state::BodyState body = random_body(random, 3 * id);
      if (random.chance(0.9f)) before.bodies.push_back(body);
      if (random.chance(0.1f)) continue;
      now.bodies.push_back(random.chance(0.5f) ? body : random_body(random, body.id.value));
    }
  }
};

class FrameCodec : public ::testing::TestWithParam<Profile> {
 protected:
  Frame frame(const state::Snapshot& snapshot) const { return *frame_of(snapshot, GetParam()); }
  static SnapshotHeader header_of(const Frame& now, const EncodedPart& part) {
    SnapshotHeader header;
    header.tick = now.tick;
    header.first = part.first;
    header.count = part.count;
    return header;
  }
  base::Result<Bodies, DecodeError> decode(const Frame& now, const EncodedPart& part,
                                           const Frame* baseline) const {
    return decode_part(GetParam(), header_of(now, part), part.payload, now.ids, rate_hz,
                       [&](state::Tick tick) {
                         return baseline != nullptr && tick == baseline->tick
                                    ? FrameView{baseline->ids, &baseline->bodies}
                                    : FrameView{};
                       });
  }
  static void expect_same(const Bodies& all, const Bodies& some, std::size_t first) {
    for (std::size_t i = 0; i < size_of(some); ++i)
      ASSERT_EQ(*body_at(all, first + i), *body_at(some, i)) << first + i;
  }
};

TEST_P(FrameCodec, RoundTripsPartsInAnyOrder) {
  for (const std::uint32_t count : {1U, 7U, 300U, 1'500U}) {
    SCOPED_TRACE(count);
    const Worlds worlds(count, count);
    const Frame before = frame(worlds.before), now = frame(worlds.now);
    for (const Frame* baseline : {static_cast<const Frame*>(nullptr), &before}) {
      auto parts = encode_parts(now, baseline, rate_hz, room);
      std::reverse(parts.begin(), parts.end());
      std::size_t bodies = 0, bytes = 0;
      for (const EncodedPart& part : parts) {
        ASSERT_LE(part.payload.size(), room);
        const auto back = decode(now, part, baseline);
        ASSERT_TRUE(back.has_value());
        ASSERT_EQ(size_of(*back), part.count);
        expect_same(now.bodies, *back, part.first);
        bodies += part.count;
        bytes += part.payload.size();
      }
      EXPECT_EQ(bodies, now.ids.size());
      if (parts.size() > 4) {
        EXPECT_GT(bytes, parts.size() * room * 3 / 4) << "parts should be well filled";
      }
    }
  }
}

TEST_P(FrameCodec, RoundTripsAWorldWithoutBodies) {
  state::Snapshot empty;
  empty.tick = {5};
  const Frame now = frame(empty);
  const auto parts = encode_parts(now, nullptr, rate_hz, room);
  ASSERT_EQ(parts.size(), 1U);
  const auto back = decode(now, parts[0], nullptr);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(size_of(*back), 0U);
  EXPECT_TRUE(decode_frame(encode_frame(now)).has_value());
}

TEST_P(FrameCodec, RoundTripsAKeyframe) {
  const Worlds worlds(9, 500);
  const Frame now = frame(worlds.now);
  const auto back = decode_frame(encode_frame(now));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->tick, now.tick);
  EXPECT_EQ(back->world_revision, now.world_revision);
  EXPECT_EQ(back->ids, now.ids);
  EXPECT_EQ(back->bodies.index(), now.bodies.index());
  expect_same(now.bodies, back->bodies, 0);
}

TEST_P(FrameCodec, IsExactInLosslessAndRoundedInFine) {
  const Worlds worlds(3, 200);
  const Frame now = frame(worlds.now);
  for (std::size_t i = 0; i < now.ids.size(); ++i) {
    state::BodyState back = *body_at(now.bodies, i);
    back.id = now.ids[i];
    const state::BodyState& body = worlds.now.bodies[i];
    if (GetParam() == Profile::Lossless) {
      ASSERT_EQ(back, body);
    } else {
      ASSERT_NEAR(back.pose.position.x, body.pose.position.x, 0.5 / fine_steps);
      ASSERT_NEAR(back.linear_velocity.y, body.linear_velocity.y, 0.51f / fine_steps);
    }
  }
}

TEST_P(FrameCodec, ReportsAnUnknownBaseline) {
  const Worlds worlds(4, 50);
  const Frame before = frame(worlds.before), now = frame(worlds.now);
  const auto parts = encode_parts(now, &before, rate_hz, room);
  EXPECT_EQ(decode(now, parts[0], nullptr).error(), DecodeError::UnknownBaseline);
  const Frame other =
      *frame_of(worlds.before, GetParam() == Profile::Fine ? Profile::Lossless : Profile::Fine);
  EXPECT_EQ(decode(now, parts[0], &other).error(), DecodeError::UnknownBaseline);
}

TEST_P(FrameCodec, RejectsInvalidParts) {
  const Worlds worlds(5, 40);
  const Frame before = frame(worlds.before), now = frame(worlds.now);
  const EncodedPart part = encode_parts(now, &before, rate_hz, room)[0];
  for (std::size_t size = 0; size < part.payload.size(); ++size) {
    EncodedPart cut = part;
    cut.payload.resize(size);
    // A range coder omits trailing bytes that change nothing, so some truncations decode to the
    // same bodies.
    if (const auto back = decode(now, cut, &before)) {
      ASSERT_EQ(size_of(*back), part.count);
    }
  }
  EncodedPart beyond = part;
  beyond.count = static_cast<std::uint32_t>(now.ids.size()) + 1;
  EXPECT_EQ(decode(now, beyond, &before).error(), DecodeError::OutOfRange);
  beyond = part;
  beyond.first = 0xFFFF'FFFFU;
  EXPECT_EQ(decode(now, beyond, &before).error(), DecodeError::OutOfRange);
  EncodedPart old = part;
  old.payload[0] = static_cast<std::byte>(max_frame_age_ticks + 1);
  EXPECT_EQ(decode(now, old, &before).error(), DecodeError::OutOfRange);
  const auto blob = encode_frame(now);
  for (std::size_t size = 0; size < blob.size(); size += 7)
    EXPECT_FALSE(decode_frame(std::span(blob).first(size)).has_value()) << size;
}

TEST_P(FrameCodec, RejectsBaselinesBeforeTheFirstTick) {
  const Worlds worlds(6, 4);
  Frame now = frame(worlds.now);
  EncodedPart part = encode_parts(now, nullptr, rate_hz, room)[0];
  now.tick = {3};
  part.payload[0] = std::byte{4};
  EXPECT_EQ(decode(now, part, nullptr).error(), DecodeError::OutOfRange);
}

// The golden value changes only if the wire format changes.
TEST_P(FrameCodec, MatchesGoldenBytes) {
  const Worlds worlds(7, 100);
  const Frame before = frame(worlds.before), now = frame(worlds.now);
  std::vector<std::byte> all = encode_frame(now);
  for (const EncodedPart& part : encode_parts(now, &before, rate_hz, room))
    all.insert(all.end(), part.payload.begin(), part.payload.end());
  EXPECT_EQ(base::hash_bytes(all),
            GetParam() == Profile::Fine ? 0x83F752662D7B4EA2ULL : 0x317AD8E0082121AULL);
}

INSTANTIATE_TEST_SUITE_P(Profiles, FrameCodec, ::testing::Values(Profile::Fine, Profile::Lossless),
                         [](const auto& test) {
                           return std::string(profile_names[static_cast<std::size_t>(test.param)]);
                         });

}  // namespace
}  // namespace jostle::protocol::precise
