#include "server/summary.h"

#include "protocol/message_names.h"
#include "shared/base/counted.h"

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

namespace jostle::server {
namespace {

/// Prints one line with the share of each kind of message in the bytes of a direction, "sent" or
/// "received".
void print_ledger(const char* direction, const net::TrafficBreakdown& ledger) {
  const auto total = static_cast<double>(ledger.total_bytes());
  if (total == 0) return;
  std::string text;
  for (const net::TrafficLine& line : net::lines_of(ledger)) {
    const double share = 100 * static_cast<double>(line.bytes) / total;
    if (share < 0.1) continue;
    std::array<char, 96> part{};
    std::snprintf(part.data(), part.size(), "%s%s %.1f %%", text.empty() ? "" : ", ",
                  std::string(protocol::name_of_message(line.name)).c_str(), share);
    text += part.data();
  }
  std::printf("jostled: %s %.0f kB: %s\n", direction, total * 1e-3, text.c_str());
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

void print_bytes(const Metrics& metrics, const net::TransportCounters& wire) {
  const double per_client_second = metrics.client_seconds > 0 ? 1.0 / metrics.client_seconds : 0;
  std::printf("jostled: per client: %.0f bytes/s down (%.0f of them snapshots), %.0f up; %s, %s\n",
              static_cast<double>(wire.bytes_sent) * per_client_second,
              static_cast<double>(metrics.snapshot_bytes) * per_client_second,
              static_cast<double>(wire.bytes_received) * per_client_second,
              base::counted(metrics.sessions_accepted, "client").c_str(),
              base::counted(metrics.messages_refused, "rejected message").c_str());
}

}  // namespace

void print_summary(const Server& server, const TickLoop& loop, const net::EnetTransport& transport,
                   const sim::Simulation& simulation) {
  const net::TransportCounters wire = transport.counters();
  print_ticks(server, loop);
  print_bytes(server.metrics(), wire);
  print_ledger("sent", wire.sent);
  print_ledger("received", wire.received);
  print_refusals(transport);
  if (server.sync_test().ticks_back() > 0)
    std::printf("jostled: %s\n", server.sync_test().text().c_str());
  std::printf("jostled: state hash at tick %u: %016llx\n", simulation.tick().number,
              static_cast<unsigned long long>(simulation.hash().total));
  std::fflush(stdout);
}

}  // namespace jostle::server
