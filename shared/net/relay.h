#pragma once

#include "shared/base/result.h"
#include "shared/net/net_sim.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace jostle::net {

/// A UDP relay that simulates a bad network between clients and a server. The server sees one port
/// of the relay per client. The relay does not inspect the datagrams.
class Relay {
 public:
  /// Maximum number of clients. Further clients are ignored.
  static constexpr std::size_t max_clients = 1'024;
  /// Time after which a silent client is removed.
  static constexpr std::int64_t max_silence_us = 60'000'000;

  /// Creates a relay that forwards datagrams between clients, which send to `listen`, and the
  /// server at `server`. `io` must outlive the relay.
  static base::Result<std::unique_ptr<Relay>, IoError> create(Io& io, Address listen,
                                                              Address server,
                                                              const NetworkConditions& conditions,
                                                              std::uint64_t seed);

  /// Forwards the datagrams that have arrived or are due.
  void pump();
  Address local_address() const { return listener_->local_address(); }
  std::size_t client_count() const { return clients_.size(); }
  /// Returns the handles to wait on. There is work to do when any of them is readable.
  std::vector<int> native_handles() const;

 private:
  struct Client {
    std::unique_ptr<DatagramSocket> socket;  // socket to the server, behind the simulated network
    std::int64_t heard_us = 0;
  };
  Relay(Io& io, std::unique_ptr<DatagramSocket> listener, Address server,
        const NetworkConditions& conditions, std::uint64_t seed);
  Client* client_of(Address address);
  void forget_silent();

  Io& io_;
  NetSim sim_;
  std::unique_ptr<DatagramSocket> listener_;
  Address server_;
  std::map<Address, Client> clients_;
  std::vector<std::byte> buffer_;
};

}  // namespace jostle::net
