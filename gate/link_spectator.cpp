#include "gate/link_spectator.h"

#include "shared/net/address.h"

#include <iterator>
#include <span>
#include <utility>
#include <variant>

namespace jostle::gate {

using gate_link::ViewerId;
using net::DisconnectReason;
using net::PeerEvent;
using net::PeerId;

class LinkSpectator::Transport final : public net::Transport {
 public:
  explicit Transport(LinkSpectator& link) : link_(link) {}
  ~Transport() override { drop({link_.last_peer_}, DisconnectReason::Requested); }

  void service(std::vector<PeerEvent>& events) override {
    std::move(link_.events_.begin(), link_.events_.end(), std::back_inserter(events));
    link_.events_.clear();
  }
  std::optional<PeerId> connect(net::Address) override {
    if (link_.id_) return std::nullopt;
    link_.id_ = link_.new_id_();
    link_.received_ = 0;
    link_.put_(gate_link::GateWatch{*link_.id_});
    return PeerId{++link_.last_peer_};
  }
  bool send(PeerId peer, net::Channel channel, std::span<const std::byte> bytes) override {
    if (!is_up(peer)) return false;
    link_.put_(gate_link::LinkMessage{*link_.id_, channel, bytes});
    ++link_.counters_.datagrams_sent;
    link_.counters_.bytes_sent += bytes.size();
    return true;
  }
  void flush() override {}
  void disconnect(PeerId peer, DisconnectReason reason) override {
    if (!is_current(peer)) return;
    leave(reason);
    link_.end(reason);
  }
  void drop(PeerId peer, DisconnectReason reason) override {
    if (is_current(peer)) leave(reason);
  }
  std::size_t pending_reliable_bytes(PeerId) const override { return 0; }
  std::optional<net::PeerStats> stats(PeerId peer) const override {
    if (!is_current(peer)) return std::nullopt;
    return net::PeerStats{.address = {net::loopback_ip, 0}};
  }
  std::optional<net::PeerIdentity> identity(PeerId peer) const override {
    if (!is_up(peer)) return std::nullopt;
    return net::PeerIdentity{.role = secure::Role::Spectator, .client = 0, .key = {}};
  }
  std::string trouble_with(PeerId) const override { return {}; }
  bool has_answered(PeerId peer) const override { return is_up(peer); }
  net::TransportCounters counters() const override { return link_.counters_; }
  net::Address local_address() const override { return {}; }
  int native_handle() const override { return -1; }

 private:
  bool is_current(PeerId peer) const { return link_.id_ && peer.value == link_.last_peer_; }
  bool is_up(PeerId peer) const { return is_current(peer) && link_.is_admitted_; }
  void leave(DisconnectReason reason) {
    link_.put_(gate_link::ViewerGone{*link_.id_, reason});
    link_.id_.reset();
    link_.is_admitted_ = false;
  }

  LinkSpectator& link_;
};

std::unique_ptr<net::Transport> LinkSpectator::transport() {
  return std::make_unique<Transport>(*this);
}

bool LinkSpectator::handle(const gate_link::ServerFrame& frame) {
  if (const auto* const message = std::get_if<gate_link::LinkMessage>(&frame)) {
    if (!is_own(message->viewer)) return false;
    ++counters_.datagrams_received;
    counters_.bytes_received += message->bytes.size();
    PeerEvent& event = events_.emplace_back();
    event.kind = PeerEvent::Kind::Received;
    event.peer = {last_peer_};
    event.channel = message->channel;
    event.bytes.assign(message->bytes.begin(), message->bytes.end());
    if (message->channel == net::Channel::Control || message->channel == net::Channel::Bulk) {
      received_ += message->bytes.size();
      put_(gate_link::ViewerAcknowledged{*id_, received_, 0});
    }
  } else if (const auto* const admitted = std::get_if<gate_link::ViewerAdmitted>(&frame)) {
    if (!is_own(admitted->viewer)) return false;
    is_admitted_ = true;
    events_.push_back({.kind = PeerEvent::Kind::Connected, .peer = {last_peer_}});
  } else if (const auto* const close = std::get_if<gate_link::CloseViewer>(&frame)) {
    if (!is_own(close->viewer)) return false;
    put_(gate_link::ViewerGone{close->viewer, DisconnectReason::Requested});
    end(gate_link::close_reason(close->code).reason);
  } else {
    return false;
  }
  return true;
}

void LinkSpectator::end(DisconnectReason reason) {
  id_.reset();
  is_admitted_ = false;
  events_.push_back(
      {.kind = PeerEvent::Kind::Disconnected, .peer = {last_peer_}, .reason = reason});
}

void LinkSpectator::lose() {
  if (id_) end(DisconnectReason::TimedOut);
}

}  // namespace jostle::gate
