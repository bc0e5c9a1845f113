#include "tests/physics_laws/table.h"

#include <cstdio>

namespace jostle::physics::laws {
namespace {

constexpr const char* head =
    "# Accuracy\n"
    "\n"
    "How far the engine is from what the laws of mechanics say, with the defaults that the "
    "benchmarks\n"
    "run too (60 steps per second, four substeps). `./run accuracy` measures and writes this page; "
    "the\n"
    "test `physics_laws` measures it again and fails where a figure is not as below or is worse "
    "than its\n"
    "bound: the target, or, where that is missed, what is reached.\n"
    "\n"
    "\"Off by\" is relative unless it has a unit. What is said of other engines is from published\n"
    "measurements and from models of their published schemes.\n"
    "\n"
    "| row | law | expected | off by | target | reached | other engines |\n"
    "|---|---|---|---|---|---|---|\n";

std::string figure(double value, const char* unit) {
  char text[64];
  std::snprintf(text, sizeof(text), value == 0 ? "0" : "%.2g", value);
  return *unit == '\0' ? std::string(text) : std::string(text) + " " + unit;
}

std::string cell(const std::string& text) {
  return text.empty() ? " |" : " " + text + " |";
}

}  // namespace

std::string table_line(const Law& law, double error) {
  return "|" + cell(std::to_string(law.row)) + cell(law.name) + cell(law.expected) +
         cell(figure(error, law.unit)) + cell(figure(law.target, law.unit)) +
         cell(error <= law.target ? "yes" : "no") + cell(law.best_known);
}

std::string accuracy_page() {
  std::string page = head, reasons;
  for (const Law& law : all_laws()) {
    page += table_line(law, law.error()) + "\n";
    if (*law.reason != '\0') {
      reasons += "- **" + std::to_string(law.row) + ", " + law.name + "**: " + law.reason + "\n";
    }
  }
  if (!reasons.empty()) page += "\n## What misses its target, and why\n\n" + reasons;
  return page;
}

}  // namespace jostle::physics::laws
