#include "shared/command_line/command_line.h"
#include "shared/net/relay.h"
#include "shared/net/system_io.h"
#include "shared/program_options/program_options.h"
#include "tools/commands.h"

#include <poll.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace jostle::tools {
namespace {

struct RelayOptions {
  std::string listen = "7778";
  std::string to = "127.0.0.1:7777", net_sim = "mobile";
  std::uint64_t seed = 0;
  double duration_seconds = 0;
};

volatile std::sig_atomic_t is_stop_wanted = 0;

constexpr Failure fail{"net relay"};

std::string server_fault(const std::string& text) {
  const auto server = net::parse_endpoint(text);
  if (!server) return server.error();
  return server->port == 0 ? "'" + text + "': port 0 is not valid for a server" : std::string();
}

/// Parses an address and a port, or a port alone, which means 127.0.0.1.
base::Result<net::Address, std::string> parse_listen(const std::string& text) {
  const bool is_port = text.find_first_not_of("0123456789") == std::string::npos;
  return net::parse_endpoint(is_port ? "127.0.0.1:" + text : text);
}

std::string listen_fault(const std::string& text) {
  const auto listen = parse_listen(text);
  if (!listen)
    return "'" + text + "' is not a port or an address with a port, such as 7778 or [::1]:7778";
  // Accept only loopback addresses: an open relay would forward datagrams from any machine.
  return net::is_loopback(*listen) ? std::string()
                                   : "'" + text +
                                         "' is not an address of this machine's loopback "
                                         "interface: use 127.0.0.1 or [::1]";
}

void wait_for_something(const net::Relay& relay) {
  constexpr int longest_wait_ms = 100;
  std::vector<pollfd> handles;
  for (const int handle : relay.native_handles())
    handles.push_back({handle, POLLIN, 0});
  (void)::poll(handles.data(), handles.size(), longest_wait_ms);
}

int run_relay(const RelayOptions& options) {
  const net::NetworkConditions conditions = net::parse_net_sim(options.net_sim).value();
  const net::Address server = net::parse_endpoint(options.to).value();
  const net::Address listen = parse_listen(options.listen).value();
  net::SystemIo io;
  auto relay = net::Relay::create(io, listen, server, conditions, options.seed);
  if (!relay)
    return fail("--listen: cannot listen on " + net::to_string(listen) + ": " +
                std::string(net::describe(relay.error())));
  std::signal(SIGINT, [](int) { is_stop_wanted = 1; });
  std::signal(SIGTERM, [](int) { is_stop_wanted = 1; });
  std::printf("jostle net relay: from %s to %s, SIMULATED NETWORK: %s\n",
              net::to_string((*relay)->local_address()).c_str(), net::to_string(server).c_str(),
              net::describe(conditions).c_str());
  std::fflush(stdout);
  const std::int64_t start_us = io.now_us();
  const auto is_over = [&] {
    const double seconds = static_cast<double>(io.now_us() - start_us) * 1e-6;
    return options.duration_seconds > 0 && seconds >= options.duration_seconds;
  };
  while (is_stop_wanted == 0 && !is_over()) {
    wait_for_something(**relay);
    (*relay)->pump();
  }
  return exit_ok;
}

}  // namespace

Command add_net(command_line::App app) {
  auto options = std::make_shared<RelayOptions>();
  command_line::App net = app.add_subcommand("net", "Simulate bad networks");
  net.require_subcommand();
  command_line::App relay =
      net.add_subcommand("relay", "Forward datagrams to a server through a simulated bad network");
  relay
      .add_option("--listen", options->listen,
                  "The address on this machine that clients connect to")
      .check(listen_fault)
      .type_name("[IP:]PORT")
      .capture_default_str();
  relay.add_option("--to", options->to, "Address of the server")
      .check(server_fault)
      .type_name("IP:PORT")
      .capture_default_str();
  program_options::add_net_sim(relay, options->net_sim, "Simulated network").capture_default_str();
  program_options::add_seed(relay, options->seed, "Seed of the simulated faults");
  relay
      .add_option("--duration", options->duration_seconds, "Stop after this many seconds; 0: never")
      .check(command_line::in_range(0.0, 1e9))
      .capture_default_str();
  return [options] { return run_relay(*options); };
}

}  // namespace jostle::tools
