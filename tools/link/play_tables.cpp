#include "tools/link/play_run.h"
#include "tools/link/tables.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace jostle::link {
namespace {

constexpr match::Pace awake{.interval_us = 4'000, .wakes_on_arrival = true};

/// Returns the conditions of parse_net_sim(). Contract: `text` is valid.
net::NetworkConditions conditions_of(const std::string& text) {
  return net::parse_net_sim(text).value();
}

std::string latency_text(const TableOptions& options) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%g/0/0%%", options.latency_ms);
  return text.data();
}

PlayLink make_play_link(std::string name, const std::string& conditions, Hitches hitches = {}) {
  return {std::move(name), conditions_of(conditions), hitches, awake};
}

std::vector<PlayLink> hitch_links(const TableOptions& options) {
  std::vector<PlayLink> links;
  const std::string net = latency_text(options);
  for (const double seconds : {0.1, 0.25, 0.5, 1.5, 2.1, 5.0, 10.0}) {
    std::array<char, 32> time{};
    std::snprintf(time.data(), time.size(), " stopped for %g s", seconds);
    const std::string stopped = time.data();
    links.push_back(make_play_link("server" + stopped, net, {seconds, true, false, false}));
    links.push_back(make_play_link("clients" + stopped, net, {seconds, false, true, false}));
    links.push_back(make_play_link("both" + stopped, net, {seconds, true, true, false}));
  }
  links.push_back(make_play_link("server suspended for 5 s", net, {5, true, false, true}));
  links.push_back(make_play_link("clients suspended for 8 s", net, {8, false, true, true}));
  return links;
}

std::vector<PlayLink> burst_links(const TableOptions& options) {
  const std::string net = latency_text(options);
  return {make_play_link("clean", net),
          make_play_link("up every 100 ms", net + ",up.bursts=100"),
          make_play_link("up every 200 ms", net + ",up.bursts=200"),
          make_play_link("down every 200 ms", net + ",down.bursts=200"),
          make_play_link("each way every 200 ms", net + ",bursts=200"),
          make_play_link("20 % lost in bursts of 10", net + ",burst-loss=2.5/10/100"),
          make_play_link("5 % lost, 10 ms jitter", net + ",loss=5,jitter=10"),
          make_play_link("30 % lost, 20 ms jitter, 200 ms latency", "200/20/30%"),
          make_play_link("30 % lost, 10 ms jitter, 50 ms latency", "50/10/30%"),
          make_play_link("40 % lost", net + ",loss=40"),
          make_play_link("blackout of 1 s every 10 s, up", net + ",up.blackout=1000/10000"),
          make_play_link("blackout of 1 s every 10 s, down", net + ",down.blackout=1000/10000"),
          make_play_link("wifi-power-save", "wifi-power-save"),
          make_play_link("lte-handover", "lte-handover"),
          make_play_link("train", "train")};
}

std::vector<PlayLink> thin_links(const TableOptions& options) {
  const std::string net = latency_text(options);
  return {make_play_link("no limit", net),
          make_play_link("64 kbit/s up, 1 s of queue", net + ",up.rate=64,up.queue=1000"),
          make_play_link("32 kbit/s up, 1 s of queue", net + ",up.rate=32,up.queue=1000"),
          make_play_link("256 kbit/s down, 1 s of queue", net + ",down.rate=256,down.queue=1000"),
          make_play_link("64 kbit/s down, 1 s of queue", net + ",down.rate=64,down.queue=1000"),
          make_play_link("adsl-upload", "adsl-upload")};
}

std::vector<PlayLink> long_links(const TableOptions&) {
  return {make_play_link("100 ms each way", "100/0/0%"),
          make_play_link("250 ms each way", "250/0/0%"),
          make_play_link("500 ms each way", "500/0/0%"),
          make_play_link("1,000 ms each way", "1000/0/0%"),
          make_play_link("500 ms each way, 5 % lost, 20 ms jitter", "500/20/5%"),
          make_play_link("satellite", "satellite"),
          make_play_link("100 to 400 ms each way, every 10 s", "100/0/0%,delay-step=300/10000")};
}

double share_of_all(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? NAN : static_cast<double>(part) / static_cast<double>(all);
}

/// Returns the links given by the user.
std::vector<PlayLink> own_play_links(const TableOptions& options) {
  std::vector<PlayLink> links;
  for (const std::string& network : options.networks)
    links.push_back(make_play_link(network, network));
  if (!links.empty()) return links;
  for (const double loss_percent : options.link->losses_percent) {
    std::array<char, 96> text{};
    std::snprintf(text.data(), text.size(), "%g/%g/%g%%", options.latency_ms,
                  options.link->jitter_ms, loss_percent);
    links.push_back(make_play_link(text.data(), text.data()));
  }
  return links;
}

MadeTables make_play_table(const TableOptions& options, std::string key, std::string title,
                           std::vector<PlayLink> links) {
  PlayRun run;
  run.scene = options.scene;
  run.links =
      options.link || !options.networks.empty() ? own_play_links(options) : std::move(links);
  run.first_seed = options.first_seed;
  run.seeds = options.seeds;
  run.minutes = options.minutes;
  if (options.progress) run.progress = [&, key](double done) { options.progress(key, done); };
  auto figures = run_play(run);
  if (!figures) return figures.error();
  std::array<char, 160> length{};
  std::snprintf(length.data(), length.size(), "Scene %s, %d × %g min", run.scene.name.c_str(),
                run.seeds, run.minutes);
  Table table{
      .key = std::move(key),
      .title = std::move(title),
      .text = std::string(length.data()) +
              ". A player, a spectator and a predicting player, each over its own link of this "
              "kind. Sent, decoded: share of the server's ticks. Delay: of the displayed time "
              "behind the server's tick. Frozen: share of frames that show a time more than two "
              "ticks after the newest snapshot. Back: the longest time from the end of a hitch "
              "until the picture shows a later tick, or until the server applies a later input. "
              "Error: of the predicted own body.",
      .columns = {{"link", "link", 0},
                  {"client", "client", 0},
                  {"sent", "sent", 3},
                  {"decoded", "decoded", 3},
                  {"delay_median_ms", "delay, median, ms", 0},
                  {"delay_p95_ms", "p95, ms", 0},
                  {"frozen", "frozen", 3},
                  {"picture_back_ms", "picture back, ms", 0},
                  {"inputs_back_ms", "inputs back, ms", 0},
                  {"input_age_median_ms", "input age, median, ms", 0},
                  {"input_age_p95_ms", "p95, ms", 0},
                  {"error_p95_mm", "error, p95, mm", 1},
                  {"error_p99_mm", "p99, mm", 1},
                  {"round_trip_p95_ms", "round trip, p95, ms", 0},
                  {"up_kbits", "up, kbit/s", 0},
                  {"down_kbits", "down, kbit/s", 0}},
      .rows = {}};
  for (std::size_t i = 0; i < run.links.size(); ++i) {
    for (std::size_t j = 0; j < play_clients.size(); ++j) {
      PlayFigures& row = (*figures)[i][j];
      const auto kbits = [&](double bytes) { return bytes * 8e-3 / row.seconds; };
      table.rows.push_back({run.links[i].name, std::string(play_clients[j]),
                            share_of_all(row.sent, row.ticks), share_of_all(row.decoded, row.ticks),
                            row.view_delay_ms.median(), row.view_delay_ms.quantile(0.95),
                            share_of_all(row.frozen, row.frames), row.picture_back_ms.largest(),
                            row.inputs_back_ms.largest(), row.input_age_ms.median(),
                            row.input_age_ms.quantile(0.95), row.own_error_mm.quantile(0.95),
                            row.own_error_mm.quantile(0.99), row.round_trip_ms.quantile(0.95),
                            kbits(row.up_bytes), kbits(row.down_bytes)});
    }
  }
  return std::vector<Table>{table};
}

}  // namespace

MadeTables make_hitch_tables(const TableOptions& options) {
  return make_play_table(options, "hitches", "Hitches", hitch_links(options));
}
MadeTables make_burst_tables(const TableOptions& options) {
  return make_play_table(options, "bursts", "Bursts and losses", burst_links(options));
}
MadeTables make_thin_tables(const TableOptions& options) {
  return make_play_table(options, "thin", "Thin links", thin_links(options));
}
MadeTables make_long_tables(const TableOptions& options) {
  return make_play_table(options, "long", "Long round trips", long_links(options));
}

}  // namespace jostle::link
