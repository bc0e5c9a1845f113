#pragma once

#include "shared/net/transport.h"

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace jostle::match {

/// Forwards all calls to another transport and reports every message.
class ObservedTransport final : public net::Transport {
 public:
  /// Called with one message.
  using Listener =
      std::function<void(net::PeerId peer, net::Channel channel, std::span<const std::byte> bytes)>;

  explicit ObservedTransport(std::unique_ptr<net::Transport> inner) : inner_(std::move(inner)) {}
  /// Sets a function that is called before the owner of the transport receives the message.
  void set_receive_listener(Listener listener) { on_received_ = std::move(listener); }
  /// Sets a function that is called for messages that the transport accepted.
  void set_send_listener(Listener listener) { on_sent_ = std::move(listener); }

  void service(std::vector<net::PeerEvent>& events) override;
  bool send(net::PeerId peer, net::Channel channel, std::span<const std::byte> bytes) override;

  std::optional<net::PeerId> connect(net::Address to) override { return inner_->connect(to); }
  void flush() override { inner_->flush(); }
  void disconnect(net::PeerId peer, net::DisconnectReason reason) override {
    inner_->disconnect(peer, reason);
  }
  void drop(net::PeerId peer, net::DisconnectReason reason) override { inner_->drop(peer, reason); }
  std::size_t pending_reliable_bytes(net::PeerId peer) const override {
    return inner_->pending_reliable_bytes(peer);
  }
  std::optional<net::PeerStats> stats(net::PeerId peer) const override {
    return inner_->stats(peer);
  }
  std::optional<net::PeerIdentity> identity(net::PeerId peer) const override {
    return inner_->identity(peer);
  }
  std::string trouble_with(net::PeerId peer) const override { return inner_->trouble_with(peer); }
  bool has_answered(net::PeerId peer) const override { return inner_->has_answered(peer); }
  net::TransportCounters counters() const override { return inner_->counters(); }
  net::Address local_address() const override { return inner_->local_address(); }
  int native_handle() const override { return inner_->native_handle(); }

 private:
  std::unique_ptr<net::Transport> inner_;
  Listener on_received_, on_sent_;
};

}  // namespace jostle::match
