#pragma once

#include "shared/base/result.h"
#include "shared/net/net_sim.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace jostle::net {

/// Passes datagrams between clients and a server, with a bad network between them. The server sees
/// a port of the relay for each client. It looks at nothing that it passes on.
class Relay {
 public:
  /// More clients at once, and those that have been silent for longer, are forgotten.
  static constexpr std::size_t max_clients = 1'024;
  static constexpr std::int64_t max_silence_us = 60'000'000;

  /// Clients come to `listen`. `io` must outlive it.
  static base::Result<std::unique_ptr<Relay>, IoError> create(Io& io, Address listen,
                                                              Address server,
                                                              const LinkFaults& faults,
                                                              std::uint64_t seed);

  /// Passes on what has come and is due.
  void pump();
  Address local_address() const { return listener_->local_address(); }
  std::size_t client_count() const { return clients_.size(); }
  /// Any of them is readable when there is something to do.
  std::vector<int> native_handles() const;

 private:
  struct Client {
    std::unique_ptr<DatagramSocket> socket;  // to the server, behind the bad network
    std::int64_t heard_us = 0;
  };
  Relay(Io& io, std::unique_ptr<DatagramSocket> listener, Address server, const LinkFaults& faults,
        std::uint64_t seed);
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
