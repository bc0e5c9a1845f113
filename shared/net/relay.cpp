#include "shared/net/relay.h"

#include <algorithm>
#include <span>
#include <utility>

namespace jostle::net {
namespace {

/// Maximum UDP payload in bytes.
constexpr std::size_t max_payload_bytes = 65'507;
/// Maximum number of datagrams from one socket before the next socket is served.
constexpr int max_burst = 4'096;

}  // namespace

base::Result<std::unique_ptr<Relay>, IoError> Relay::create(Io& io, Address listen, Address server,
                                                            const NetworkConditions& conditions,
                                                            std::uint64_t seed) {
  auto listener = io.open_datagram_socket(listen);
  if (!listener) return listener.error();
  return std::unique_ptr<Relay>(new Relay(io, *std::move(listener), server, conditions, seed));
}

Relay::Relay(Io& io, std::unique_ptr<DatagramSocket> listener, Address server,
             const NetworkConditions& conditions, std::uint64_t seed)
    : io_(io),
      sim_(io, conditions, NetSim::End::Client, seed),
      listener_(std::move(listener)),
      server_(server),
      buffer_(max_payload_bytes) {}

/// Returns the client with this address, and adds it if it is new. Returns null if there are too
/// many clients, or no socket can be opened.
Relay::Client* Relay::client_of(Address address) {
  const auto found = clients_.find(address);
  if (found != clients_.end()) return &found->second;
  if (clients_.size() >= max_clients) return nullptr;
  auto socket = sim_.open_datagram_socket(
      {is_loopback(server_) ? loopback_of_family(server_.ip) : any_of_family(server_.ip), 0});
  if (!socket) return nullptr;
  return &clients_.emplace(address, Client{*std::move(socket), io_.now_us()}).first->second;
}

void Relay::pump() {
  for (int i = 0; i < max_burst; ++i) {
    const auto got = listener_->receive(buffer_);
    if (!got) break;
    Client* client = got->is_truncated ? nullptr : client_of(got->from);
    if (client == nullptr) continue;
    client->heard_us = io_.now_us();
    (void)client->socket->send(server_, std::span(buffer_).first(got->bytes));
  }
  for (auto& [address, client] : clients_) {
    for (int i = 0; i < max_burst; ++i) {
      const auto got = client.socket->receive(buffer_);
      if (!got) break;
      if (got->from == server_)
        (void)listener_->send(address, std::span(buffer_).first(got->bytes));
    }
  }
  forget_silent();
}

void Relay::forget_silent() {
  const std::int64_t now_us = io_.now_us();
  std::erase_if(clients_,
                [&](const auto& entry) { return now_us - entry.second.heard_us > max_silence_us; });
}

std::vector<int> Relay::native_handles() const {
  std::vector<int> handles{listener_->native_handle()};
  for (const auto& [address, client] : clients_)
    handles.push_back(client.socket->native_handle());
  return handles;
}

}  // namespace jostle::net
