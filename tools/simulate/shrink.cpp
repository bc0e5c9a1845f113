#include "tools/simulate/run.h"

#include <cstdio>
#include <sstream>

namespace jostle::simulate {
namespace {

constexpr const char* fault_names[] = {
    "links",        "partitions",  "clocks",      "stalls",  "client-crashes",  "server-crashes",
    "power-losses", "disk-errors", "disk-stalls", "bit-rot", "hostile-clients", "inputs"};

bool does_fail(const RunOptions& options) {
  return !simulate(options).failure.empty();
}

}  // namespace

std::string names_of(std::uint32_t faults) {
  std::string text;
  std::uint32_t bit = 1;
  for (const char* const name : fault_names) {
    if ((faults & bit) != 0) text += (text.empty() ? "" : ",") + std::string(name);
    bit <<= 1;
  }
  return text.empty() ? "none" : text;
}

bool parse_faults(const std::string& text, std::uint32_t& faults) {
  faults = text == "all" ? all_faults : 0;
  if (text == "all" || text == "none") return true;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    std::uint32_t bit = 1;
    bool is_known = false;
    for (const char* const name : fault_names) {
      if (word == name) {
        faults |= bit;
        is_known = true;
      }
      bit <<= 1;
    }
    if (!is_known) return false;
  }
  return true;
}

RunOptions shrink(RunOptions options) {
  options.clients = simulate(options).clients;
  for (std::uint32_t bit = 1; bit <= all_faults; bit <<= 1) {
    RunOptions fewer = options;
    fewer.faults &= ~bit;
    if (fewer.faults != options.faults && does_fail(fewer)) options = fewer;
  }
  while (options.clients > 1) {
    RunOptions fewer = options;
    --fewer.clients;
    if (!does_fail(fewer)) break;
    options = fewer;
  }
  constexpr double shortest_s = 4;
  for (double part = 0.5; part > 0.1; part *= 0.5) {
    RunOptions shorter = options;
    shorter.seconds = options.seconds * (1 - part);
    if (shorter.seconds >= shortest_s && does_fail(shorter)) options = shorter;
  }
  return options;
}

std::string command_of(const RunOptions& options) {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.10g", options.seconds);
  std::string text = "--seed " + std::to_string(options.seed) + " --seconds " + seconds;
  if (options.faults != all_faults) text += " --faults " + names_of(options.faults);
  if (options.clients != 0) text += " --clients " + std::to_string(options.clients);
  if (options.plant == Plant::InCode) {
    text += " --plant " + options.code_plant;
  } else if (options.plant != Plant::None) {
    text += std::string(" --plant ") + name_of(options.plant);
  }
  return text;
}

}  // namespace jostle::simulate
