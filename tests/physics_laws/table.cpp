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

constexpr const char* sources =
    "\n"
    "## Sources of rows 46 and 47\n"
    "\n"
    "These rows repeat scenes of test suites of other engines.\n"
    "\n"
    "Row 46: mechanisms of the IFToMM Library of Computational Benchmark Problems\n"
    "(www.iftomm-multibody.org/benchmark; González, Dopico, Lugrís, Cuadrado, \"A benchmarking\n"
    "system for MBS simulation software\", Multibody System Dynamics 16, 2006, pp. 179–190). "
    "EXUDYN\n"
    "(github.com/jgerstmayr/EXUDYN, main/pythonDev) and OpenSim\n"
    "(github.com/RehabEngGroup/MBSbenchmarksInOpenSim) have them as tests.\n"
    "\n"
    "| scene | set-up | reference |\n"
    "|---|---|---|\n"
    "| pendulum | EXUDYN, Examples/pendulumIftommBenchmark.py; OpenSim, A01 | motion with one "
    "coordinate, solved by quadrature; energy error below 5e-5 J (EXUDYN, same file) |\n"
    "| two four-bar windows | EXUDYN, TestModels/fourBarMechanismIftomm.py; OpenSim, A02 | "
    "position "
    "at 10 s and energy errors: same file. The solution by quadrature is (0.328458, 0.944519) m |\n"
    "| Andrews' squeezing mechanism | OpenSim, A03; Mazzia, Magherini, \"Test Set for Initial "
    "Value "
    "Problem Solvers\", release 2.4, 2008 | angles at 0.03 s: Test Set, reference solution |\n"
    "| Bricard's mechanism | EXUDYN, TestModels/bricardMechanism.py; OpenSim, A04 | closed loop of "
    "six hinges, with one coordinate (mechanism.h) |\n"
    "| spatial slider-crank | EXUDYN, TestModels/sliderCrank3Dtest.py | motion with one coordinate "
    "|\n"
    "\n"
    "Row 47: SimBenchmark of Kang and Hwangbo, the authors of RaiSim, 2018\n"
    "(leggedrobotics.github.io/SimBenchmark; github.com/leggedrobotics/SimBenchmark at 3fd1764). "
    "The\n"
    "targets are the results of RaiSim.\n"
    "\n"
    "| scene | set-up | results of other engines |\n"
    "|---|---|---|\n"
    "| pushed box with rolling balls | benchmark/include/RollingBenchmark.hpp, with its analytical "
    "solution | data/rolling/default.csv |\n"
    "| bouncing balls | BouncingBenchmark.hpp | data/bouncing/sample.csv, ERP off |\n"
    "| cube of elastic balls | Elastic666Benchmark.hpp | data/666-elastic/sample.csv, ERP off |\n"
    "| cube of inelastic balls | 666Benchmark.hpp | data/666/sample.csv, ERP off |\n";

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
  return page + sources;
}

}  // namespace jostle::physics::laws
