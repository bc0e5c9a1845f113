#include "tests/physics_laws/table.h"

#include <cstdio>

namespace jostle::physics::laws {
namespace {

constexpr const char* head =
    "# Accuracy\n"
    "\n"
    "This page gives the errors of the engine against laws of mechanics. The engine runs with\n"
    "the default options, as in the benchmarks: 60 steps per second, four substeps.\n"
    "\n"
    "`./run accuracy` measures the errors and writes this page. The test `physics_laws`\n"
    "measures them again. It fails if an error differs from this page or exceeds its bound.\n"
    "The bound is the target, or a wider bound for laws that miss their target.\n"
    "\n"
    "Errors are relative unless they have a unit. Values of other engines come from published\n"
    "measurements, or from models of their published schemes.\n"
    "\n"
    "| row | law | expected | error | target | reached | other engines |\n"
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
  if (!reasons.empty()) page += "\n## Missed targets and their reasons\n\n" + reasons;
  return page;
}

}  // namespace jostle::physics::laws
