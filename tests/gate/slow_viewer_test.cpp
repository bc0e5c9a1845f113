#include "shared/base/bytes.h"
#include "tests/gate/gate_fixture.h"

#include <numeric>

namespace jostle::gate {
namespace {

using net::Channel;
using net::PeerEvent;

/// A viewer and the transport of its server, without a simulation.
class Link {
 public:
  explicit Link(HouseOptions options = {}) : house(std::move(options)), viewer(house.new_viewer()) {
    house.close_server();
    gate_link::GateTransportOptions gate;
    gate.socket.path = house.socket_path();
    auto created = gate_link::GateTransport::create(house.io(), gate);
    EXPECT_TRUE(created);
    server = *std::move(created);
    EXPECT_TRUE(run_until([&] { return server->gate_count() == 1 && !server->url().empty(); }));
    viewer->connect(house.gate_address());
    EXPECT_TRUE(run_until([&] { return !server_events.empty() && !viewer_events.empty(); }));
    peer = server_events.front().peer;
  }

  template <typename Condition>
  bool run_until(Condition condition) {
    return house.run_until(condition, [&] { work(); });
  }
  void work() {
    server->service(server_events);
    server->flush();
    viewer->service(viewer_events);
  }
  void work_for(double seconds) {
    const std::int64_t end_us = house.io().now_us() + static_cast<std::int64_t>(seconds * 1e6);
    EXPECT_TRUE(run_until([&] { return house.io().now_us() >= end_us; }));
  }
  /// Sends a message with a number and four letters as its kind.
  bool send(Channel channel, std::uint32_t number, const char* kind, std::size_t bytes) {
    base::ByteWriter writer;
    writer.u32(number);
    writer.raw(std::as_bytes(std::span(kind, 4)));
    std::vector<std::byte> message = writer.take();
    message.resize(bytes, std::byte{1});
    return server->send(peer, channel, message);
  }
  /// Returns the numbers of the messages of a kind that the viewer received.
  std::vector<std::uint32_t> received(Channel channel, const std::string& kind) const {
    std::vector<std::uint32_t> numbers;
    for (const PeerEvent& event : viewer_events) {
      if (event.kind != PeerEvent::Kind::Received || event.channel != channel) continue;
      const std::string letters(reinterpret_cast<const char*>(event.bytes.data()) + 4, 4);
      if (letters == kind)
        numbers.push_back(base::load_little_endian<std::uint32_t>(event.bytes.data()));
    }
    return numbers;
  }

  House house;
  std::unique_ptr<gate_link::GateTransport> server;
  std::unique_ptr<web_client::WebSocketTransport> viewer;
  std::vector<PeerEvent> server_events, viewer_events;
  net::PeerId peer;
};

constexpr std::uint32_t frames = 4'000;
constexpr std::size_t frame_bytes = 1'000;

TEST(SlowViewer, ReceivesTheNewestMessageAndNotTheBacklog) {
  Link link;
  link.viewer->set_reading(false);
  for (std::uint32_t i = 1; i <= frames; ++i) {
    // A frame of two parts, of which one is never replaced alone.
    link.send(Channel::State, i, "JSN2", frame_bytes);
    link.send(Channel::State, i, "JSN2", frame_bytes);
    if (i == 2'000) link.send(Channel::State, i, "JLBL", 100);
    link.server->flush();
    link.work();
    link.house.work();
  }
  link.work_for(0.5);
  link.viewer->set_reading(true);
  ASSERT_TRUE(link.run_until([&] {
    const auto numbers = link.received(Channel::State, "JSN2");
    return !numbers.empty() && numbers.back() == frames;
  }));
  const auto numbers = link.received(Channel::State, "JSN2");
  // The kernel's buffers hold some hundred frames; a queue would hold all 4,000.
  EXPECT_LT(numbers.size() / 2, frames / 4);
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
  // Parts of one frame stay together.
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
    EXPECT_EQ(numbers[i], numbers[i + 1]);
  // Newer messages of another kind do not replace a label.
  EXPECT_EQ(link.received(Channel::State, "JLBL"), std::vector<std::uint32_t>{2'000});
}

TEST(SlowViewer, ReceivesAllReliableMessagesInOrder) {
  Link link;
  link.viewer->set_reading(false);
  std::uint32_t sent = 0;
  // The server stops at its limit of bytes that wait.
  while (sent < 10'000 && link.send(Channel::Bulk, sent, "JBLB", frame_bytes)) {
    ++sent;
    link.send(Channel::State, sent, "JSN2", frame_bytes);
    link.server->flush();
    link.house.work();
  }
  EXPECT_LT(sent, 300U);
  EXPECT_EQ(link.server->pending_reliable_bytes(link.peer), sent * frame_bytes);
  link.work_for(0.3);
  EXPECT_GT(link.server->pending_reliable_bytes(link.peer), 0U);
  link.viewer->set_reading(true);
  EXPECT_TRUE(link.run_until([&] { return link.server->pending_reliable_bytes(link.peer) == 0; }));
  std::vector<std::uint32_t> expected(sent);
  std::iota(expected.begin(), expected.end(), 0U);
  EXPECT_EQ(link.received(Channel::Bulk, "JBLB"), expected);
  EXPECT_GT(link.server->stats(link.peer)->round_trip_us, 0U);
}

TEST(SlowViewer, IsDroppedIfItDoesNotRead) {
  HouseOptions options;
  options.viewer_limits.stall_seconds = 0.3;
  Link link(options);
  link.viewer->set_reading(false);
  std::uint32_t number = 0;
  ASSERT_TRUE(link.run_until([&] {
    link.send(Channel::State, ++number, "JSN2", frame_bytes);
    return link.server_events.back().kind == PeerEvent::Kind::Disconnected;
  }));
  EXPECT_EQ(link.server_events.back().reason, net::DisconnectReason::TooSlow);
}

TEST(SlowViewer, IsNotDroppedWhileItReads) {
  HouseOptions options;
  options.viewer_limits.stall_seconds = 1.5;
  Link link(options);
  std::uint32_t number = 0;
  const std::int64_t end_us = link.house.io().now_us() + 3'000'000;
  ASSERT_TRUE(link.run_until([&] {
    link.send(Channel::State, ++number, "JSN2", frame_bytes);
    return link.house.io().now_us() > end_us;
  }));
  EXPECT_EQ(link.server_events.size(), 1U);
}

}  // namespace
}  // namespace jostle::gate
