#include "shared/gate_link/entry.h"

#include <gtest/gtest.h>

#include "gate/viewer.h"
#include <cstddef>
#include <vector>

namespace jostle::gate {
namespace {

/// The owner and the socket of a viewer, which do nothing.
struct SilentPeer final : ViewerOwner, http::WebSocket {
  void entered(Viewer&, const gate_link::EntryRequest&) override {}
  void received(Viewer&, const gate_link::ViewerMessage&) override {}
  void acknowledged(Viewer&, std::uint64_t, std::uint32_t) override {}
  void left(Viewer&, net::DisconnectReason) override {}
  void wake() override {}
  bool ping(std::span<const std::byte>) override { return true; }
  void close(std::uint16_t, const std::string&) override {}
  std::int64_t sending_us() const override { return 0; }
};

/// Returns the last byte of each message that the viewer gets.
std::vector<int> order_of(Viewer& viewer) {
  std::vector<int> order;
  while (const auto message = viewer.next_message())
    order.push_back(std::to_integer<int>(message->back()));
  return order;
}

struct OrderedViewer {
  OrderedViewer() {
    viewer.opened(peer);
    viewer.admit({});
    (void)viewer.next_message();  // the answer to the entry
  }
  static std::vector<std::byte> message(int number) {
    return std::vector<std::byte>(16, static_cast<std::byte>(number));
  }
  SilentPeer peer;
  Viewer viewer{gate_link::ViewerId{1}, {}, peer, {}};
};

TEST(Viewer, SnapshotsOfARelayDoNotOvertakeReliableMessages) {
  OrderedViewer ordered;
  Viewer& viewer = ordered.viewer;
  viewer.send(net::Channel::Control, 1, OrderedViewer::message(1));
  viewer.send(net::Channel::Bulk, 1, OrderedViewer::message(2));
  viewer.send_snapshot(1, OrderedViewer::message(3));
  viewer.send(net::Channel::Control, 1, OrderedViewer::message(4));
  viewer.send_snapshot(2, OrderedViewer::message(5));
  EXPECT_EQ(order_of(viewer), (std::vector{1, 2, 3, 4, 5}));
}

TEST(Viewer, NewerSnapshotsOfARelayDoNotReplaceOlderOnes) {
  OrderedViewer ordered;
  Viewer& viewer = ordered.viewer;
  for (int i = 1; i <= 3; ++i)
    viewer.send_snapshot(static_cast<std::uint32_t>(i), OrderedViewer::message(i));
  EXPECT_EQ(viewer.waiting_groups(), 3U);
  const auto all = viewer.next_message();  // in one message
  ASSERT_TRUE(all);
  EXPECT_EQ(std::to_integer<int>(all->back()), 3);
  EXPECT_FALSE(viewer.next_message());
}

TEST(Viewer, OtherUnreliableMessagesAreReplacedByNewerOnes) {
  OrderedViewer ordered;
  Viewer& viewer = ordered.viewer;
  for (int i = 1; i <= 3; ++i)
    viewer.send(net::Channel::State, static_cast<std::uint64_t>(i), OrderedViewer::message(7));
  EXPECT_EQ(viewer.replaced(), 2U);
  EXPECT_EQ(order_of(viewer), (std::vector{7}));
}

}  // namespace
}  // namespace jostle::gate
