#include "tools/load/header_acks.h"

#include "client/snapshot_buffer.h"
#include "shared/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace jostle::load {
namespace {

using Taken = HeaderAcks::Taken;

protocol::SnapshotHeader header(std::uint32_t tick, std::uint8_t part, std::uint8_t parts) {
  protocol::SnapshotHeader made;
  made.tick = {tick};
  made.part = part;
  made.parts = parts;
  made.first = part;
  made.count = 1;
  return made;
}

TEST(HeaderAcks, AreEmptyBeforeTheFirstSnapshot) {
  EXPECT_EQ(HeaderAcks().ack(), protocol::SnapshotAck{});
}

TEST(HeaderAcks, CompleteASnapshotWithItsLastPart) {
  HeaderAcks acks;
  acks.add_keyframe({10});
  EXPECT_EQ(acks.add(header(11, 1, 2)), Taken::Part);
  EXPECT_EQ(acks.ack().newest, state::Tick{10});
  EXPECT_EQ(acks.ack().partial, (std::vector<protocol::PartAck>{{{11}, 2}}));
  EXPECT_EQ(acks.add(header(11, 1, 2)), Taken::Nothing);
  EXPECT_EQ(acks.add(header(11, 0, 2)), Taken::Complete);
  EXPECT_EQ(acks.ack().newest, state::Tick{11});
  EXPECT_EQ(acks.ack().history, 1U);
  EXPECT_TRUE(acks.ack().partial.empty());
  EXPECT_EQ(acks.add(header(11, 0, 2)), Taken::Nothing);
}

// Compares the acknowledgements with those of a client that decodes every part that arrives, in any
// order.
TEST(HeaderAcks, EqualThoseOfAClientThatDecodesEverything) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    HeaderAcks acks;
    client::SnapshotBuffer buffer;
    const auto ids = std::make_shared<const std::vector<state::BodyId>>(
        std::vector<state::BodyId>{{1}, {2}, {3}, {4}, {5}});
    for (std::uint32_t tick = 1; tick <= 60; ++tick) {
      const auto parts = static_cast<std::uint8_t>(1 + random.below(3));
      std::vector<std::uint8_t> order;
      for (std::uint8_t part = 0; part < parts; ++part) {
        if (random.chance(0.9f))
          order.insert(order.begin() + random.below(static_cast<std::uint32_t>(order.size() + 1)),
                       part);
      }
      for (const std::uint8_t part : order) {
        acks.add(header(tick, part, parts));
        const bool is_last = part + 1 == parts;
        buffer.insert({.tick = {tick},
                       .world_revision = 1,
                       .ids = ids,
                       .part = part,
                       .parts = parts,
                       .first = part,
                       .bodies = std::vector<protocol::QuantizedBody>(is_last ? 5U - part : 1U),
                       .chosen = {},
                       .precise = {},
                       .skipped = 0});
      }
      ASSERT_EQ(acks.ack(), buffer.ack()) << "at tick " << tick;
    }
  }
}

}  // namespace
}  // namespace jostle::load
