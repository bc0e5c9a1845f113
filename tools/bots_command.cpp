#include "client/client.h"
#include "server/seed_fault.h"
#include "shared/base/nan_fault.h"
#include "shared/base/random.h"
#include "shared/net/enet_transport.h"
#include "shared/net/system_io.h"
#include "tools/bench/json_object.h"
#include "tools/commands.h"

#include <poll.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace jostle::tools {
namespace {

constexpr std::int64_t period_us = 1'000'000 / state::default_tick_rate_hz;

struct BotOptions {
  int count = 8;
  std::string ip = "127.0.0.1";
  std::uint16_t port = 7777;
  double duration_seconds = 10;
  std::uint64_t seed = 0;
  bool as_json = false;
};

/// A client that plays by chance. It knows what any client knows, and no more.
class Bot {
 public:
  Bot(net::Io& io, std::unique_ptr<net::Transport> transport, const client::Options& options,
      base::Random random)
      : transport_(std::move(transport)), client_(io, *transport_, options), random_(random) {}

  /// Once per client tick.
  void play() {
    if (--ticks_left_ <= 0) change_mind();
  }
  void update() { client_.update(); }
  int native_handle() const { return transport_->native_handle(); }
  client::Client& client() { return client_; }
  const client::Client& client() const { return client_; }
  net::TransportCounters counters() const { return transport_->counters(); }

 private:
  void change_mind() {
    ticks_left_ = static_cast<int>(10 + random_.below(50));
    state::PlayerInput input;
    input.move_x = random_.between(-0.7f, 0.7f);
    input.move_z = random_.between(-0.7f, 0.7f);
    if (random_.chance(0.2f)) input.buttons = state::button_jump;
    const std::vector<state::BodyInfo>& bodies = client_.world().bodies;
    if (!bodies.empty() && random_.chance(0.5f)) {
      const state::BodyInfo& body =
          bodies[random_.below(static_cast<std::uint32_t>(bodies.size()))];
      if (body.grabbable) {
        const float lift = random_.between(20.0f, 150.0f);
        input.actions.push_back({state::ActionKind::Push, body.id, {}, {0.0f, lift, 0.0f}});
      }
    }
    client_.set_input(input);
  }

  std::unique_ptr<net::Transport> transport_;
  client::Client client_;
  base::Random random_;
  int ticks_left_ = 0;
};

int fail(const std::string& words, int code) {
  std::fprintf(stderr, "jostle bots: %s\n", words.c_str());
  return code;
}

void print_bot(std::size_t index, const client::Client& client) {
  const client::Metrics& m = client.metrics();
  std::printf(
      "bot %zu: %llu snapshots, tick %u, RTT %.1f ms, %.0f bytes/s down, %.0f up, loss %.1f %%, "
      "snapshot age %.1f ms, view delay %.1f ms\n",
      index + 1, static_cast<unsigned long long>(m.snapshots_complete), m.newest_tick.number,
      m.round_trip_ms, m.bytes_per_second_down, m.bytes_per_second_up, 100.0 * m.snapshot_loss,
      m.snapshot_age_ms, m.view_delay_ms);
}

using Bots = std::vector<std::unique_ptr<Bot>>;

std::string ledger_json(const Bots& bots, net::ByteLedger net::TransportCounters::*direction) {
  std::map<std::string, std::uint64_t> bytes;
  for (const auto& bot : bots) {
    for (const net::LedgerLine& line : net::lines_of(bot->counters().*direction))
      bytes[line.name] += line.bytes;
  }
  bench::JsonObject json(6);
  for (const auto& [name, count] : bytes)
    json.add(name, static_cast<long long>(count));
  return json.finish();
}

void print_json(const Bots& bots, double seconds) {
  std::vector<double> ages;
  double down = 0, up = 0, complete = 0;
  for (const auto& bot : bots) {
    const client::Metrics& m = bot->client().metrics();
    ages.push_back(m.snapshot_age_ms);
    down += static_cast<double>(m.bytes_down);
    up += static_cast<double>(m.bytes_up);
    complete += static_cast<double>(m.snapshots_complete);
  }
  std::sort(ages.begin(), ages.end());
  const auto clients = static_cast<double>(bots.size());
  bench::JsonObject json(6);
  json.add("clients", static_cast<long long>(bots.size()));
  json.add("seconds", seconds);
  json.add("snapshots_per_client_second", complete / clients / seconds);
  json.add("bytes_per_client_second_down", down / clients / seconds);
  json.add("bytes_per_client_second_up", up / clients / seconds);
  json.add("snapshot_age_median_ms", ages[ages.size() / 2]);
  json.add("snapshot_age_largest_ms", ages.back());
  json.add_object("wire_bytes_down", ledger_json(bots, &net::TransportCounters::received));
  json.add_object("wire_bytes_up", ledger_json(bots, &net::TransportCounters::sent));
  std::printf("%s\n", json.finish().c_str());
}

/// Until `end_us`, lets each bot take in what has arrived as soon as it has: what waits is measured
/// as round trip.
void update_as_datagrams_arrive(net::Io& io, const Bots& bots, std::int64_t end_us) {
  std::vector<pollfd> handles;
  handles.reserve(bots.size());
  for (const auto& bot : bots)
    handles.push_back({bot->native_handle(), POLLIN, 0});
  for (;;) {
    const std::int64_t wait_us = end_us - io.now_us();
    if (wait_us <= 0) return;
    const timespec wait{0, wait_us * 1'000};
    if (ppoll(handles.data(), handles.size(), &wait, nullptr) <= 0) return;
    for (std::size_t i = 0; i < bots.size(); ++i) {
      if (handles[i].revents != 0) bots[i]->update();
    }
  }
}

int run_bots(const BotOptions& options) {
  net::RealIo io;
  base::Random random(options.seed);
  Bots bots;
  for (int i = 0; i < options.count; ++i) {
    net::EnetOptions transport_options;
    transport_options.max_peers = 1;
    transport_options.is_accepting = false;
    auto transport = net::EnetTransport::create(io, transport_options);
    if (!transport) return fail(transport.error().text, exit_differs);
    client::Options client_options;
    client_options.server = {*net::parse_ip(options.ip), options.port};
    client_options.name = "bot " + std::to_string(i + 1);
    bots.push_back(
        std::make_unique<Bot>(io, *std::move(transport), client_options, random.split()));
  }

  const std::int64_t start_us = io.now_us();
  const auto end_us = start_us + static_cast<std::int64_t>(options.duration_seconds * 1e6);
  for (std::int64_t due_us = start_us; due_us < end_us; due_us += period_us) {
    for (const auto& bot : bots) {
      bot->play();
      bot->update();
      if (bot->client().status().state == client::ClientState::Failed) {
        return fail(bot->client().status().words, exit_differs);
      }
    }
    update_as_datagrams_arrive(io, bots, due_us + period_us);
  }
  if (options.as_json) print_json(bots, options.duration_seconds);
  int idle = 0;
  for (std::size_t i = 0; i < bots.size(); ++i) {
    if (!options.as_json) print_bot(i, bots[i]->client());
    if (bots[i]->client().metrics().snapshots_complete == 0) ++idle;
    bots[i]->client().close();
    bots[i]->update();
  }
  return idle == 0 ? exit_ok
                   : fail(std::to_string(idle) + " bots never saw the world", exit_differs);
}

}  // namespace

Command add_bots(CLI::App& app) {
  auto options = std::make_shared<BotOptions>();
  CLI::App* command = app.add_subcommand("bots", "Clients that play by chance, to load a server");
  command->add_option("--clients", options->count, "How many")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--ip", options->ip, "The server's IPv4 address")
      ->check(CLI::ValidIPV4)
      ->capture_default_str();
  command->add_option("--port", options->port, "The server's port")
      ->check(CLI::Range(1, 65535))
      ->capture_default_str();
  command->add_option("--seconds", options->duration_seconds, "How long to play")
      ->check(CLI::Range(0.1, 1e6))
      ->check(base::nan_fault)
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Of what they do")
      ->check(server::seed_fault)
      ->capture_default_str();
  command->add_flag("--json", options->as_json,
                    "Print one JSON object, with where every byte on the wire went");
  return [options] { return run_bots(*options); };
}

}  // namespace jostle::tools
