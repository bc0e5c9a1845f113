#pragma once

#include "api/base/definition.h"
#include "api/base/handle_table.h"
#include "client/client.h"
#include "shared/keyring/client_access.h"
#include "shared/net/enet_transport.h"
#include "shared/net/system_io.h"

#include <jostle/client.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace jostle::api {

// Version 0.2.0 had no durable tick.
template <>
inline constexpr std::size_t first_size<jostle_client_metrics> = offsetof(jostle_client_metrics,
                                                                          durable_tick);

/// Checked settings of a client.
struct ClientHostOptions {
  client::Options client;
  std::string host;
  std::vector<net::Address> addresses;  // at least one
  keyring::ClientAccessOptions access;
};
/// Checks a definition and resolves the name of the server.
ClientHostOptions checked_client(const jostle_client_def& def);

/// A client with its socket and its keys. It runs in the thread that calls it.
class ClientHost {
 public:
  explicit ClientHost(ClientHostOptions options);
  ~ClientHost();
  ClientHost(const ClientHost&) = delete;
  ClientHost& operator=(const ClientHost&) = delete;

  /// Updates the client. Waits up to `max_wait_seconds` for a message.
  void poll(double max_wait_seconds);
  /// Sets the input until the next call.
  void set_input(state::PlayerInput input);
  /// Sends an action once, with the input that was set.
  void act(const state::Action& action);

  client::Client& client() { return *client_; }
  const client::Client& client() const { return *client_; }

 private:
  void update();
  bool wait(std::int64_t us);

  net::SystemIo io_;
  keyring::ClientAccess access_;
  std::unique_ptr<net::EnetTransport> transport_;
  std::unique_ptr<client::Client> client_;
  state::PlayerInput held_;  // the input without actions that are sent once
  bool has_met_ = false;     // true if the key of this connection's server was stored
};

using ClientTable = HandleTable<jostle_client, ClientHost, JOSTLE_MAX_CLIENTS>;
/// The clients of this process.
ClientTable& clients();

/// Implements a function that reads a client.
template <typename Body>
jostle_result read_client(const char* function, jostle_client handle, const Body& body) noexcept {
  return guard(function, [&] {
    const auto access = clients().read(handle);
    body(std::as_const(access->client()));
  });
}
/// Implements a function that uses a client alone.
template <typename Body>
jostle_result change_client(const char* function, jostle_client handle, const Body& body) noexcept {
  return guard(function, [&] {
    const auto access = clients().change(handle);
    body(*access);
  });
}

}  // namespace jostle::api
