#include "protocol/message_names.h"
#include "tools/bench/json_object.h"
#include "tools/load/server_load.h"

#include <array>
#include <cstdarg>
#include <cstdio>

// Reports of a load test, as JSON and as text.

namespace jostle::load {
namespace {

double per_second(std::uint64_t count, const ServerLoadFigures& figures) {
  return static_cast<double>(count) / figures.seconds;
}

double us_per_tick(double us, const ServerLoadFigures& figures) {
  return us / static_cast<double>(figures.ticks);
}

/// Converts CPU time to the number of cores in use.
double cores(double us, const ServerLoadFigures& figures) {
  return us * 1e-6 / figures.seconds;
}

double phase_us(const ServerLoadFigures& figures, server::Phase phase) {
  return figures.phase_us[static_cast<std::size_t>(phase)];
}

double without_physics_us(const ServerLoadFigures& figures) {
  return figures.total_us - phase_us(figures, server::Phase::Simulate);
}

std::string ledger_json(const net::TrafficBreakdown& ledger) {
  bench::JsonObject json(6);
  for (const net::TrafficLine& line : net::lines_of(ledger))
    json.add(protocol::json_key_of_message(line.name), static_cast<long long>(line.bytes));
  return json.finish();
}

void append_line(std::string& text, const char* format, ...) __attribute__((format(printf, 2, 3)));
void append_line(std::string& text, const char* format, ...) {
  std::array<char, 256> line{};
  va_list arguments;
  va_start(arguments, format);
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang-tidy 14 does not see va_start
  std::vsnprintf(line.data(), line.size(), format, arguments);
  va_end(arguments);
  text += line.data();
  text += '\n';
}

}  // namespace

std::string to_json(const ServerLoadOptions& options, const ServerLoadFigures& figures) {
  bench::JsonObject json(6);
  const auto count = [&](std::string_view name, std::uint64_t value) {
    json.add(name, static_cast<long long>(value));
  };
  json.add("scene", options.scene);
  count("clients", options.bots.clients);
  count("players", options.bots.players);
  count("decode_every", options.bots.decode_every);
  count("per_socket", options.bots.per_socket);
  json.add("input", std::string(input_mix_names[static_cast<std::size_t>(options.bots.mix)]));
  json.add("hz", static_cast<long long>(options.tick_rate_hz));
  json.add("snapshot_interval_ticks", static_cast<long long>(options.snapshot_interval_ticks));
  json.add("seconds", figures.seconds);
  count("ticks", figures.ticks);
  count("ticks_skipped", figures.ticks_skipped);
  for (std::size_t i = 0; i < server::phase_count; ++i)
    json.add(std::string(server::phase_names[i]) + "_cpu_us_per_tick",
             us_per_tick(figures.phase_us[i], figures));
  json.add("cores", cores(figures.total_us, figures));
  json.add("cpu_us_per_tick_without_physics", us_per_tick(without_physics_us(figures), figures));
  json.add("cores_without_physics", cores(without_physics_us(figures), figures));
  count("tick_p50_us", static_cast<std::uint64_t>(figures.tick_p50_us));
  count("tick_p99_us", static_cast<std::uint64_t>(figures.tick_p99_us));
  json.add("send_calls_per_second", per_second(figures.calls.sends, figures));
  json.add("sent_messages_per_second", per_second(figures.calls.messages, figures));
  json.add("receive_calls_per_second", per_second(figures.calls.receives, figures));
  json.add("datagrams_sent_per_second", per_second(figures.wire.datagrams_sent, figures));
  json.add("datagrams_received_per_second", per_second(figures.wire.datagrams_received, figures));
  count("datagrams_not_taken", figures.wire.send_failures);
  json.add("snapshots_per_client_second", per_second(figures.server.snapshots_sent, figures) /
                                              static_cast<double>(options.bots.clients));
  count("snapshots_shortened", figures.server.snapshots_shortened);
  count("keyframes_sent", figures.server.keyframes_sent);
  count("messages_refused", figures.server.messages_refused);
  count("sessions_at_end", figures.sessions_end);
  count("bots_playing", figures.playing);
  count("snapshot_ages", figures.ages);
  count("snapshot_age_p50_us", static_cast<std::uint64_t>(figures.age_p50_us));
  count("snapshot_age_p99_us", static_cast<std::uint64_t>(figures.age_p99_us));
  count("snapshot_age_max_us", static_cast<std::uint64_t>(figures.age_max_us));
  count("snapshots_checked", figures.snapshots_checked);
  count("snapshots_differing", figures.snapshots_differing);
  json.add("seal_us", figures.sealing.seal_us);
  json.add("open_us", figures.sealing.open_us);
  json.add("refuse_us", figures.sealing.refuse_us);
  json.add("cookie_us", figures.sealing.cookie_us);
  json.add("exchange_us", figures.sealing.exchange_us);
  json.add("token_us", figures.sealing.token_us);
  if (options.noise_per_second > 0) {
    count("noise_datagrams", figures.noise.datagrams);
    count("noise_bytes", figures.noise.bytes);
    count("noise_answers", figures.noise.answers);
    count("noise_answer_bytes", figures.noise.answer_bytes);
    count("honest_connects", figures.noise.connects);
    count("honest_connects_failed", figures.noise.connects_failed);
    count("honest_connect_p50_us", static_cast<std::uint64_t>(figures.noise.connect_p50_us));
    count("honest_connect_max_us", static_cast<std::uint64_t>(figures.noise.connect_max_us));
  }
  json.add_object("wire_bytes_sent", ledger_json(figures.wire.sent));
  json.add_object("wire_bytes_received", ledger_json(figures.wire.received));
  return json.finish() + "\n";
}

std::string to_text(const ServerLoadOptions& options, const ServerLoadFigures& figures) {
  std::string text;
  append_line(text, "%s: %zu clients, %zu of them players; %d Hz, %.1f s, %llu ticks, %llu skipped",
              options.scene.c_str(), options.bots.clients, options.bots.players,
              options.tick_rate_hz, figures.seconds, static_cast<unsigned long long>(figures.ticks),
              static_cast<unsigned long long>(figures.ticks_skipped));
  for (std::size_t i = 0; i < server::phase_count; ++i) {
    append_line(text, "  %-9s %8.0f us of CPU time per tick",
                std::string(server::phase_names[i]).c_str(),
                us_per_tick(figures.phase_us[i], figures));
  }
  append_line(text, "  %.3f cores, %.3f without physics; ticks took %.2f ms (p50), %.2f ms (p99)",
              cores(figures.total_us, figures), cores(without_physics_us(figures), figures),
              static_cast<double>(figures.tick_p50_us) * 1e-3,
              static_cast<double>(figures.tick_p99_us) * 1e-3);
  append_line(text,
              "  per second: sent %.0f datagrams in %.0f calls, received %.0f in %.0f calls, %.1f "
              "snapshots per client",
              per_second(figures.wire.datagrams_sent, figures),
              per_second(figures.calls.sends, figures),
              per_second(figures.wire.datagrams_received, figures),
              per_second(figures.calls.receives, figures),
              per_second(figures.server.snapshots_sent, figures) /
                  static_cast<double>(options.bots.clients));
  append_line(text, "  snapshot age at the bots: %.2f ms (p50), %.2f ms (p99), %.2f ms (max)",
              static_cast<double>(figures.age_p50_us) * 1e-3,
              static_cast<double>(figures.age_p99_us) * 1e-3,
              static_cast<double>(figures.age_max_us) * 1e-3);
  append_line(text, "  %llu snapshots decoded and checked, %llu differ; %zu bots play at the end",
              static_cast<unsigned long long>(figures.snapshots_checked),
              static_cast<unsigned long long>(figures.snapshots_differing), figures.playing);
  const SealingCost& sealing = figures.sealing;
  append_line(text,
              "  datagram of 1,200 B: %.2f us to seal, %.2f us to open, %.2f us to refuse; cookie: "
              "%.1f us, key exchange: %.0f us, token: %.0f us",
              sealing.seal_us, sealing.open_us, sealing.refuse_us, sealing.cookie_us,
              sealing.exchange_us, sealing.token_us);
  const NoiseFigures& noise = figures.noise;
  if (options.noise_per_second > 0) {
    append_line(text, "  invalid traffic: %llu datagrams with %llu B, answered by %llu with %llu B",
                static_cast<unsigned long long>(noise.datagrams),
                static_cast<unsigned long long>(noise.bytes),
                static_cast<unsigned long long>(noise.answers),
                static_cast<unsigned long long>(noise.answer_bytes));
    append_line(
        text,
        "  at the same time %llu well-behaved clients connected in %.1f ms (p50), %.1f ms (max); "
        "%llu failed",
        static_cast<unsigned long long>(noise.connects),
        static_cast<double>(noise.connect_p50_us) * 1e-3,
        static_cast<double>(noise.connect_max_us) * 1e-3,
        static_cast<unsigned long long>(noise.connects_failed));
  }
  for (const auto& [name, ledger] :
       {std::pair{"sent", &figures.wire.sent}, std::pair{"received", &figures.wire.received}}) {
    append_line(text, "  bytes %s:", name);
    for (const net::TrafficLine& line : net::lines_of(*ledger)) {
      append_line(text, "    %-30s %12llu",
                  std::string(protocol::name_of_message(line.name)).c_str(),
                  static_cast<unsigned long long>(line.bytes));
    }
  }
  return text;
}

}  // namespace jostle::load
