#include "server/seed_fault.h"
#include "shared/base/nan_fault.h"
#include "shared/net/relay.h"
#include "shared/net/system_io.h"
#include "tools/commands.h"

#include <poll.h>

#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace jostle::tools {
namespace {

struct RelayOptions {
  std::uint16_t listen = 7778;
  std::string to = "127.0.0.1:7777", net_sim = "mobile";
  std::uint64_t seed = 0;
  double duration_seconds = 0;
};

volatile std::sig_atomic_t is_stop_wanted = 0;

int fail(const std::string& words) {
  std::fprintf(stderr, "jostle net relay: %s\n", words.c_str());
  return exit_bad_input;
}

/// "127.0.0.1:7777"
std::optional<net::Address> address_of(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto ip = net::parse_ip(text.substr(0, colon));
  const std::string_view digits = text.substr(colon + 1);
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (!ip || error != std::errc() || end != digits.data() + digits.size() || port == 0)
    return std::nullopt;
  return net::Address{*ip, port};
}

void wait_for_something(const net::Relay& relay) {
  constexpr int longest_wait_ms = 100;
  std::vector<pollfd> handles;
  for (const int handle : relay.native_handles())
    handles.push_back({handle, POLLIN, 0});
  (void)::poll(handles.data(), handles.size(), longest_wait_ms);
}

int run_relay(const RelayOptions& options) {
  const net::LinkFaults faults = net::parse_net_sim(options.net_sim).value();
  const net::Address server = *address_of(options.to);
  net::RealIo io;
  auto relay =
      net::Relay::create(io, {net::loopback_ip, options.listen}, server, faults, options.seed);
  if (!relay) {
    return fail("port " + std::to_string(options.listen) + ": " +
                std::string(net::describe(relay.error())));
  }
  std::signal(SIGINT, [](int) { is_stop_wanted = 1; });
  std::signal(SIGTERM, [](int) { is_stop_wanted = 1; });
  std::printf("jostle net relay: from %s to %s, SIMULATED NETWORK: %s\n",
              net::to_string((*relay)->local_address()).c_str(), net::to_string(server).c_str(),
              net::describe(faults).c_str());
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

Command add_net(CLI::App& app) {
  auto options = std::make_shared<RelayOptions>();
  CLI::App* net = app.add_subcommand("net", "Bad networks");
  net->require_subcommand(1);
  CLI::App* relay =
      net->add_subcommand("relay", "Pass datagrams on to a server, through a bad network");
  relay->add_option("--listen", options->listen, "Port of this machine that clients connect to")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  relay->add_option("--to", options->to, "The server")
      ->check([](const std::string& text) {
        return address_of(text) ? std::string() : "'" + text + "' is no IPv4 address and port";
      })
      ->type_name("IP:PORT")
      ->capture_default_str();
  relay
      ->add_option("--net-sim", options->net_sim,
                   "LATENCY/JITTER/LOSS% each way, in ms, or " + net::net_profile_names())
      ->check(net::net_sim_fault)
      ->type_name("NETWORK")
      ->capture_default_str();
  relay->add_option("--seed", options->seed, "Of what goes wrong")
      ->check(server::seed_fault)
      ->capture_default_str();
  relay->add_option("--duration", options->duration_seconds, "Stop after so many seconds; 0: never")
      ->check(CLI::Range(0.0, 1e9))
      ->check(base::nan_fault)
      ->capture_default_str();
  return [options] { return run_relay(*options); };
}

}  // namespace jostle::tools
