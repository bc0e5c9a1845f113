#pragma once

#include "shared/gate_link/frames.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>

#include "gate/audience.h"
#include "gate/link_spectator.h"
#include "gate/room.h"
#include "gate/viewer.h"
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jostle::gate {

/// A room whose world runs in a server, to which a Unix socket leads. The room connects again and
/// again while the server does not run.
///
/// The server serves a limited number of viewers itself. The room hands further viewers that only
/// watch over to an audience, after the server has admitted them.
class ServerRoom final : public Room, public ViewerOwner {
 public:
  struct Options {
    std::string socket_path{};
    std::string url{};  // address of the room's page, which the server displays
    ViewerLimits limits{};
    std::size_t max_viewers = 1'000;
    /// Number of viewers from which on others join the audience.
    std::size_t direct_viewers = 32;
    MakeAudience make_audience{};  // may be empty: the server serves all viewers
  };
  /// Starts to connect. `context` must outlive the room.
  ServerRoom(boost::asio::io_context& context, Options options);
  ~ServerRoom() override;

  bool is_open() const override { return is_open_; }
  std::unique_ptr<http::WebSocketHandler> join(net::Address client, bool needs_server) override;
  std::optional<http::Response> respond(const std::string& path) override;
  void watch() override;
  void close_all() override;
  std::size_t viewer_count() const override { return viewers_.size(); }
  /// Returns the number of viewers that the audience serves.
  std::size_t audience_size() const;

 private:
  /// The part of the gate and the server that serves a viewer.
  enum class ServedBy : std::uint8_t { Undecided, Waiting, Server, Audience };
  struct Member {
    Viewer* viewer = nullptr;
    bool needs_server = false;
    ServedBy served_by = ServedBy::Undecided;
    std::vector<std::byte> hello{};  // while it waits for the audience
    std::chrono::steady_clock::time_point waiting_since{};
  };
  void entered(Viewer& viewer, const gate_link::EntryRequest& request) override;
  void received(Viewer& viewer, const gate_link::ViewerMessage& message) override;
  void acknowledged(Viewer& viewer, std::uint64_t total, std::uint32_t round_trip_us) override;
  void left(Viewer& viewer, net::DisconnectReason reason) override;

  void connect();
  void read();
  void lose(const std::string& why);
  void take(std::span<const std::byte> bytes);
  bool handle(const gate_link::ServerFrame& frame);
  void put(const gate_link::GateFrame& frame);
  void write();
  Viewer* find(gate_link::ViewerId id);
  std::size_t count(ServedBy served_by) const;
  void assign(Member& member, const gate_link::ViewerMessage& hello);
  void open_audience();
  bool join_audience(Member& member, std::span<const std::byte> hello);
  void watch_audience();
  void pass_on(Viewer& viewer, const gate_link::ViewerMessage& message);

  boost::asio::io_context& context_;
  Options options_;
  boost::asio::local::stream_protocol::socket socket_;
  boost::asio::steady_timer retry_;
  /// Number of the connection. Callbacks of earlier connections do nothing.
  std::uint64_t connection_ = 0;
  bool is_open_ = false, is_stopped_ = false, is_greeted_ = false, is_loss_logged_ = false;
  gate_link::FrameBuffer received_;
  std::array<std::byte, 262'144> buffer_{};
  std::vector<std::byte> waiting_, sending_;
  std::map<gate_link::ViewerId, Member> viewers_;
  std::vector<gate_link::ViewerId> touched_;  // viewers with messages since the last flush
  std::uint32_t last_viewer_ = 0;
  std::uint64_t group_ = 1;
  std::shared_ptr<bool> is_alive_ = std::make_shared<bool>(true);
  LinkSpectator spectator_;
  std::unique_ptr<Audience> audience_;  // refers to spectator_
};

}  // namespace jostle::gate
