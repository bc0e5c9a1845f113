#include "api/client/client_host.h"

#include "api/base/checks.h"
#include "shared/host_names/resolve.h"
#include "shared/keyring/folders.h"
#include "shared/net/enet_memory.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace jostle::api {
namespace {

// When the library is loaded, so that ENet frees no memory that it has allocated in another way, in
// programs that use ENet themselves.
[[maybe_unused]] const bool is_allocator_installed = net::install_enet_memory();

constexpr double us_per_second = 1e6;

keyring::ClientAccess open_access(net::Io& io, const ClientHostOptions& options) {
  // The address decides whether the key of the server is stored, so one on another machine counts.
  const auto other =
      std::find_if_not(options.addresses.begin(), options.addresses.end(), net::is_loopback);
  const net::Address farthest =
      other == options.addresses.end() ? options.addresses.front() : *other;
  auto access = keyring::ClientAccess::create(io, options.access, {options.host, farthest},
                                              keyring::config_folder());
  if (!access) refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT, access.error().c_str());
  return *std::move(access);
}

}  // namespace

ClientTable& clients() {
  static constinit ClientTable table("client");
  return table;
}

ClientHost::ClientHost(ClientHostOptions options) : access_(open_access(io_, options)) {
  net::EnetOptions transport_options;
  transport_options.security = access_.security(0);
  transport_options.max_peers = 1;
  transport_options.is_accepting = false;
  transport_options.bind = net::Address{host_names::local_ip_for(options.addresses), 0};
  auto transport = net::EnetTransport::create(io_, transport_options);
  if (!transport) refuse_text(JOSTLE_ERROR_WRONG_STATE, transport.error().text.c_str());
  transport_ = *std::move(transport);
  client::Options& client_options = options.client;
  client_options.server = options.addresses.front();
  client_options.other_addresses.assign(options.addresses.begin() + 1, options.addresses.end());
  client_ = std::make_unique<client::Client>(io_, *transport_, client_options);
}

ClientHost::~ClientHost() {
  constexpr int rounds = 50;
  constexpr std::chrono::milliseconds pause(10);
  client_->close();
  for (int i = 0; i < rounds && !client_->is_closed(); ++i) {
    client_->update();
    if (!client_->is_closed()) std::this_thread::sleep_for(pause);
  }
}

void ClientHost::update() {
  client_->update();
  const auto server = client_->server();
  if (!server) has_met_ = false;
  if (!server || has_met_ || client_->status().state == client::ClientState::Connecting) return;
  has_met_ = true;
  (void)access_.meet(io_, server->key);
}

/// Waits for a datagram. Returns true if there is one.
bool ClientHost::wait(std::int64_t us) {
  pollfd socket{transport_->native_handle(), POLLIN, 0};
  constexpr std::int64_t us_per_ms = 1'000;
  return ::poll(&socket, 1, static_cast<int>((us + us_per_ms - 1) / us_per_ms)) > 0;
}

void ClientHost::poll(double max_wait_seconds) {
  // Inputs are due while the client waits for messages.
  constexpr std::int64_t longest_wait_us = 4'000;
  update();
  const std::int64_t end_us =
      io_.now_us() + static_cast<std::int64_t>(max_wait_seconds * us_per_second);
  bool has_arrived = false;
  for (std::int64_t left = end_us - io_.now_us(); left > 0 && !has_arrived;
       left = end_us - io_.now_us()) {
    has_arrived = wait(std::min(left, longest_wait_us));
    update();
  }
}

void ClientHost::set_input(state::PlayerInput input) {
  client_->set_input(input);
  std::erase_if(input.actions,
                [](const state::Action& action) { return action.kind != state::ActionKind::Grab; });
  held_ = std::move(input);
}

void ClientHost::act(const state::Action& action) {
  if (action.kind == state::ActionKind::Grab) {
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                "action->kind is JOSTLE_ACTION_GRAB, which lasts; use jostle_client_set_input");
  }
  state::PlayerInput input = held_;
  if (input.actions.size() == state::max_actions_per_input) input.actions.pop_back();
  input.actions.push_back(action);
  client_->set_input(input);
  client_->set_input(held_);
}

}  // namespace jostle::api
