#include "shared/base/counted.h"
#include "shared/base/log.h"
#include "shared/base/program_names.h"
#include "shared/command_line/command_line.h"
#include "tools/bench/json_object.h"
#include "tools/commands.h"
#include "tools/simulate/run.h"

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>

namespace jostle::tools {
namespace {

constexpr Failure fail{"simulate"};

struct SimulateOptions {
  simulate::RunOptions run;
  std::uint64_t seeds = 1;
  std::string faults = "all", plant = "none";
  double cpu_seconds = 0;
  bool as_json = false, is_repeated = false, is_shrunk = true;
};

/// Returns the classes of faults, for people.
std::string listed(std::uint32_t faults) {
  std::string text;
  for (const char letter : simulate::names_of(faults)) {
    text += letter;
    if (letter == ',') text += ' ';
  }
  return text;
}

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::string plant_fault(const std::string& text, simulate::Plant& plant) {
  std::string names;
  for (std::size_t i = 0; i < simulate::plant_count; ++i) {
    const auto candidate = static_cast<simulate::Plant>(i);
    if (text == simulate::name_of(candidate)) {
      plant = candidate;
      return {};
    }
    names += (i == 0 ? "" : ", ") + std::string(simulate::name_of(candidate));
  }
  return "--plant: '" + text + "' is not one of " + names;
}

struct Totals {
  std::uint64_t seeds = 0, ticks = 0, crashes = 0, power_losses = 0, disk_errors = 0;
  std::uint64_t refused = 0, ticks_lost = 0;
  double virtual_seconds = 0;

  void add(const simulate::RunResult& result, double seconds) {
    ++seeds;
    ticks += result.ticks;
    crashes += result.crashes;
    power_losses += result.power_losses;
    disk_errors += result.disk_errors;
    refused += result.refused_restores;
    ticks_lost += result.ticks_lost;
    virtual_seconds += seconds;
  }
};

/// Reports a broken rule as JSON.
int report_failure_as_json(const SimulateOptions& options, const simulate::RunOptions& run,
                           const simulate::RunResult& result) {
  const std::string tool = base::program_names().tool + " simulate ";
  bench::JsonObject json(6);
  // As text, because a number of JSON need not hold 64 bits.
  json.add("failed_seed", std::to_string(run.seed));
  json.add("failed_at_seconds", result.failed_at_s);
  json.add("failure", result.failure);
  json.add("command", tool + simulate::command_of(run));
  if (options.is_shrunk)
    json.add("smaller_command", tool + simulate::command_of(simulate::shrink(run)));
  std::printf("%s\n", json.finish().c_str());
  return exit_differs;
}

int report_failure(const SimulateOptions& options, const simulate::RunOptions& run,
                   const simulate::RunResult& result) {
  if (options.as_json) return report_failure_as_json(options, run, result);
  std::printf("seed %llu fails at %.2f s: %s\n", static_cast<unsigned long long>(run.seed),
              result.failed_at_s, result.failure.c_str());
  const std::string tool = base::program_names().tool + " simulate ";
  std::printf("to repeat it: %s%s\n", tool.c_str(), simulate::command_of(run).c_str());
  if (options.is_shrunk) {
    std::fflush(stdout);
    std::printf("smaller: %s%s\n", tool.c_str(),
                simulate::command_of(simulate::shrink(run)).c_str());
  }
  return exit_differs;
}

void report(const SimulateOptions& options, const Totals& totals, double cpu_s) {
  if (options.as_json) {
    bench::JsonObject json(6);
    json.add("seeds", static_cast<double>(totals.seeds));
    json.add("virtual_seconds", totals.virtual_seconds);
    json.add("cpu_seconds", cpu_s);
    json.add("ticks", static_cast<double>(totals.ticks));
    json.add("crashes", static_cast<double>(totals.crashes));
    json.add("power_losses", static_cast<double>(totals.power_losses));
    json.add("disk_errors", static_cast<double>(totals.disk_errors));
    json.add("refused_restores", static_cast<double>(totals.refused));
    json.add("ticks_lost", static_cast<double>(totals.ticks_lost));
    std::printf("%s\n", json.finish().c_str());
    return;
  }
  std::printf(
      "%s: all rules hold in %.0f virtual s (%.0f per CPU s): %llu crashes, %llu power "
      "losses, %llu disk errors, %llu damaged journals refused, %llu ticks lost\n",
      base::counted(totals.seeds, "seed").c_str(), totals.virtual_seconds,
      totals.virtual_seconds / cpu_s, static_cast<unsigned long long>(totals.crashes),
      static_cast<unsigned long long>(totals.power_losses),
      static_cast<unsigned long long>(totals.disk_errors),
      static_cast<unsigned long long>(totals.refused),
      static_cast<unsigned long long>(totals.ticks_lost));
}

int run_simulate(SimulateOptions& options) {
  if (!simulate::parse_faults(options.faults, options.run.faults))
    return fail("--faults: '" + options.faults + "' is not a list of " +
                listed(simulate::all_faults) + ", all or none");
  if (const std::string fault = plant_fault(options.plant, options.run.plant); !fault.empty())
    return fail(fault);
  // The log of a run is full of the faults that it injects.
  if (options.seeds > 1) base::set_log_sink([](base::LogLevel, const std::string&) {});
  Totals totals;
  const double begin_s = cpu_seconds();
  for (std::uint64_t i = 0; i < options.seeds; ++i) {
    simulate::RunOptions run = options.run;
    run.seed += i;
    const simulate::RunResult result = simulate::simulate(run);
    if (!result.failure.empty()) return report_failure(options, run, result);
    if (options.is_repeated && simulate::simulate(run).event_hash != result.event_hash)
      return fail("seed " + std::to_string(run.seed) + " has other events when it runs again",
                  exit_differs);
    totals.add(result, result.seconds * (options.is_repeated ? 2 : 1));
    if (options.cpu_seconds > 0 && cpu_seconds() - begin_s > options.cpu_seconds) break;
  }
  report(options, totals, cpu_seconds() - begin_s);
  return exit_ok;
}

}  // namespace

Command add_simulate(command_line::App app) {
  auto options = std::make_shared<SimulateOptions>();
  command_line::App command = app.add_subcommand(
      "simulate", "Run the whole system with faults in virtual time, and check its rules");
  command.add_option("--seeds", options->seeds, "Number of seeds, from --seed on")
      .check(command_line::in_range(1, 1'000'000))
      .type_name("N")
      .capture_default_str();
  command.add_option("--seed", options->run.seed, "The first seed")
      .check(command_line::is_uint64())
      .type_name("S")
      .capture_default_str();
  command
      .add_option("--seconds", options->run.seconds,
                  "Virtual time of a seed. Faults end at 80 % of it; the run goes on for at least "
                  "10 s then")
      .check(command_line::in_range(2.0, 86'400.0))
      .type_name("SECONDS")
      .capture_default_str();
  command.add_option("--clients", options->run.clients, "Number of clients; 0: from the seed")
      .check(command_line::in_range(0, 12))
      .type_name("N")
      .capture_default_str();
  command
      .add_option("--faults", options->faults,
                  "Classes of faults, separated by commas: " + listed(simulate::all_faults))
      .type_name("LIST")
      .capture_default_str();
  command.add_option("--plant", options->plant, "Plant an error, to see that the rules find it")
      .type_name("NAME")
      .capture_default_str();
  command
      .add_option("--cpu-seconds", options->cpu_seconds,
                  "Begin no further seed after this much CPU time; 0: no limit")
      .check(command_line::in_range(0.0, 1e9))
      .type_name("SECONDS")
      .capture_default_str();
  command.add_flag("--twice", options->is_repeated, "Run each seed twice and compare all events");
  command.add_flag("--json", options->as_json, "Print the totals, or the seed that fails, as JSON");
  return [options] { return run_simulate(*options); };
}

}  // namespace jostle::tools
