#include "shared/base/counted.h"
#include "shared/base/log.h"
#include "shared/base/printable.h"
#include "shared/http/server.h"
#include "shared/http/static_files.h"
#include "shared/keyring/client_access.h"
#include "shared/net/system_io.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include "gate/app/command_line.h"
#include "gate/gate.h"
#include "gate/relay/relay_room.h"
#include "gate/server_room.h"
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <utility>

namespace jostle::gate {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::chrono::milliseconds watch_interval{500};
/// Time in which the viewers are told that the gate stops.
constexpr std::chrono::milliseconds stop_time{500};

int fail(const std::string& words, int code) {
  std::fprintf(stderr, "jostle-gate: %s\n", words.c_str());
  return code;
}

/// Raises the limit on open files as far as the system allows: each viewer needs one.
void raise_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

/// Returns the address of the page for users.
std::string page_url(const CommandLine& options, net::Address local) {
  if (!options.url.empty()) return options.url;
  const bool is_tls = !options.server.certificate_file.empty();
  if (local.ip.is_any()) local.ip = net::loopback_of_family(local.ip);
  std::string host = net::to_string(local);
  if (!options.server.names.hosts.empty())
    host = options.server.names.hosts.front() + ":" + std::to_string(local.port);
  return (is_tls ? "https://" : "http://") + host + "/";
}

/// A run of `jostle-gate`. Each member may refer to the members declared above it.
class Program {
 public:
  explicit Program(const CommandLine& options)
      : options_(options),
        signals_(context_, SIGINT, SIGTERM),
        timer_(context_),
        input_(context_) {}

  int run() {
    raise_file_limit();
    if (!options_.page_folder.empty()) {
      auto page = http::StaticFiles::read_folder(options_.page_folder);
      if (!page) return fail("--page: " + base::printable(page.error()), 2);
      gate_ = std::make_unique<Gate>(*std::move(page));
    } else {
      gate_ = std::make_unique<Gate>(http::StaticFiles{});
    }
    http::ServerOptions server = options_.server;
    server.headers = security_headers(options_.embedders);
    auto created = http::Server::create(context_, std::move(server), *gate_);
    if (!created) return fail(created.error(), 1);
    server_ = *std::move(created);
    const std::string url = page_url(options_, server_->local_address());
    for (const CommandLine::NamedSocket& room : options_.rooms)
      gate_->add_room(room.name,
                      std::make_unique<ServerRoom>(
                          context_, ServerRoom::Options{.socket_path = room.socket_path,
                                                        .url = room_url(url, room.name),
                                                        .limits = options_.limits,
                                                        .max_viewers = options_.max_viewers,
                                                        .direct_viewers = options_.direct_viewers,
                                                        .make_audience = make_audience()}));
    if (const std::string fault = add_relays(); !fault.empty()) return fail(fault, 1);
    announce(url);
    signals_.async_wait([this](error_code error, int) {
      if (!error) stop();
    });
    if (options_.stops_with_input) wait_for_end_of_input();
    watch();
    context_.run();
    return 0;
  }

 private:
  /// Adds the rooms of relays. Returns an error text, or nothing.
  std::string add_relays() {
    RelayRoom::Options relay;
    relay.delay_seconds = options_.relay_delay_seconds;
    relay.limits = options_.limits;
    relay.max_viewers = options_.max_viewers;
    for (const CommandLine::NamedServer& server : options_.relays) {
      auto access = keyring::ClientAccess::create(
          io_, {.token = options_.relay_token},
          {.host = net::to_string(server.server.ip), .address = server.server}, std::nullopt);
      if (!access) return "--relay-token: " + base::printable(access.error());
      relay.security = access->security(0);
      relay.server = server.server;
      auto room = RelayRoom::create(context_, relay);
      if (!room) return "--relay: " + room.error();
      gate_->add_room(server.name, *std::move(room));
    }
    return {};
  }

  MakeAudience make_audience() {
    return [this](std::unique_ptr<net::Transport> upstream) {
      return RelayRoom::create_audience(context_, std::move(upstream));
    };
  }

  std::string room_url(const std::string& url, const std::string& name) const {
    return options_.room_count() == 1 ? url : url + "room/" + name + "/";
  }

  void announce(const std::string& url) const {
    if (!options_.is_quiet) {
      for (const CommandLine::NamedSocket& room : options_.rooms)
        std::printf("Watch: %s\n", room_url(url, room.name).c_str());
      for (const CommandLine::NamedServer& relay : options_.relays)
        std::printf("Watch: %s\n", room_url(url, relay.name).c_str());
      std::fflush(stdout);
    }
    if (options_.page_folder.empty())
      base::warn("no page found", {{"hint", "build it, or give its folder with --page"}});
  }

  void wait_for_end_of_input() {
    if (!input_.is_open()) input_.assign(::dup(STDIN_FILENO));
    input_.async_read_some(asio::buffer(input_byte_), [this](error_code error, std::size_t) {
      if (error == asio::error::eof) return stop();
      if (!error) wait_for_end_of_input();
    });
  }

  void watch() {
    timer_.expires_after(watch_interval);
    timer_.async_wait([this](error_code error) {
      if (error) return;
      gate_->watch();
      watch();
    });
  }

  void stop() {
    error_code ignored;
    input_.close(ignored);
    server_->stop();
    gate_->close_all();
    timer_.expires_after(stop_time);
    timer_.async_wait([this](error_code) { context_.stop(); });
  }

  const CommandLine& options_;
  net::SystemIo io_;
  asio::io_context context_;  // owns the sessions; their viewers forget the rooms that end first
  std::unique_ptr<Gate> gate_;
  std::unique_ptr<http::Server> server_;
  asio::signal_set signals_;
  asio::steady_timer timer_;
  asio::posix::stream_descriptor input_;
  std::array<char, 64> input_byte_{};
};

}  // namespace
}  // namespace jostle::gate

int main(int argc, char** argv) {
  try {
    const auto command_line = jostle::gate::parse_command_line(argc, argv);
    if (command_line.exit_code) return *command_line.exit_code;
    std::signal(SIGPIPE, SIG_IGN);
    return jostle::gate::Program(command_line.options).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "jostle-gate: %s\n", error.what());
    return 1;
  }
}
