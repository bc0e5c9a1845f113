#include "server/web_access.h"

#include "shared/base/log.h"
#include "shared/base/printable.h"

#include <poll.h>

#include <algorithm>

namespace jostle::server {
namespace {

/// Time within which a started gate must be ready, in steps of `step_ms`.
constexpr int most_steps = 1'500, step_ms = 20;
/// A viewer's network may hold at most this share of the sessions, but at least the number below.
constexpr std::size_t address_share = 4, least_per_address = 16;

}  // namespace

base::Result<std::unique_ptr<WebAccess>, std::string> WebAccess::create(
    net::Io& io, net::Transport& clients, const net::SecurityOptions& security,
    std::size_t max_sessions, const WebOptions& options) {
  std::unique_ptr<WebAccess> access(new WebAccess);
  gate_link::GateTransportOptions transport;
  transport.socket = {.path = options.socket_path, .user = options.socket_user};
  if (options.socket_path.empty()) {
    auto folder = PrivateFolder::create();
    if (!folder) return folder.error();
    access->folder_ = *std::move(folder);
    transport.socket.path = access->folder_->path() + "/room.sock";
  }
  transport.security = security;
  transport.is_public = options.is_public;
  transport.max_viewers = max_sessions;
  transport.max_viewers_per_address = std::max(least_per_address, max_sessions / address_share);
  auto viewers = gate_link::GateTransport::create(io, transport);
  if (!viewers) return viewers.error();
  access->viewers_ = *std::move(viewers);
  if (!options.listen.empty()) {
    if (std::string fault = access->start_gate(options); !fault.empty()) return fault;
  }
  access->joined_ = std::make_unique<gate_link::JoinedTransport>(clients, *access->viewers_);
  return access;
}

/// Starts the gate and waits until it is connected. Returns an error text, or nothing.
std::string WebAccess::start_gate(const WebOptions& options) {
  std::vector<std::string> arguments{"--listen", options.listen, "--room",
                                     "main=" + viewers_->path(), "--quiet"};
  if (!options.page_folder.empty()) {
    arguments.emplace_back("--page");
    arguments.push_back(options.page_folder);
  }
  arguments.insert(arguments.end(), options.gate_arguments.begin(), options.gate_arguments.end());
  auto gate = GateProcess::start(arguments);
  if (!gate) return gate.error();
  gate_ = *std::move(gate);
  std::vector<net::PeerEvent> events;
  for (int step = 0; step < most_steps && viewers_->url().empty(); ++step) {
    if (!gate_->is_running())
      return "jostle-gate has ended, or was found neither beside the program, nor in ../bin of "
             "libjostle, nor in PATH; JOSTLE_GATE may name it";
    pollfd handle{.fd = viewers_->native_handle(), .events = POLLIN, .revents = 0};
    ::poll(&handle, 1, step_ms);
    viewers_->service(events);
  }
  // A viewer that was faster than the server tries again.
  for (const net::PeerEvent& event : events)
    viewers_->drop(event.peer, net::DisconnectReason::TimedOut);
  return viewers_->url().empty() ? "jostle-gate did not start within 30 s" : std::string();
}

std::vector<std::string> WebAccess::startup_messages() const {
  std::vector<std::string> words;
  if (folder_ == nullptr) words.push_back("the gate's socket is " + viewers_->path());
  if (gate_ != nullptr)
    words.emplace_back(
        "the gate is a process of the same user as the server; the Debian package's service gives "
        "it a user of its own");
  return words;
}

void WebAccess::advance() {
  if (gate_ == nullptr || gate_->is_running()) return;
  gate_.reset();
  base::error("the gate has ended: viewers in browsers cannot connect any more");
}

}  // namespace jostle::server
