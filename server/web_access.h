#pragma once

#include "server/gate_process.h"
#include "shared/base/result.h"
#include "shared/gate_link/gate_transport.h"
#include "shared/net/io.h"
#include "shared/net/security.h"
#include "shared/net/transport.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace jostle::server {

/// Settings for viewers in browsers.
struct WebOptions {
  /// Address at which a gate is started, such as "127.0.0.1:7780"; empty: none is started.
  std::string listen{};
  std::string page_folder{};                  // of the started gate; empty: the installed page
  std::vector<std::string> gate_arguments{};  // further arguments of the started gate
  /// Path of the Unix socket; empty with `listen`: in a new private folder.
  std::string socket_path{};
  std::string socket_user{};  // see LocalListener::Options::user
  bool is_public = false;     // see GateTransportOptions::is_public

  bool is_wanted() const { return !listen.empty() || !socket_path.empty(); }
};

/// Access to a server for viewers in browsers: the Unix socket, and the gate if the server starts
/// it.
class WebAccess {
 public:
  /// Opens the socket, and starts the gate and waits until it listens. All references must outlive
  /// the result. The error is one sentence.
  static base::Result<std::unique_ptr<WebAccess>, std::string> create(
      net::Io& io, net::Transport& clients, const net::SecurityOptions& security,
      std::size_t max_sessions, const WebOptions& options);
  WebAccess(const WebAccess&) = delete;
  WebAccess& operator=(const WebAccess&) = delete;

  /// Returns the transport of clients and viewers together.
  net::Transport& transport() { return *joined_; }
  const gate_link::GateTransport& viewers() const { return *viewers_; }
  /// Returns lines to print at start-up.
  std::vector<std::string> startup_messages() const;
  /// Address of the page; empty if no gate is connected.
  const std::string& url() const { return viewers_->url(); }
  /// Returns the process ID of a gate that was started; 0 without one.
  int gate_process() const { return gate_ == nullptr ? 0 : gate_->id(); }
  /// Logs the end of a gate that was started. Call it often.
  void advance();

 private:
  WebAccess() = default;
  std::string start_gate(const WebOptions& options);

  std::unique_ptr<PrivateFolder> folder_;
  std::unique_ptr<gate_link::GateTransport> viewers_;
  std::unique_ptr<gate_link::JoinedTransport> joined_;
  std::unique_ptr<GateProcess> gate_;
};

}  // namespace jostle::server
