#pragma once

#include "client/client.h"
#include "shared/base/token_bucket.h"
#include "shared/net/enet_transport.h"
#include "shared/net/system_io.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "gate/audience.h"
#include "gate/relay/fragment_store.h"
#include "gate/relay/relay_stream.h"
#include "gate/room.h"
#include "gate/viewer.h"
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jostle::gate {

/// A transport that shows the messages that another transport receives.
class TappedTransport final : public net::Transport {
 public:
  using Tap = std::function<void(const net::PeerEvent&)>;
  TappedTransport(std::unique_ptr<net::Transport> transport, Tap tap)
      : transport_(std::move(transport)), tap_(std::move(tap)) {}

  void service(std::vector<net::PeerEvent>& events) override {
    const std::size_t before = events.size();
    transport_->service(events);
    for (std::size_t i = before; i < events.size(); ++i)
      tap_(events[i]);
  }
  std::optional<net::PeerId> connect(net::Address to) override { return transport_->connect(to); }
  bool send(net::PeerId peer, net::Channel channel, std::span<const std::byte> bytes) override {
    return transport_->send(peer, channel, bytes);
  }
  void flush() override { transport_->flush(); }
  void disconnect(net::PeerId peer, net::DisconnectReason reason) override {
    transport_->disconnect(peer, reason);
  }
  void drop(net::PeerId peer, net::DisconnectReason reason) override {
    transport_->drop(peer, reason);
  }
  std::size_t pending_reliable_bytes(net::PeerId peer) const override {
    return transport_->pending_reliable_bytes(peer);
  }
  std::optional<net::PeerStats> stats(net::PeerId peer) const override {
    return transport_->stats(peer);
  }
  std::optional<net::PeerIdentity> identity(net::PeerId peer) const override {
    return transport_->identity(peer);
  }
  std::string trouble_with(net::PeerId peer) const override {
    return transport_->trouble_with(peer);
  }
  bool has_answered(net::PeerId peer) const override { return transport_->has_answered(peer); }
  net::TransportCounters counters() const override { return transport_->counters(); }
  net::Address local_address() const override { return transport_->local_address(); }
  int native_handle() const override { return transport_->native_handle(); }

 private:
  std::unique_ptr<net::Transport> transport_;
  Tap tap_;
};

/// A room for an audience. The relay is one spectator of a server and codes each snapshot once for
/// all of its viewers, which only watch. It also serves the frames as files (FragmentStore), unless
/// it is the audience of a server's room.
class RelayRoom final : public Room, public Audience, public ViewerOwner {
 public:
  struct Options {
    net::Address server{};
    net::SecurityOptions security{};
    double delay_seconds = 0;  // between the server and the viewers
    double key_seconds = 2;
    ViewerLimits limits{};
    std::size_t max_viewers = 1'000;
    bool is_audience = false;  // of a server's room: owns no viewers and serves no files
  };
  /// Starts to connect. `context` must outlive the room. The error is one sentence.
  static base::Result<std::unique_ptr<RelayRoom>, std::string> create(
      boost::asio::io_context& context, const Options& options);
  /// Creates the audience of a server's room, which joins the server through `upstream`.
  static std::unique_ptr<Audience> create_audience(boost::asio::io_context& context,
                                                   std::unique_ptr<net::Transport> upstream);
  ~RelayRoom() override;

  bool is_open() const override { return stream_ && stream_->newest().number != 0; }
  std::unique_ptr<http::WebSocketHandler> join(net::Address client, bool needs_server) override;
  std::optional<http::Response> respond(const std::string& path) override;
  void watch() override;
  void close_all() override;
  std::size_t viewer_count() const override { return viewers_.size(); }
  bool take(Viewer& viewer, std::span<const std::byte> hello) override;
  void handle(Viewer& viewer, const gate_link::ViewerMessage& message) override;
  void forget(Viewer& viewer) override { viewers_.erase(viewer.id()); }

  /// Updates the upstream client and publishes what is due. Called by a timer; for tests.
  void advance();
  /// Number of snapshots that were encoded.
  std::uint64_t frames() const { return frames_; }

 private:
  RelayRoom(boost::asio::io_context& context, const Options& options);
  struct Member {
    Viewer* viewer = nullptr;
    bool has_joined = false;
    bool is_behind = false;         // waits for the next key frame
    std::size_t welcome_bytes = 0;  // size of the messages that began the session
    // Lists of scenes are long, so a viewer cannot request one with every message.
    base::TokenBucket answers{2.0, 8.0};
  };
  /// A snapshot or a message that waits for the delay to pass.
  struct Waiting {
    std::int64_t due_us = 0;
    std::optional<protocol::QuantizedSnapshot> snapshot;
    SharedWorld world;
    RelayMessage message;  // without a snapshot
  };

  void entered(Viewer& viewer, const gate_link::EntryRequest& request) override;
  void received(Viewer& viewer, const gate_link::ViewerMessage& message) override;
  void acknowledged(Viewer&, std::uint64_t, std::uint32_t) override {}
  void left(Viewer& viewer, net::DisconnectReason reason) override;

  void join_server(std::unique_ptr<net::Transport> upstream);
  void schedule();
  void note_snapshot(const protocol::QuantizedSnapshot& snapshot);
  void note_message(const net::PeerEvent& event);
  void publish(const Waiting& waiting);
  void publish_frame(const RelayFrame& frame);
  void begin_stream();
  void answer_hello(Member& member, std::span<const std::byte> hello);
  void welcome(Member& member);
  void answer_request(Member& member, std::span<const std::byte> bytes);
  void send_scenes(Viewer& viewer);
  void answer_ping(Viewer& viewer, std::span<const std::byte> bytes);
  protocol::Welcome welcome_message() const;

  Options options_;
  net::SystemIo io_;
  std::unique_ptr<TappedTransport> transport_;
  std::unique_ptr<client::Client> upstream_;
  std::optional<protocol::Welcome> server_;  // Welcome of the server
  std::optional<RelayStream> stream_;
  std::unique_ptr<FragmentStore> fragments_;
  SharedWorld world_;  // newest world of the server
  std::deque<Waiting> waiting_;
  std::map<gate_link::ViewerId, Member> viewers_;
  std::uint32_t last_viewer_ = 0;
  std::uint64_t group_ = 0, frames_ = 0;
  /// Smallest difference between the time of publishing a tick and its nominal time, in µs.
  std::optional<double> tick_offset_us_;
  boost::asio::steady_timer timer_;
  std::int64_t retry_us_ = 0;          // earliest time of the next attempt to join the server
  bool has_asked_for_scenes_ = false;  // in this session of the server
  bool is_stopped_ = false;
  std::shared_ptr<bool> is_alive_ = std::make_shared<bool>(true);
};

}  // namespace jostle::gate
