#include "tools/link/clock_run.h"
#include "tools/link/input_run.h"
#include "tools/link/join_run.h"
#include "tools/link/tables.h"
#include "tools/link/targets.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace jostle::link {
namespace {

constexpr match::Pace wakeful{.interval_us = 4'000, .wakes_on_arrival = true};
/// Pace of a client that is updated once per frame of 1/60 s, like a program that waits for its
/// display.
constexpr match::Pace once_a_frame{.interval_us = 16'667, .wakes_on_arrival = false};
/// Additional latency for a link whose round trip is not a whole number of frames.
constexpr double farther_ms = 5;
constexpr double clock_jitter_ms = 20, asymmetry_ms = 10, join_latency_ms = 50;
constexpr std::int64_t drift_ppm = 100;

constexpr double most_median_ms = 1, most_p99_ms = 3, most_converged_ms = 1'000;
constexpr double most_input_ticks = 1.5, most_response_ms = 60, most_join_ms = 500;

net::LinkFaults faults(double latency_ms, double jitter_ms, double loss_percent) {
  net::LinkFaults made;
  made.latency_us = std::llround(latency_ms * 1e3);
  made.jitter_us = std::llround(jitter_ms * 1e3);
  made.loss = static_cast<float>(loss_percent * 1e-2);
  return made;
}

/// Returns the links given by the user.
std::vector<Link> own_links(const TableOptions& options) {
  std::vector<Link> links;
  for (const double loss_percent : options.link->losses_percent) {
    std::array<char, 64> name{};
    std::snprintf(name.data(), name.size(), "%g %%, %g ms jitter", loss_percent,
                  options.link->jitter_ms);
    links.push_back(
        {name.data(), faults(options.latency_ms, options.link->jitter_ms, loss_percent)});
  }
  return links;
}

std::string text_of(const char* format, double a, double b, double c) {
  std::array<char, 200> text{};
  std::snprintf(text.data(), text.size(), format, a, b, c);
  return text.data();
}

std::string time_length_of(const TableOptions& options) {
  return text_of("%g × %g min, %g ms each way", options.seeds, options.minutes, options.latency_ms);
}

std::vector<ClockLink> clock_links(const TableOptions& options) {
  const auto link = [](std::string name, const net::LinkFaults& both, std::int64_t ppm,
                       match::Pace pace) {
    return ClockLink{
        .name = std::move(name), .up = both, .down = both, .drift_ppm = ppm, .pace = pace};
  };
  if (options.link) {
    std::vector<ClockLink> links;
    for (const Link& own : own_links(options))
      links.push_back(link(own.name, own.faults, 0, wakeful));
    return links;
  }
  const net::LinkFaults clean = faults(options.latency_ms, 0, 0);
  const net::LinkFaults jitter = faults(options.latency_ms, clock_jitter_ms, 0);
  std::vector<ClockLink> links{
      link("clean", clean, 0, wakeful),
      link("20 ms jitter", jitter, 0, wakeful),
      link("20 ms jitter, clock 100 ppm fast", jitter, drift_ppm, wakeful),
      link("20 ms jitter, 10 % loss", faults(options.latency_ms, clock_jitter_ms, 10), 0, wakeful),
      link("clean, 5 ms more latency, updates once per frame of 1/60 s",
           faults(options.latency_ms + farther_ms, 0, 0), 0, once_a_frame),
      link("20 ms jitter, updates once per frame of 1/60 s", jitter, 0, once_a_frame),
      link("clean, 10 ms more latency to the client than to the server", clean, 0, wakeful)};
  links.back().down = faults(options.latency_ms + asymmetry_ms, 0, 0);
  return links;
}

Table clock_table(const TableOptions& options, const std::vector<ClockLink>& links,
                  std::vector<ClockFigures>& figures) {
  Table table{.key = "clock",
              .title = "Client's estimate of the server's time",
              .text = time_length_of(options) +
                      ". Errors from one second after the Welcome on. An asymmetry of the "
                      "latencies cannot be measured by exchanging times. Converged: time from the "
                      "Welcome until the error stays within 3 ms for a second, in " +
                      std::to_string(options.seeds * options.starts) +
                      " starts; 4000 means not within the measured four seconds.",
              .columns = {{"link", "link", 0},
                          {"median_ms", "median, ms", 2},
                          {"p99_ms", "p99, ms", 2},
                          {"largest_ms", "largest, ms", 2},
                          {"converged_median_ms", "converged, median, ms", 0},
                          {"converged_p95_ms", "p95, ms", 0}},
              .rows = {}};
  for (std::size_t i = 0; i < links.size(); ++i) {
    ClockFigures& row = figures[i];
    table.rows.push_back({links[i].name, row.error_ms.median(), row.error_ms.quantile(0.99),
                          row.error_ms.largest(), row.converged_ms.median(),
                          row.converged_ms.quantile(0.95)});
  }
  return table;
}

Table day_table(const TableOptions& options, const std::string& link, DayFigures& day) {
  Table table{.key = "day",
              .title = "Clock over a long time",
              .text = text_of("One client for %g hours, %g ms in each direction, ", options.hours,
                              options.latency_ms, 0) +
                      link + ": errors in the first and in the last hour.",
              .columns = {{"when", "", 0},
                          {"median_ms", "median, ms", 2},
                          {"p99_ms", "p99, ms", 2},
                          {"largest_ms", "largest, ms", 2}},
              .rows = {}};
  const auto add = [&](const char* when, Samples& errors) {
    table.rows.push_back(
        {std::string(when), errors.median(), errors.quantile(0.99), errors.largest()});
  };
  add("first", day.first_ms);
  add("last", day.last_ms);
  return table;
}

Table clock_targets(std::vector<ClockFigures>& figures, DayFigures& day) {
  Table table = make_target_table();
  ClockFigures& jitter = figures[1];
  add_target(table, "clock error at 20 ms jitter, median", most_median_ms, jitter.error_ms.median(),
             2, " ms");
  add_target(table, "clock error at 20 ms jitter, p99", most_p99_ms, jitter.error_ms.quantile(0.99),
             2, " ms");
  add_target(table, "clock converged at 20 ms jitter, median", most_converged_ms,
             jitter.converged_ms.median(), 0, " ms");
  add_target(table, "clock error in the last hour of a day, median", most_median_ms,
             day.last_ms.median(), 2, " ms");
  add_target(table, "clock error in the last hour of a day, p99", most_p99_ms,
             day.last_ms.quantile(0.99), 2, " ms");
  return table;
}

std::vector<InputLink> input_links(const TableOptions& options) {
  if (options.link) {
    std::vector<InputLink> links;
    for (Link& own : own_links(options))
      links.push_back({std::move(own.name), own.faults, wakeful});
    return links;
  }
  return {
      {"clean", faults(options.latency_ms, 0, 0), wakeful},
      {"20 ms jitter", faults(options.latency_ms, clock_jitter_ms, 0), wakeful},
      {"5 %, 10 ms jitter", faults(options.latency_ms, 10, 5), wakeful},
      {"clean, updates once per frame of 1/60 s", faults(options.latency_ms, 0, 0), once_a_frame},
      {"clean, predicted", faults(options.latency_ms, 0, 0), wakeful, true},
      {"5 %, 10 ms jitter, predicted", faults(options.latency_ms, 10, 5), wakeful, true}};
}

Table input_table(const TableOptions& options, const std::vector<InputLink>& links,
                  std::vector<InputFigures>& figures) {
  Table table{
      .key = "inputs",
      .title = "Input latency",
      .text = time_length_of(options) +
              ", a push every two seconds. To the tick: time from the press until the due time of "
              "the tick that applies it, minus the latency to the server, in ticks of 1/60 s. To "
              "the picture: time until the player sees the body move, minus both latencies; "
              "negative with prediction. Late: share of inputs that arrived after their tick was "
              "simulated. Missing: share of ticks simulated without an input.",
      .columns = {{"link", "link", 0},
                  {"presses", "presses", 0},
                  {"to_tick_mean_ticks", "to the tick, mean", 2},
                  {"to_tick_p95_ticks", "p95", 2},
                  {"to_pose_mean_ms", "to the picture, mean, ms", 1},
                  {"to_pose_p95_ms", "p95, ms", 1},
                  {"late", "late", 5},
                  {"missing", "missing", 5}},
      .rows = {}};
  for (std::size_t i = 0; i < links.size(); ++i) {
    InputFigures& row = figures[i];
    const double round_trip_ms = 2e-3 * static_cast<double>(links[i].faults.latency_us);
    const auto all = static_cast<double>(row.accepted + row.late);
    const auto ticks = static_cast<double>(row.accepted + row.missing);
    table.rows.push_back({links[i].name, static_cast<double>(row.presses), row.to_tick_ticks.mean(),
                          row.to_tick_ticks.quantile(0.95), row.to_pose_ms.mean() - round_trip_ms,
                          row.to_pose_ms.quantile(0.95) - round_trip_ms,
                          static_cast<double>(row.late) / all,
                          static_cast<double>(row.missing) / ticks});
  }
  return table;
}

Table input_targets(const TableOptions& options, InputFigures& clean) {
  Table table = make_target_table();
  add_target(table, "input to tick beyond RTT/2, clean link, mean", most_input_ticks,
             clean.to_tick_ticks.mean(), 2, " ticks");
  add_target(table, "own response beyond RTT, clean link, p95", most_response_ms,
             clean.to_pose_ms.quantile(0.95) - 2 * options.latency_ms, 1, " ms");
  return table;
}

std::vector<Link> join_links(const TableOptions& options) {
  if (options.link) return own_links(options);
  return {{"clean", faults(join_latency_ms, 0, 0)},
          {"5 %, 10 ms jitter", faults(join_latency_ms, 10, 5)}};
}

}  // namespace

MadeTables make_clock_tables(const TableOptions& options) {
  ClockRun run;
  run.links = clock_links(options);
  run.first_seed = options.first_seed;
  run.seeds = options.seeds;
  run.minutes = options.minutes;
  run.starts = options.starts;
  DayRun day;
  // The user's first link, or the link with clock drift
  day.link = run.links[options.link ? 0 : 2];
  day.seed = options.first_seed;
  day.hours = options.hours;
  if (options.progress) {
    run.progress = [&](double done) { options.progress("clock", done); };
    day.progress = [&](double done) { options.progress("day", done); };
  }
  auto figures = run_clocks(run);
  if (!figures) return figures.error();
  auto hours = run_day(day);
  if (!hours) return hours.error();
  std::vector<Table> tables{clock_table(options, run.links, *figures),
                            day_table(options, day.link.name, *hours)};
  if (!options.link) tables.push_back(clock_targets(*figures, *hours));
  return tables;
}

MadeTables make_input_tables(const TableOptions& options) {
  InputRun run;
  run.links = input_links(options);
  run.first_seed = options.first_seed;
  run.seeds = options.seeds;
  run.minutes = options.minutes;
  if (options.progress) run.progress = [&](double done) { options.progress("inputs", done); };
  auto figures = run_inputs(run);
  if (!figures) return figures.error();
  std::vector<Table> tables{input_table(options, run.links, *figures)};
  if (!options.link) tables.push_back(input_targets(options, figures->front()));
  return tables;
}

MadeTables make_join_tables(const TableOptions& options) {
  JoinRun run;
  run.scene = options.scene;
  run.links = join_links(options);
  run.first_seed = options.first_seed;
  run.seeds = options.seeds;
  run.joins = options.joins;
  if (options.progress) run.progress = [&](double done) { options.progress("joins", done); };
  auto figures = run_joins(run);
  if (!figures) return figures.error();
  Table table{.key = "joins",
              .title = "Late joins",
              .text = "Scene " + options.scene.name +
                      text_of(", %g joins over each link, %g ms in each direction",
                              options.seeds * options.joins,
                              options.link ? options.latency_ms : join_latency_ms, 0) +
                      ": time from a client's start until it shows every body, while a player "
                      "moves the bodies.",
              .columns = {{"link", "link", 0},
                          {"bodies", "bodies", 0},
                          {"median_ms", "median, ms", 0},
                          {"p95_ms", "p95, ms", 0},
                          {"largest_ms", "largest, ms", 0}},
              .rows = {}};
  for (std::size_t i = 0; i < run.links.size(); ++i) {
    JoinFigures& row = (*figures)[i];
    table.rows.push_back({run.links[i].name, static_cast<double>(row.bodies),
                          row.joined_ms.median(), row.joined_ms.quantile(0.95),
                          row.joined_ms.largest()});
  }
  std::vector<Table> tables{table};
  if (!options.link) {
    Table targets = make_target_table();
    add_target(targets, "late join at 100 ms RTT, largest", most_join_ms,
               figures->front().joined_ms.largest(), 0, " ms");
    tables.push_back(targets);
  }
  return tables;
}

}  // namespace jostle::link
