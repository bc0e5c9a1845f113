#include "tools/link/snapshot_run.h"
#include "tools/link/tables.h"
#include "tools/link/targets.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace jostle::link {
namespace {

constexpr std::array losses_percent{0.0, 1.0, 5.0, 10.0, 20.0, 30.0};
/// Loss and jitter of the only default link with jitter; a target applies to it.
constexpr double jitter_row_loss_percent = 5, jitter_row_ms = 10;
constexpr double most_bytes_at_5 = 1.05, most_bytes_at_30 = 1.15;
constexpr double most_gap_ms = 250, most_delay_clean_ms = 35, most_delay_jitter_ms = 70;

Link make_link(double loss_percent, double jitter_ms, double latency_ms) {
  Link link;
  std::array<char, 64> name{};
  std::snprintf(name.data(), name.size(), jitter_ms > 0 ? "%g %%, %g ms jitter" : "%g %%",
                loss_percent, jitter_ms);
  link.name = name.data();
  link.faults.loss = static_cast<float>(loss_percent * 1e-2);
  link.faults.latency_us = std::llround(latency_ms * 1e3);
  link.faults.jitter_us = std::llround(jitter_ms * 1e3);
  return link;
}

/// Returns the links. The first one has no loss: the others are compared with it.
std::vector<Link> links_of(const TableOptions& options) {
  std::vector<Link> links;
  if (options.link) {
    links.push_back(make_link(0, 0, options.latency_ms));
    for (const double loss : options.link->losses_percent)
      links.push_back(make_link(loss, options.link->jitter_ms, options.latency_ms));
    return links;
  }
  for (const double loss : losses_percent)
    links.push_back(make_link(loss, 0, options.latency_ms));
  links.push_back(make_link(jitter_row_loss_percent, jitter_row_ms, options.latency_ms));
  return links;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

double per_snapshot(std::uint64_t bytes, const SnapshotFigures& figures) {
  return share(bytes, figures.sent);
}

std::string length_of(const TableOptions& options) {
  std::array<char, 200> text{};
  std::snprintf(text.data(), text.size(), ", %d × %g min, %g ms each way", options.seeds,
                options.minutes, options.latency_ms);
  return "Scene " + options.scene.name + text.data();
}

Table decode_table(const TableOptions& options, const std::vector<Link>& links,
                   const std::vector<SnapshotFigures>& figures) {
  Table table{
      .key = "snapshots",
      .title = "Snapshots over links with loss",
      .text = length_of(options) +
              ". Loss is the loss of datagrams in each direction. Delivered: share of the sent "
              "snapshots of which all parts arrived. Decoded: share of these that the client "
              "decoded. Wrong: number of decoded snapshots that differ from the server's. Payload: "
              "bytes of a snapshot without headers. Wire: all bytes to the client per snapshot, "
              "with UDP and IP headers. Gap: the longest time between two decoded snapshots.",
      .columns = {{"link", "link", 0},
                  {"sent", "sent", 0},
                  {"delivered", "delivered", 4},
                  {"decoded", "decoded", 4},
                  {"wrong", "wrong", 0},
                  {"payload_bytes", "payload, B", 1},
                  {"payload_ratio", "×", 3},
                  {"wire_bytes", "wire, B", 1},
                  {"wire_ratio", "×", 3},
                  {"longest_gap_ms", "gap, ms", 0}},
      .rows = {}};
  const double payload = per_snapshot(figures[0].payload_bytes, figures[0]);
  const double wire = per_snapshot(figures[0].wire_bytes, figures[0]);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const SnapshotFigures& row = figures[i];
    table.rows.push_back({links[i].name, static_cast<double>(row.sent),
                          share(row.delivered, row.sent), share(row.decoded, row.delivered),
                          static_cast<double>(row.wrong), per_snapshot(row.payload_bytes, row),
                          per_snapshot(row.payload_bytes, row) / payload,
                          per_snapshot(row.wire_bytes, row),
                          per_snapshot(row.wire_bytes, row) / wire, row.longest_gap_ms});
  }
  return table;
}

Table view_table(const TableOptions& options, const std::vector<Link>& links,
                 std::vector<SnapshotFigures>& figures) {
  Table table{
      .key = "view",
      .title = "Delay of the view",
      .text = length_of(options) +
              ", in the same runs. The delay of the shown state behind the server's current state, "
              "without the latency to the client. Guessed: share of the updates that extrapolate, "
              "because no snapshot of that time or later has arrived.",
      .columns = {{"link", "link", 0},
                  {"median_ms", "median, ms", 1},
                  {"p95_ms", "p95, ms", 1},
                  {"p99_ms", "p99, ms", 1},
                  {"largest_ms", "largest, ms", 1},
                  {"guessed", "guessed", 4}},
      .rows = {}};
  for (std::size_t i = 0; i < links.size(); ++i) {
    Samples& delay = figures[i].added_delay_ms;
    table.rows.push_back({links[i].name, delay.median(), delay.quantile(0.95), delay.quantile(0.99),
                          delay.largest(), share(figures[i].guesses, figures[i].looks)});
  }
  return table;
}

Table targets_of(std::vector<SnapshotFigures>& figures) {
  Table table = make_target_table();
  constexpr std::size_t at_5 = 2, at_10 = 3, at_30 = 5, with_jitter = 6;
  double undecoded = 0;
  for (const SnapshotFigures& row : figures)
    undecoded += static_cast<double>(row.delivered) - static_cast<double>(row.decoded - row.wrong);
  add_target(table, "delivered snapshots not decoded correctly, all links", 0, undecoded, 0, "");
  const auto bytes = [&](std::size_t i) {
    return per_snapshot(figures[i].payload_bytes, figures[i]) /
           per_snapshot(figures[0].payload_bytes, figures[0]);
  };
  add_target(table, "payload at 5 % loss, relative to no loss", most_bytes_at_5, bytes(at_5), 3,
             " ×");
  add_target(table, "payload at 30 % loss, relative to no loss", most_bytes_at_30, bytes(at_30), 3,
             " ×");
  add_target(table, "longest gap at 10 % loss", most_gap_ms, figures[at_10].longest_gap_ms, 0,
             " ms");
  add_target(table, "added interpolation delay, p95, clean link", most_delay_clean_ms,
             figures[0].added_delay_ms.quantile(0.95), 1, " ms");
  add_target(table, "added interpolation delay, p95, 5 % loss and 10 ms jitter",
             most_delay_jitter_ms, figures[with_jitter].added_delay_ms.quantile(0.95), 1, " ms");
  return table;
}

}  // namespace

MadeTables make_snapshot_tables(const TableOptions& options) {
  SnapshotRun run;
  run.scene = options.scene;
  run.links = links_of(options);
  run.clients = options.clients;
  run.first_seed = options.first_seed;
  run.seeds = options.seeds;
  run.minutes = options.minutes;
  if (options.progress) run.progress = [&](double done) { options.progress("snapshots", done); };
  auto figures = run_snapshots(run);
  if (!figures) return figures.error();
  std::vector<Table> tables{decode_table(options, run.links, *figures),
                            view_table(options, run.links, *figures)};
  if (!options.link) tables.push_back(targets_of(*figures));
  return tables;
}

}  // namespace jostle::link
