#include "protocol/snapshot_codec.h"
#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>
#include <vector>

// If a client stops or loses its link, the server sends it fewer snapshots, and soon only
// bit-packed ones, until the client sends again. Other clients are not affected.

namespace jostle::match {
namespace {

class SilentClient : public testing::Test {
 protected:
  SilentClient() {
    match_.add_client("ann");
    match_.add_client("bob");
  }
  void SetUp() override {
    ASSERT_TRUE(match_.run_until_playing(5));
    match_.run_seconds(1);
    for (const auto& [peer, session] : match_.server().sessions())
      (session.name == "bob" ? bob_ : ann_) = peer;
    match_.server_transport().set_send_listener(
        [this](net::PeerId peer, net::Channel channel, std::span<const std::byte> bytes) {
          if (channel != net::Channel::State) return;
          const auto message = protocol::decode_snapshot_message(bytes);
          ASSERT_TRUE(message.has_value());
          sent_.push_back({peer, message->header.tick.number, message->codec});
        });
  }

  /// Runs for `seconds` and records the snapshots that the server sends.
  void run(double seconds) {
    sent_.clear();
    first_ = match_.simulation().tick().number + 1;
    match_.run_seconds(seconds);
  }
  /// Returns, for each tick of the last run(), true if a snapshot of this tick was sent to the
  /// peer.
  std::vector<bool> ticks_of(net::PeerId peer) {
    std::vector<bool> ticks(match_.simulation().tick().number + 1 - first_);
    for (const Sent& sent : sent_)
      if (sent.peer == peer) ticks.at(sent.tick - first_) = true;
    return ticks;
  }
  std::size_t count_of(net::PeerId peer) {
    const std::vector<bool> ticks = ticks_of(peer);
    return static_cast<std::size_t>(std::count(ticks.begin(), ticks.end(), true));
  }
  std::set<protocol::SnapshotCodec> codecs_to(net::PeerId peer, std::uint32_t from_tick) const {
    std::set<protocol::SnapshotCodec> codecs;
    for (const Sent& sent : sent_)
      if (sent.peer == peer && sent.tick >= from_tick) codecs.insert(sent.codec);
    return codecs;
  }
  void stop_bob(double seconds) {
    match_.seats()[1]->next_update_us =
        match_.network().now_us() + static_cast<std::int64_t>(seconds * 1e6);
  }

  struct Sent {
    net::PeerId peer;
    std::uint32_t tick = 0;
    protocol::SnapshotCodec codec{};
  };
  Match match_{{}};
  net::PeerId ann_, bob_;
  std::vector<Sent> sent_;
  std::uint32_t first_ = 0;
};

const std::set context_only{protocol::SnapshotCodec::Context};
const std::set bits_only{protocol::SnapshotCodec::BitPacked};

TEST_F(SilentClient, IsSentFewerSnapshotsWithoutAffectingOthers) {
  stop_bob(0.95);
  run(0.9);
  EXPECT_EQ(count_of(ann_), ticks_of(ann_).size());
  EXPECT_EQ(codecs_to(ann_, 0), context_only);
  const std::vector<bool> bobs = ticks_of(bob_);
  EXPECT_EQ(std::count(bobs.begin(), bobs.begin() + 6, true), 6) << "a pause this short is normal";
  EXPECT_LT(count_of(bob_), 20U);
  EXPECT_GT(std::count(bobs.end() - 27, bobs.end(), true), 0)
      << "the link may still work in one direction";
}

TEST_F(SilentClient, IsSentBitPackedSnapshotsWhenItsAcksAreOverdue) {
  run(0.5);
  EXPECT_EQ(codecs_to(bob_, 0), context_only);
  stop_bob(0.95);
  run(0.9);
  EXPECT_EQ(codecs_to(bob_, first_ + 9), bits_only);
}

TEST_F(SilentClient, IsSentEverySnapshotAfterItsNextMessage) {
  stop_bob(0.7);
  run(0.75);
  EXPECT_LT(count_of(bob_), 25U);
  run(0.5);
  EXPECT_EQ(count_of(bob_), ticks_of(bob_).size());
  EXPECT_EQ(codecs_to(bob_, first_ + 6), context_only);
  EXPECT_EQ(match_.server().sessions().at(bob_).state, server::ClientSessionState::Playing);
  const Match::Agreement agreement = match_.agreement(*match_.seats()[1]);
  EXPECT_GT(agreement.common, 90U);
  EXPECT_EQ(agreement.different, 0U);
}

}  // namespace
}  // namespace jostle::match
