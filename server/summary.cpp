#include "server/summary.h"

#include "protocol/message_names.h"
#include "shared/base/counted.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::server {
namespace {

/// Bytes of one kind of message, or of one protocol layer.
struct TrafficRow {
  std::string name;
  double sent = 0, received = 0;
};

/// Returns the rows of all kinds that were sent or received.
std::vector<TrafficRow> traffic_rows(const net::TransportCounters& wire) {
  std::vector<TrafficRow> rows;
  const auto add = [&](const net::TrafficLine& line, double TrafficRow::*bytes) {
    auto row = std::find_if(rows.begin(), rows.end(),
                            [&](const TrafficRow& known) { return known.name == line.name; });
    if (row == rows.end()) row = rows.insert(rows.end(), TrafficRow{line.name, 0, 0});
    (*row).*bytes = static_cast<double>(line.bytes);
  };
  const std::vector<net::TrafficLine> sent = net::lines_of(wire.sent);
  const std::vector<net::TrafficLine> received = net::lines_of(wire.received);
  // Messages of both directions come first, then the protocol layers around them. Names of messages
  // have four letters.
  for (const bool is_message : {true, false}) {
    for (const net::TrafficLine& line : sent)
      if ((line.name.size() == 4) == is_message) add(line, &TrafficRow::sent);
    for (const net::TrafficLine& line : received)
      if ((line.name.size() == 4) == is_message) add(line, &TrafficRow::received);
  }
  return rows;
}

/// Prints a table with the bytes of each kind of message in both directions. Leaves out kinds that
/// are below 0.1 % in each direction.
void print_traffic(const net::TransportCounters& wire) {
  const auto sent = static_cast<double>(wire.sent.total_bytes());
  const auto received = static_cast<double>(wire.received.total_bytes());
  if (sent + received == 0) return;
  const auto share = [](double bytes, double total) {
    return total == 0 ? 0 : 100 * bytes / total;
  };
  const auto print_row = [&](std::string_view name, double down, double up) {
    std::printf("  %-30.*s %12.1f %6.1f %% %12.1f %6.1f %%\n", static_cast<int>(name.size()),
                name.data(), down * 1e-3, share(down, sent), up * 1e-3, share(up, received));
  };
  std::printf("jostled: traffic %28s %21s\n", "sent, kB", "received, kB");
  for (const TrafficRow& row : traffic_rows(wire)) {
    if (share(row.sent, sent) >= 0.1 || share(row.received, received) >= 0.1)
      print_row(protocol::name_of_message(row.name), row.sent, row.received);
  }
  print_row("total", sent, received);
}

void add_count(std::string& text, std::uint64_t count, std::string_view words) {
  if (count == 0) return;
  text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(words);
}

/// Prints the number of discarded datagrams and rejected clients by reason; nothing if there are
/// none.
void print_refusals(const net::EnetTransport& transport) {
  std::string datagrams, clients;
  for (std::size_t i = 0; i < net::datagram_verdict_count; ++i) {
    const auto verdict = static_cast<net::DatagramVerdict>(i);
    if (verdict == net::DatagramVerdict::Accepted || verdict == net::DatagramVerdict::Handshake)
      continue;
    add_count(datagrams, transport.verdicts()[i], net::describe(verdict));
  }
  for (std::size_t i = 0; i < secure::admission_count; ++i) {
    const auto admission = static_cast<secure::Admission>(i);
    if (admission != secure::Admission::Accepted)
      add_count(clients, transport.admissions()[i], secure::describe(admission));
  }
  add_count(clients, transport.counters().handshakes_failed, "used wrong keys in the handshake");
  if (!datagrams.empty()) std::printf("jostled: datagrams discarded: %s\n", datagrams.c_str());
  if (!clients.empty()) std::printf("jostled: clients rejected: %s\n", clients.c_str());
}

void print_ticks(const Server& server, const TickLoop& loop) {
  const DurationHistogram& durations = loop.tick_durations();
  std::printf("jostled: %s (%llu skipped), tick time p50 %.2f ms, p99 %.2f ms, max %.2f ms\n",
              base::counted(server.metrics().ticks, "tick").c_str(),
              static_cast<unsigned long long>(loop.ticks_skipped()),
              static_cast<double>(durations.percentile_us(0.50)) / 1000.0,
              static_cast<double>(durations.percentile_us(0.99)) / 1000.0,
              static_cast<double>(durations.max_us()) / 1000.0);
}

/// Prints the number of clients, and the mean rate of world state per playing client. Omits the
/// rate if the clients played for less than 1 s in total, because joining dominates so short a
/// mean.
void print_clients(const Metrics& metrics) {
  char rate[120] = "";
  if (metrics.client_seconds >= 1) {
    std::snprintf(rate, sizeof rate,
                  ", %.1f s of play in total, %.0f bytes/s of world state per client",
                  metrics.client_seconds,
                  static_cast<double>(metrics.snapshot_bytes) / metrics.client_seconds);
  }
  std::printf("jostled: %s%s; %s\n", base::counted(metrics.sessions_accepted, "client").c_str(),
              rate, base::counted(metrics.messages_refused, "rejected message").c_str());
}

}  // namespace

void print_summary(const Server& server, const TickLoop& loop, const net::EnetTransport& transport,
                   const sim::Simulation& simulation) {
  const net::TransportCounters wire = transport.counters();
  print_ticks(server, loop);
  print_clients(server.metrics());
  print_traffic(wire);
  print_refusals(transport);
  if (server.sync_test().ticks_back() > 0)
    std::printf("jostled: %s\n", server.sync_test().text().c_str());
  std::printf("jostled: state hash at tick %u: %016llx\n", simulation.tick().number,
              static_cast<unsigned long long>(simulation.hash().total));
  std::fflush(stdout);
}

void print_web_summary(const gate_link::GateTransport& viewers) {
  const net::TransportCounters link = viewers.counters();
  std::printf("jostled: browsers: %s admitted, %llu refused; %.1f kB to the gate, %.1f kB back\n",
              base::counted(viewers.viewers_admitted(), "viewer").c_str(),
              static_cast<unsigned long long>(viewers.viewers_refused()),
              static_cast<double>(link.bytes_sent) * 1e-3,
              static_cast<double>(link.bytes_received) * 1e-3);
  std::fflush(stdout);
}

}  // namespace jostle::server
